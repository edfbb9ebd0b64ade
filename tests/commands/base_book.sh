#!/bin/bash
# The base book: counted, built, killed and continued, and made into a book with the same values.
# Usage: base_book.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"

nutcracker-basebook -h >said
grep -q '^Usage: nutcracker-basebook COMMAND' said || fail "-h: $(cat said)"
nutcracker-basebook counts --out counts.tsv --min-games 1 --max-ply 8 "$data/small.pgn"
head -n 1 counts.tsv | grep -q '^# base counts 1; [1-9]' || fail "counts: $(head -n 1 counts.tsv)"

# Games that are cut off make no table; bad games are reported in one line.
head -c -20 "$data/small.pgn.gz" >cut.pgn.gz
nutcracker-basebook counts --out cut.tsv --min-games 1 cut.pgn.gz 2>complained && fail "a cut file was counted"
grep -q 'cut.pgn.gz.*: ' complained || fail "cut: $(cat complained)"
[[ $(wc -l <complained) == 1 && ! -e cut.tsv ]] || fail "cut: $(cat complained)"
{ cat "$data/small.pgn"; printf '\n\n[Event "?"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n'; } >bad.pgn
nutcracker-basebook counts --out same.tsv --min-games 1 --max-ply 8 bad.pgn 2>complained || fail "$(cat complained)"
cmp counts.tsv same.tsv || fail "a bad game was counted"
grep -q 'errors: 1; bad.pgn line [1-9]' complained || fail "bad game: $(cat complained)"
[[ $(wc -l <complained) == 1 ]] || fail "bad game: $(cat complained)"

options=(build --counts counts.tsv --scale 0.0002 --hash 1 --rounds 7 --round-tasks 30 --exits 20)
build() { # LOG TEXT OPTION...
    nutcracker-basebook "${options[@]}" --log "$1" --out "$2" "${@:3}" 2>complained
}
build one.log one.txt --workers 1 || fail "build: $(cat complained)"
# Killed while it searches.
nutcracker-basebook "${options[@]}" --log two.log --out two.txt 2>complained &
while kill -0 $! 2>/dev/null && { [[ ! -e two.log ]] || (($(wc -l <two.log) < 40)); }; do :; done
kill -KILL $! 2>/dev/null || true
wait $! 2>/dev/null || true
build two.log two.txt --list list.tsv || fail "continued: $(cat complained)"
cmp one.txt two.txt || fail "two workers and a kill: the texts differ"
# A log that may not grow past 1 KiB ends in the middle of a line.
(ulimit -f 1 && build torn.log torn.txt) && fail "a log that cannot grow was not noticed"
[[ $(tail -c 1 torn.log) != "" ]] || fail "the log is not torn"
build torn.log torn.txt || fail "torn: $(cat complained)"
cmp one.txt torn.txt || fail "a torn log: the texts differ"
grep -q '^white' list.tsv || fail "--list: $(cat list.tsv)"

nutcracker-book make-base --text one.txt --out base.db 2>/dev/null
nutcracker-book --book none.db --base base.db show --json >shown 2>complained || fail "show: $(cat complained)"
awk '$1 == 1 { if ($2 == "!") print $3, $4; else print $2, $3 }' one.txt | sort >text.values
grep -o '"san":"[^"]*"\|"cp":[-0-9]*' shown | sed 's/.*://; s/"//g' | paste -d ' ' - - | sort >book.values
cmp text.values book.values || fail "values of the text and of the book: $(diff text.values book.values)"

# It takes the place of one made before, but of no book of the user's.
nutcracker-book make-base --text one.txt --out base.db 2>complained || fail "again: $(cat complained)"
make_book own.db >/dev/null
for file in own.db base.db; do
    cp $file before.db
    nutcracker-book --book $file make-base --text one.txt --out $file 2>complained && fail "overwrites the book $file"
    grep -qF "\"$file\" is a book" complained || fail "make-base --out $file: $(cat complained)"
    cmp $file before.db || fail "make-base changed $file"
done
nutcracker-book --book none.db make-base --text one.txt --out own.db 2>complained && fail "overwrites own games"

# A bad text makes no book, and the message names the line.
sed '3s/ [A-Cx] / Q /' one.txt >bad.txt
nutcracker-book make-base --text bad.txt --out bad.db 2>complained && fail "a bad text was taken"
grep -q '"bad.txt" line 3: ' complained || fail "bad text: $(cat complained)"
[[ ! -e bad.db && ! -e bad.db.part ]] || fail "a bad text made a book"

# The checks go on where they were.
checks() {
    nutcracker-basebook calibrate --text one.txt --log checks.log --hash 1 --positions 5 --nodes 100,200,400
    nutcracker-basebook exits --counts counts.tsv --log checks.log --hash 1 --book new=base.db --none \
        --exits 6 --nodes 300 --reply-nodes 100 --play-nodes 100
    nutcracker-basebook exits --counts counts.tsv --log checks.log --hash 1 --book best=base.db --variety 0 \
        --exits 6 --nodes 300 --reply-nodes 100
}
checks >first 2>/dev/null
checks >second 2>/dev/null
cmp first second || fail "the checks differ: $(cat first second)"
grep -q '^400	5	0\.0' first || fail "calibrate: $(cat first)"
for name in new none; do
    grep -q "^$name	" first || fail "exits: $(cat first)"
done
