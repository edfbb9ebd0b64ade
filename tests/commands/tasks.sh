#!/bin/bash
# What people do first: each with one command of nutcracker-book, which its --help names.
# Usage: tasks.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
# on COMMAND...: runs a command on book.db; its output goes to `said`, with its messages
on() { nutcracker-book --book book.db --base "" "$@" >said 2>&1; }
# says TEXT COMMAND...: fails unless the command prints the text and ends well
says() {
    local text=$1
    shift
    on "$@" || fail "$*: $(cat said)"
    grep -qF -- "$text" said || fail "$*: no \"$text\" in: $(cat said)"
}
# refuses TEXT COMMAND...: fails unless the command fails with one line that has the text
refuses() {
    local text=$1
    shift
    on "$@" && fail "$* passed: $(cat said)"
    if [[ $(wc -l <said) != 1 ]] || ! grep -qF -- "$text" said; then fail "$*: no \"$text\" alone in: $(cat said)"; fi
}
# lines_are NUMBER COMMAND...: fails unless the command prints so many lines to standard output
lines_are() {
    local number=$1
    shift
    [[ $(nutcracker-book --book book.db --base "" "$@" 2>/dev/null | wc -l) == "$number" ]] || fail "$*: not $number lines"
}
make_book book.db endings

# Every command is in the help, and every example of the help is a command.
nutcracker-book --help >help
for command in show lines games why news report stats opponents prepare import edit improve merge learn undo \
    unlearn relearn snapshot recover verify rebuild export check; do
    grep -qE "^  $command +[a-z]" help || fail "--help does not list $command"
    nutcracker-book "$command" --help >/dev/null || fail "$command --help"
done
refuses '--color must be auto, always or never' --color red games

# Own games, by all that may be known of them.
lines_are 44 games --number 0
lines_are 20 games
lines_are 4 games --page 3
refuses 'there is no such page' games --page 4
refuses '--page must be 1 or more' games --page 0
says '--page 2 shows older games' games
on games --opponent anna --number 0
grep -qvF $'\tAnna\t' said && fail "others than Anna: $(cat said)"
[[ -s said ]] || fail "no game against Anna"
on games --opponent a --number 0  # a part of the names of several
for name in Anna 'Boris "the" Bear'; do
    grep -qF $'\t'"$name"$'\t' said || fail "no game against $name: $(cat said)"
done
grep -qF 'ller' said && fail "games against others: $(cat said)"
refuses '"a" is ambiguous: ' prepare a
refuses 'no opponent "a"' unlearn --opponent a
refuses 'no opponent "Xaver"' games --opponent Xaver
refuses 'only one of --won, --drawn and --lost' games --won --lost
refuses 'did you mean "Anna"' unlearn --opponent "Anna Lee"
refuses '"soon" is not a date like' games --since soon
refuses 'white or black, not "green"' games --colour green
refuses 'lightning, blitz or standard, not "fast"' games --time fast
refuses 'is not a move after' games --position "1. e4 e4"
refuses 'no game matches' games --since 2024-01-01
says $'\tBlack\t' games --colour black
grep -qF $'\tWhite\t' said && fail "games with White: $(cat said)"
says 'Nimzo-Indian' games --opening nimzo
grep -qF 'Sicilian' said && fail "other openings: $(cat said)"
says $'\t4.e3\t' games --position "1. c4 e6 2. Nc3 Nf6 3. d4"
says '"exit":{"ply":6,"move":"e3"' games --opening nimzo --json
all=$(nutcracker-book --book book.db --base "" games --number 0 --until 2023-11-15 | wc -l)
((all > 0 && all < 44)) || fail "--until: $all games"
lines_are "$all" games --number 0 --until 2023.11.15
dated=$(nutcracker-book --book book.db --base "" games --number 0 --since 2023-11-01 --until 2023-12-31 | wc -l)
lines_are "$dated" games --number 0 --since 2023-11 --until 2023
says $'\tBlack\t' games --color BLACK
refuses '--pgn writes all games' games --pgn black.pgn --page 1
refuses 'nothing was written' games --since 2030 --pgn black.pgn
[[ ! -e black.pgn ]] || fail "a file without games"
black=$(nutcracker-book --book book.db --base "" games --number 0 --color black | wc -l)
on games --color black --pgn black.pgn || fail "games --pgn: $(cat said)"
grep -qxF "$black games in black.pgn" said || fail "games --pgn: $(cat said)"
[[ $(grep -c '^\[Black "Nutcracker' black.pgn) == "$black" ]] || fail "games --color black --pgn"
nutcracker-book --book book.db --base "" games --pgn - 2>&1 | sort >some.pgn
nutcracker-book --book book.db --base "" export --pgn - | sort | cmp - some.pgn || fail "all games --pgn"
says 'Nimzo-Indian' games --opening "Indian nimzo"
says '1.d4 Nf6 2.c4 e6 3.Nc3 Bb4' show nimzo
says 'E20 Nimzo-Indian Defence' show nimzo indian
says 'E20 Nimzo-Indian Defence' show "E20 Nimzo-Indian Defence"
says 'A40 Queen' show "1. d4"
says 'E20 Nimzo-Indian Defence' show d4 nf6 c4 e6 nc3 bb4
says 'E20 Nimzo-Indian Defence' show "1.d4 ♞f6 2.c4 e6 3.♘c3 ♝b4"
refuses '"O-O-O" is not a move' show O-O-O
[[ $(nutcracker-book --book book.db --base "" lines | sed -n 2p | tr '\t' '\n' | wc -l) == 6 ]] || fail "the columns of lines"
lines_are 44 games --number 0 --book book.db
for words in "help games" "games -h" "-h"; do
    # shellcheck disable=SC2086
    nutcracker-book $words >said || fail "$words"
    grep -q '^Usage: nutcracker-book' said || fail "$words: $(cat said)"
