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

# No book at all.
head -c 9000 /dev/urandom >noise
on noise recover out.db >said && fail "noise"
grep -qF 'nothing that belongs to a book' said || fail "noise: $(cat said)"
on missing.db recover out.db >said && fail "a missing file"
grep -qF 'cannot be read' said || fail "missing: $(cat said)"
[[ ! -e out.db ]] || fail "a book was made of nothing"
