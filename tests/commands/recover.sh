#!/bin/bash
# A damaged book: refused by every command but recover, which makes a new one of what can be read.
# Usage: recover.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
on() { nutcracker-book --book "$1" --base "" "${@:2}" 2>&1; }
# page FILE NUMBER: overwrites a page of the file with bytes 0xff
page() { head -c 4096 /dev/zero | tr '\0' '\377' | dd of="$1" bs=4096 seek="$2" conv=notrunc status=none; }
# all_of BOOK: prints everything in a book but the size of its file
all_of() {
    on "$1" verify
    on "$1" stats | grep -vE '^(book|bytes)	'
    on "$1" export --tsv -
    on "$1" opponents
    on "$1" lines --min-games 1 --number 100
    on "$1" show "1. e4"
}

make_book good.db
on good.db import "$data/small.pgn" >/dev/null
on good.db edit "1. e4 e5" Nf3=prefer f4=never
on good.db snapshot whole.db  # without a -wal
all_of whole.db >expected

# Nothing is lost of a book whose first page, schema and all, cannot be read.
cp whole.db book.db
page book.db 0
cp book.db before.db
for command in verify rebuild "export --pgn -" "snapshot copy.db" "merge good.db"; do
    # shellcheck disable=SC2086
    on book.db $command >said && fail "$command: $(cat said)"
    grep -qF 'nutcracker-book --book FILE recover' said || fail "$command does not name recover: $(cat said)"
done
on book.db recover new.db >said || fail "recover: $(cat said)"
grep -q '^own games	40 saved	0 lost$' said || fail "games: $(cat said)"
grep -q '^marks	2 saved	0 lost$' said || fail "marks: $(cat said)"
cmp book.db before.db || fail "the damaged book was changed"
all_of new.db >found
diff expected found || fail "the new book differs"
on book.db recover new.db >said && fail "a file was overwritten"
grep -qF -- "--book 'new.db' recover" said || fail "how to restore the file that is named: $(cat said)"

# What it says to do then makes the book usable.
grep '^  mv ' said && fail "advice after a failure"
rm new.db
touch book.db-wal
on book.db recover new.db >said
grep -q "^  mv 'book.db-wal' 'book.db.damaged-wal'\$" said || fail "the -wal would damage the new book: $(cat said)"
grep '^  mv ' said >advice && bash advice
all_of book.db >found
diff expected found || fail "the book differs"
[[ -e book.db.damaged-wal ]] || fail "the -wal is still there"

# In the place of the damaged book, with one command; nothing that was there is overwritten.
rm book.db
cp whole.db book.db
page book.db 0
cp book.db before.db
touch book.db-wal book.db-journal
on book.db recover >said || fail "recover in place: $(cat said)"
grep -qF '"book.db.damaged2"' said || fail "the damaged file is not named: $(cat said)"
grep -q '^  mv ' said && fail "advice without need: $(cat said)"
cmp book.db.damaged2 before.db || fail "the damaged book was changed"
[[ -e book.db.damaged2-wal && -e book.db.damaged2-journal && ! -e book.db-wal && ! -e book.db-journal && ! -e book.db.recovered ]] || fail "files: $(ls)"
all_of book.db >found
diff expected found || fail "the restored book differs"
head -c 9000 /dev/urandom >noise.db
cp noise.db before.db
on noise.db recover >said && fail "noise in place"
cmp noise.db before.db || fail "noise was replaced"
cp whole.db noise.db.bak
on noise.db recover >said && fail "noise beside a copy"
grep -qF "nutcracker-book --book 'noise.db.bak' verify" said || fail "the copy is not named: $(cat said)"
rm noise.db.bak
[[ ! -e noise.db.damaged ]] || fail "noise was moved"

# Some rows are lost: the exit status says so, and a copy brings them back.
lost=
for ((number = 2; number < $(stat -c %s whole.db) / 4096; ++number)); do
    cp whole.db bad.db
    page bad.db "$number"
    ended=0
    rm -f some.db
    on . recover bad.db some.db >said || ended=$?
    on some.db verify >/dev/null || fail "page $number: the new book is not sound"
    if grep -q '^own games	.*	[1-9][0-9]* lost' said; then
        ((ended == 1)) || fail "games are lost, but it ended with $ended"
        lost=$number
    fi
done
[[ $lost ]] || fail "no page held games"
cp whole.db bad.db.bak
cp whole.db bad.db
page bad.db "$lost"
rm some.db
on bad.db recover some.db >said && fail "nothing lost"
grep -qF "nutcracker-book --book 'some.db' merge 'bad.db.bak'" said || fail "the copy is not named: $(cat said)"
cp bad.db again.db
cp whole.db again.db.bak
on again.db recover >said && fail "nothing lost in place"
grep -qF "nutcracker-book --book 'again.db' merge 'again.db.bak'" said || fail "the copy is not named: $(cat said)"
on some.db merge bad.db.bak >/dev/null
on some.db stats >said
grep -qF 'own games	40' said || fail "the copy did not help"

# A page of another table in the place of a page of games: its rows do not stand for the lost games.
for ((number = 2; number < $(stat -c %s whole.db) / 4096; ++number)); do
    [[ $number != "$lost" ]] || continue
    cp whole.db bad.db
    dd if=whole.db of=bad.db bs=4096 skip="$number" seek="$lost" count=1 conv=notrunc status=none
    rm -f some.db
    on . recover bad.db some.db >said && fail "page $number for page $lost: $(cat said)"
done

# Two books that lost imported moves are merged as others; what was lost cannot be forgotten.
damaged() {
    on "$1.db" import "$2" >/dev/null
    on "$1.db" snapshot sound.db >/dev/null
    for ((number = 2; number < $(stat -c %s sound.db) / 4096; ++number)); do
        cp sound.db "$1-lost.db"
        page "$1-lost.db" "$number"
        on "$1-lost.db" recover >said || true
        rm -f "$1-lost.db.damaged"
        on "$1-lost.db" sources >said
        if grep -q "moves lost in a damaged book" said && grep -q "${2##*/}" said; then break; fi
        rm -f "$1-lost.db"
    done
    rm sound.db
    [[ -e $1-lost.db ]] || fail "no page held imported moves"
}
for moves in "1. d4 d5 2. c4" "1. Nf3 c5 2. g3" "1. c4 e5 2. Nc3"; do
    printf '[White "Anna"]\n[Black "Carl"]\n[Result "1-0"]\n\n%s 1-0\n\n' "$moves"
done >three.pgn
damaged a "$data/small.pgn"
damaged b three.pgn
on a-lost.db merge b-lost.db >said || fail "$(cat said)"
[[ $(on a-lost.db stats | grep '^imported games') == "imported games	7" ]] || fail "merged: $(on a-lost.db stats)"
on a-lost.db verify >said || fail "merged: $(cat said)"
lost=$(on a-lost.db sources | grep -m1 "moves lost in a damaged book" | cut -f1)
on a-lost.db forget "$lost" >said && fail "what was lost was forgotten"
on a-lost.db verify >said || fail "$(cat said)"

# No book at all.
head -c 9000 /dev/urandom >noise
on noise recover out.db >said && fail "noise"
grep -qF 'nothing that belongs to a book' said || fail "noise: $(cat said)"
on missing.db recover out.db >said && fail "a missing file"
grep -qF 'there is no book "missing.db"' said || fail "missing: $(cat said)"
[[ ! -e out.db ]] || fail "a book was made of nothing"