done

# How often a move is played; the games of a position; why.
says 'played' show
grep -qE '^e4 +[0-9]+ %' said || fail "no probability: $(cat said)"
says '1.e4 c5' show "1. e4 c5" --games
says '1.e4 c5' show '1. e4 {best by test} c5!? (1... e5) 1/2-1/2' --games
grep -qF 'opponent' said || fail "no games: $(cat said)"
says '"probability":' show --json
says $'\033[1m' --color always show
on --color never show && grep -q $'\033' said && fail "colour that nobody wants"
says 'game 1 of 2023' why 1 5
says '1.e4 e5 2.Nf3' why 2 3
on why 2 3 && cp said byply
for move in Nf3 2.Nf3 2Nf3 nf3; do
    on why 2 $move || fail "why 2 $move: $(cat said)"
    cmp said byply || fail "why 2 $move is not why 2 3"
done
says '1.e4 e5' why 2 1...e5
refuses '"2...Nf3" is neither a ply nor a move of the game' why 2 2...Nf3
says '4.O-O' why 2  # all of our moves in the book
(($(grep -c '^1\.e4' said) == 4)) || fail "why without a move: $(cat said)"

# The best line as Black, and only that.
says 'best' lines --best --colour black --min-games 1
grep -qE 'worst|White' said && fail "lines --best --colour black: $(cat said)"

# What belongs to another command, and files and names that are not there.
mkdir games
head -13 "$data/small.pgn" >games/few.pgn
cp "$data/small.pgn" games/all.pgn
nutcracker-book --book other.db --base "" import games >said 2>&1 || fail "a folder: $(cat said)"
refuses 'is a book: merge adds its games' import other.db
refuses 'import adds the games' merge "$data/small.pgn"
refuses '--as needs a name' import --as "" "$data/small.pgn"
refuses 'snapshot needs the name of a file' snapshot ""
refuses 'download it first' import https://nowhere/games.pgn
refuses 'no game of "Nobody Atall"' import --player "Nobody Atall" "$data/small.pgn"
nutcracker-book --book other.db --base "" forget . >said 2>&1 && fail "forget . would take back imports made elsewhere"
nutcracker-book --book other.db --base "" forget games >said 2>&1 || fail "forget a folder: $(cat said)"
[[ -z $(nutcracker-book --book other.db sources) ]] || fail "imports of the folder are left"
nutcracker-book --book other.db --base "" forget games >said 2>&1 && fail "nothing to forget"

