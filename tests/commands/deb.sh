#!/bin/bash
# The Debian package of a release build: its files, the engine out of it, and, where XBoard and Xvfb are
# installed, that XBoard lists the engine and plays a game with it. Usage: deb.sh BUILD_FOLDER
# Labels: slow posix
set -euo pipefail
source "$(dirname "$0")/common.sh"

skip() {
    echo "not tested: $*"
    exit 77
}

grep -qx 'CMAKE_BUILD_TYPE:STRING=Release' "$build/CMakeCache.txt" || skip "only a release build is packaged"
for command in cpack dpkg-deb; do
    command -v $command >/dev/null || skip "there is no $command"
done

cpack --config "$build/CPackConfig.cmake" -G DEB -B "$folder/packages" >packing 2>&1 || fail "$(cat packing)"
package=("$folder"/packages/nutcracker_*.deb)
[[ -f ${package[0]} ]] || fail "no package: $(cat packing)"
root=$folder/root
dpkg-deb -x "${package[0]}" "$root"

# found VARIABLE: whether the build found this program
found() { grep -q "^$1:FILEPATH=/" "$build/CMakeCache.txt"; }

# Every file that a user is to get, and no other program.
programs=(nutcracker nutcracker-bench nutcracker-book nutcracker-epd nutcracker-match nutcracker-perft nutcracker-pruning)
files=("${programs[@]/#/usr/bin/}" usr/share/nutcracker/base.db usr/share/games/plugins/xboard/nutcracker.eng
    usr/share/doc/nutcracker/README.md usr/share/doc/nutcracker/copyright
    usr/share/doc/nutcracker/changelog.gz)
if found HELP2MAN; then
    for program in "${programs[@]}"; do files+=("usr/share/man/man6/$program.6.gz"); done
fi
for file in "${files[@]}"; do
    [[ -s $root/$file ]] || fail "the package lacks $file"
done
[[ $(ls "$root/usr/bin") == "$(printf '%s\n' "${programs[@]}")" ]] || fail "other programs: $(ls "$root/usr/bin")"
has() { grep -qE -- "$1" "$2" || fail "no \"$1\" in $2: $(head -n 40 "$2")"; }
for library in libsqlitecpp-dev nlohmann-json3-dev libexpected-dev; do
    [[ ! -e /usr/share/doc/$library/copyright ]] || has "^==== $library ====$" "$root/usr/share/doc/nutcracker/copyright"
done
dpkg-deb -f "${package[0]}" >control
dpkg-deb -I "${package[0]}" postinst >configured
has '^    touch -c /usr/share/games/plugins/xboard/nutcracker.eng$' configured
has '^Section: misc$' control
has '^Recommends: xboard$' control
if found DPKG_SHLIBDEPS; then
    has '^Depends: .*libsqlite3-0' control
fi

# The manual pages show what --help prints; that of the book shows the help of its commands, too.
if found HELP2MAN; then
    pages=$root/usr/share/man/man6
    gunzip "$pages"/*.gz
    has 'BookImprove' "$pages/nutcracker.6"
    while read -r command; do
        has "\"$command:\"" "$pages/nutcracker-book.6"
    done < <("$root/usr/bin/nutcracker-book" --help | awk '/^Commands/ { on = 1; next } !NF { on = 0 } on { print $1 }')
    for page in "$pages"/*; do
        grep -E '/(tmp|home|root)/' "$page" && fail "$page names a folder of the build machine"
        has '\\-\\-help' "$page"
    done
fi

# The engine out of the package, with the book of the package: it plays a move and knows its name.
export XDG_DATA_HOME=$folder/data
printf 'xboard\nprotover 2\naccepted debug\nnew\nst 1\ngo\nping 1\nbk\nquit\n' |
    timeout 60 "$root/usr/bin/nutcracker" --seed 1 >said
has '^feature .*myname="Nutcracker' said
has '^# book: ' said
has '^move [a-h][1-8][a-h][1-8]' said
has '^pong 1$' said
"$root/usr/bin/nutcracker-book" stats >counts
grep -qF "$root/usr/share/nutcracker/base.db" counts || fail "the installed book was not found: $(cat counts)"

# XBoard looks for engines in /usr: in a mount namespace of its own, the package lies over /usr, and
# XBoard keeps its settings in the scratch folder. XBoard lists new engines as it saves its settings, so
# the first game is played by the program's path, and the second by the name in the list.
PATH=$PATH:/usr/games
for command in xboard Xvfb unshare; do
    command -v $command >/dev/null || { echo "not tested with XBoard: there is no $command" && exit 0; }
done
namespace=(unshare --map-root-user --mount)
cat >games.sh <<'XBOARD'
set -eu
mount -t overlay overlay -o lowerdir="$1/usr:/usr" /usr
sed "s#~/.xboardrc#$PWD/settings#" /etc/xboard/xboard.conf >xboard.conf
mount --bind xboard.conf /etc/xboard/xboard.conf
[ "${2-}" != try ] || exit 0
Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3>display >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
while [ ! -s display ]; do
    kill -0 $server
    sleep 0.1
done
DISPLAY=:$(cat display)
export DISPLAY
# play NAME XBOARD_OPTION...: a short game of the engine against itself
play() {
    name=$1
    shift
    timeout 60 xboard "$@" -mg 1 -mm -st 1 -depth 2 -adjudicateDrawMoves 6 -popupExitMessage false \
        -soundProgram true -sgf "$name.pgn" -debug -nameOfDebugFile "$name.debug" >"$name.said" 2>&1
}
play path -fcp /usr/bin/nutcracker -scp /usr/bin/nutcracker
play list -fe nutcracker -se nutcracker
XBOARD
"${namespace[@]}" sh games.sh "$root" try 2>refused ||
    { echo "not tested with XBoard: no mounts allowed here: $(cat refused)" && exit 0; }
"${namespace[@]}" sh games.sh "$root" || fail "XBoard: $(tail -n 20 ./*.said ./*.debug)"
sed -n '/^-firstChessProgramNames/,/^}/p' settings >engines
has '^nutcracker$' engines
for game in path list; do
    has '^\[White "Nutcracker' $game.pgn
    has '^\[Black "Nutcracker' $game.pgn
    has '(^| )6\.' $game.pgn
    has '<first : move ' $game.debug
    has '<second: move ' $game.debug
done
