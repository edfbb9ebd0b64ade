#!/bin/bash
# Makes the manual page of a program with help2man from its --help and from the sections in INCLUDE.
# Usage: manual.sh HELP2MAN PROGRAM VERSION INCLUDE PAGE
set -euo pipefail
help2man=$1 program=$2 version=$3 include=$4 page=$5
name=$(basename "$program")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset XDG_DATA_HOME
export HOME=/~  # so that files in the home folder of whoever builds are shown as ~/file

# These filters print --help in the form that help2man understands: "Usage:" and "or:" before the forms of
# use, *NAME* for a section, "$" before an example, "-h, --help" for an option, two blanks before its text.
main_help() {
    "$program" --help | sed -E "
        1s/^(Usage: +)?($name( |\$))/Usage: \\2/
        2,/^\$/s/^ *($name( |\$))/  or:  \\1/
        /^ *$name .*\\\\\$/{ N; s/ *\\\\\n */ / }
        s/^ +($name )/  \$ \\1/
        s/^(Examples?|Exit status): */*\\1*\n\n/" | options
}
options() {
    sed -E '/^[^ ].*:$/s/"//g  # help2man quotes a heading without escaping
            s#/~/#~/#g
            s/^( *-[a-z]) \[ (--[a-z-]+) \]/\1, \2/
            s/^( +-.* \(=[^)]*\)) ([^ ])/\1  \2/' |
        # A blank line between the rows of a table keeps them apart.
        awk '/^  [^ -]/ && before ~ /^  [^ -]/ { print "" } { print; before = $0 }'
}

# The --help of each command that --help lists, before its examples.
commands_help() {
    local command
    printf '\n*Commands*\n'
    for command in $("$program" --help | awk '/^Examples/ { exit } /^  [a-z]/ { print $1 }'); do
        printf '\n%s:\n' "$command"
        "$program" "$command" --help | sed -E '
            /^Options:$/d; /^ +--help /d
            s/^Options \((.*)\):$/\1\n/
            s/^(Usage: |       )(nutcracker-book .*)/  \2\n/
            s/^([^ ].*[^ .]  +[^ ])/  \1/' | options
    done
}

# The commands that the engine itself lists in answer to "help".
terminal_commands() {
    printf '\n*Terminal commands*\n\n'
    printf 'help\nquit\n' | "$program" --no-book | sed -nE 's/^# ([^:]+): /  \1  /p'
}

{
    main_help
    case $name in
    nutcracker) terminal_commands ;;
    nutcracker-book) commands_help ;;
    esac
} >"$folder/help"
printf '#!/bin/sh\ncat "%s/help"\n' "$folder" >"$folder/$name"
chmod +x "$folder/$name"
"$help2man" --no-info --section 6 --manual Games --source "Nutcracker $version" \
    --version-string "$version" --include "$include" --output "$page" "$folder/$name"