# The news, until they were told.
if [[ -e /dev/full ]]; then
    nutcracker-book --book book.db --base "" news >/dev/full 2>said && fail "news into a full disk: success"
fi
says 'games, +' news
says 'values that changed most' news --games 5
says 'no new games since 20' news
says $'news\tno new games' stats
refuses 'only one of --since and --games' news --since 2023-11-15 --games 3
refuses '"tomorrow" is not a date like' news --since tomorrow

# What is new since a day: games by when they were learned, imports, changes by hand.
today=$(date -u +%F)
says 'no new games since '"$today" news --since "$today"
says 'games, +' news --since 2023-11-15
says '"games":0,' news --since 2024-01-01 --json
says '"moved":{"all":' news --since 2023-11-15 --json
printf '[Event "x"]\n[White "Me"]\n[Black "Old"]\n[Date "1999.01.01"]\n[Result "1-0"]\n\n1. b4 e5 2. Bb2 1-0\n' >mine.pgn
on import --as Me mine.pgn || fail "import --as: $(cat said)"
on edit a4=never
on import "$data/small.pgn" || true
says '1 game, +1 =0 -0, 100 % since '"$today" news --since "$today"
for text in '1.b4' 'imported 1 own game from' 'marked a4 as never' 'small.pgn'; do
    grep -qF -- "$text" said || fail "news --since: no \"$text\" in: $(cat said)"
done
refuses 'no game matches' games --since "$today"
refuses 'the last change is the import of ' undo
on forget small.pgn || fail "forget: $(cat said)"
refuses 'forgetting the import of ' undo
says 'taken back: marked a4 as never' undo
on forget mine.pgn || fail "forget: $(cat said)"

# A PolyGlot book of what would be played: no move marked never, no reply to a move that is not played.
on export --bin first.bin || fail "$(cat said)"
grep -qE '^[0-9]+ entries in first.bin$' said || fail "export --bin: $(cat said)"
on edit d4=never
on export --bin second.bin || fail "$(cat said)"
for bin in first second; do
    nutcracker-book --book $bin.db --base '' import $bin.bin 2>/dev/null
    nutcracker-book --book $bin.db --base '' show >$bin.txt
done
grep -q '^d4 ' first.txt || fail "1.d4 is not exported: $(cat first.txt)"
! grep -q '^d4 ' second.txt || fail "1.d4 is still exported"
nutcracker-book --book empty.db --base "" learn on
nutcracker-book --book empty.db --base "" export --bin none.bin >said 2>&1 && fail "an empty book was exported"
[[ ! -e none.bin && $(wc -l <said) == 1 ]] || fail "export of an empty book: $(cat said)"
refuses 'need --counts' export --bin third.bin --experience
for how in "its own .bin" "the same .bin again"; do
    nutcracker-book --book third.db --base "" import first.bin >said 2>&1 || fail "$how: $(cat said)"
done
grep -qx 'first.bin: imported before' said || fail "the same .bin again: $(cat said)"
refuses '"sometimes" is not a mark: always, prefer, avoid, never or none' edit "1. e4" e6=sometimes
says 'taken back: marked d4' undo

# Preparation for somebody from games of theirs.
for i in 1 2 3; do
    printf '[White "Zoe (C)"]\n[Black "X%s"]\n[Result "1-0"]\n\n1. e4 e5 2. f4 1-0\n\n' $i
    printf '[White "Y"]\n[Black "Zoe"]\n[Result "0-1"]\n\n1. e4 c6 2. d4 d5 0-1\n\n'
done >his.pgn
says 'Zoe: 0 games, +0 =0 -0, -; 6 games of this player in the file' prepare zoe --pgn his.pgn
grep -qE '^3 games.*1\.e4.*c6 3' said || fail "prepare --pgn: $(cat said)"
refuses 'no game of "Quentin" in "his.pgn"; did you mean "' prepare Quentin --pgn his.pgn
refuses '"x" in "his.pgn" is ambiguous: X1; X2; X3' prepare x --pgn his.pgn
refuses '"none.pgn"' prepare zoe --pgn none.pgn
