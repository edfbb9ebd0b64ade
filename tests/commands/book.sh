#!/bin/bash
# Properties of books, seen through the commands of nutcracker-book.
# Usage: book.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
# on BOOK COMMAND...: runs a command; prints its output and its messages
on() { nutcracker-book --book "$1" --base "" "${@:2}" 2>&1; }
# all_of BOOK: prints everything in a book but the numbers of games and the size of its file
all_of() {
    on "$1" verify
    on "$1" stats | grep -vE '^(book|bytes|imported)	'
    on "$1" export --tsv -
    on "$1" opponents
    on "$1" lines --min-games 1 --number 100 || true
    for moves in "" e4 "e4 c5" "e4 c5 Nf3" "e4 e5 Nf3 Nc6" d4 "d4 Nf6 c4"; do
        on "$1" show "$moves" || true
    done
}
# same WHAT BOOK BOOK: fails unless both books hold the same
same() {
    all_of "$2" >first
    all_of "$3" >second
    diff first second >difference || fail "$1: $(head -n 5 difference)"
}
# says TEXT COMMAND...: fails unless the command, run on all.db, prints the text
says() {
    local text=$1
    shift
    on all.db "$@" >said || true
    grep -qF -- "$text" said || fail "$*: no \"$text\" in: $(cat said)"
}

for part in a b; do make_book $part.db $part; done
make_book all.db

# Importing twice has no effect, and the order of imports makes no difference.
for order in "small.pgn dirty.pgn" "dirty.pgn small.pgn"; do
    for file in $order; do on "imported${order%% *}" import "$data/$file" >/dev/null || true; done
done
same "order of imports" importedsmall.pgn importeddirty.pgn
cp importedsmall.pgn twice.pgn
on twice.pgn import "$data/small.pgn" "$data/dirty.pgn" >/dev/null || true
same "import twice" importedsmall.pgn twice.pgn

# Castling is written as the king's step in chess, and as king takes rook in Chess960, where both may be moves.
for move in O-O Kg1; do
    printf '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/5K1R w H - 0 1"]\n\n1. %s *\n\n' "$move"
done >castling.pgn
printf '[Event "E"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *\n' >>castling.pgn
on castling.db import castling.pgn >/dev/null
on castling.db export --tsv - >said
for move in f1h1 f1g1 e1g1 e8g8; do
    [[ $(grep -c "	$move	" said) == 1 ]] || fail "castling as $move: $(cat said)"
done

# What is exported takes the place of no book, and of another file only when it is whole.
on all.db export --bin also.bin >/dev/null
for file in a.db link.db b.db also.bin; do
    [[ $file != link.db ]] || ln -s a.db link.db
    cp $file before.copy
    for command in "export --pgn" "export --tsv" "export --bin" "report --out"; do
        # shellcheck disable=SC2086
        nutcracker-book --book a.db --base "" --also also.bin $command $file >/dev/null 2>complained &&
            fail "$command overwrites $file"
        grep -qF "\"$file\" is a book" complained || fail "$command $file: $(cat complained)"
        cmp $file before.copy || fail "$command changed $file"
    done
done
rm -f link.db also.bin before.copy
if [[ ! -d $build/wine ]]; then
    echo before >old.tsv
    ln -s old.tsv link.tsv
    on importedsmall.pgn export --tsv link.tsv
    [[ -L link.tsv && $(wc -l <old.tsv) -gt 1 && ! -e old.tsv.new ]] || fail "a file behind a link is not replaced"
fi
on a.db export --tsv missing/a.tsv >said && fail "export writes into a missing folder"
grep -qF '"missing/a.tsv" cannot be written' said || fail "no such folder: $(cat said)"

# Merging in any order gives the book that learned all games itself.
cp a.db ab.db && on ab.db merge b.db >/dev/null
cp b.db ba.db && on ba.db merge a.db >/dev/null
same "order of merges" ab.db ba.db
same "merged and learned" ab.db all.db
on ab.db merge b.db a.db >/dev/null
same "merge twice" ab.db ba.db
on all.db merge all.db >said && fail "a book was merged into itself"
on all.db merge nothing.db >said && fail "nothing was merged"

# Unlearn, relearn, undo and rebuild give the book that they should.
cp all.db without.db
on a.db snapshot copy.db
same "snapshot" a.db copy.db
on ba.db undo >said
on b.db stats | grep -E '^(own games|won|drawn|lost)' >first
on ba.db stats | grep -E '^(own games|won|drawn|lost)' >second
diff first second >/dev/null || fail "merge undone: $(cat second)"
on ba.db verify >/dev/null
on without.db unlearn --epoch last >/dev/null
on without.db lines >said && fail "lines after all was unlearned"
on without.db relearn --all >/dev/null
same "unlearned and relearned" without.db all.db
on without.db unlearn --opponent Anna >/dev/null
on without.db undo >said
grep -qF 'taken back: unlearned' said || fail "undo: $(cat said)"
same "unlearning undone" without.db all.db
on without.db rebuild
same "rebuilt" without.db all.db

# Games that wait are told of and left alone, also those of a newer version.
cp all.db waiting.db
printf '\ngame9\tlater\tx\n\n%s\n' "game1	old	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1	1804 2356 1350 2745 2117 	0	2	0	Anna	x	1	1800	1900	1	1700000000	Nutcracker	4	20	12	White mates\twell	a | b\nc\n	18352168130871794803" >waiting.db.spool
cp waiting.db.spool before
told='2 games wait to be merged into the book when the engine next learns a game, 1 of them written by a newer version'
for command in stats verify lines "report --out page.html"; do
    # shellcheck disable=SC2086
    on all.db $command >said
    grep -q 'wait' said && fail "$command tells of waiting games: $(cat said)"
    # shellcheck disable=SC2086
    on waiting.db $command >said
    grep -qxF "$told" said || fail "$command does not tell of waiting games: $(cat said)"
done
grep -qF "\"waiting\":\"$told\"" page.html || fail "the report does not tell of waiting games"
# So do commands that change the book; and what reads the file alone tells what it leaves out.
cp waiting.db changed.db
cp waiting.db.spool changed.db.spool
for command in "unlearn --game 1" "relearn --game 1" undo "merge b.db" "export --pgn -"; do
    # shellcheck disable=SC2086
    on changed.db $command >said || fail "$command: $(cat said)"
    grep -qxF "$told" said || fail "$command does not tell of waiting games: $(cat said)"
done
on waiting.db snapshot waiting.copy >said
grep -qxF "$told; not copied" said || fail "snapshot does not tell of waiting games: $(cat said)"
on waiting.copy merge waiting.db >said
grep -qxF "waiting.db: $told; not merged" said || fail "merge does not tell of waiting games: $(cat said)"
cmp -s waiting.db.spool before || fail "the waiting games were touched"

# A day that is not known is not 1970.
make_book undated.db undated
for command in lines "why last 1" "show --json" stats opponents "export --pgn -" "report --out -"; do
    # shellcheck disable=SC2086
    on undated.db $command >said || true
    grep -qE '1970.01' said && fail "$command prints $(grep -m 1 -E '1970.01' said)"
done
on undated.db export --pgn - >said
grep -qF '[Date "????.??.??"]' said || fail "no unknown date in $(head -n 5 said)"
# The log and its export tell how games ended; elsewhere the export counts each game once.
make_book endings.db endings
[[ $(on endings.db games 2>/dev/null | wc -l) == 21 ]] || fail "games: $(on endings.db games)" # one line to go on
on endings.db log --number 0 >said
[[ $(wc -l <said) == 44 ]] || fail "log: $(cat said)"
for line in $'44\t?\tWhite\tNobody\t\t*\tunterminated\t40/300\tClub "A" match\t8\tpending' \
    $'42\t2023-11-16\tWhite\tAnna\t\t1-0\tabandoned\t40/300' $'\ttime forfeit\t300+2' $'\trules infraction\t300+2'; do
    grep -qF -- "$line" said || fail "log: no \"$line\" in: $(cat said)"
done
on endings.db log --json >said
grep -qF '"ending":"time forfeit","reason":"Time {over} runs out","timeControl":"300+2"' said || fail "log --json: $(cat said)"
on endings.db why 41 5 >said
grep -qF 'time forfeit (Time {over} runs out), 300+2, Club "A" match' said || fail "why: $(cat said)"
on endings.db export --pgn - | tr '\n' ' ' >words
for text in '[Event "Club \"A\" match"]' '[TimeControl "300+2"]' '[TimeControl "40/300"]' '[Termination "normal"]' \
    '[Termination "time forfeit"]' '[Termination "abandoned"]' '[Termination "rules infraction"]' \
    '[Termination "unterminated"]' '[Date "????.??.??"]' '{Time (over) runs out} '; do
    grep -qF -- "$text" words || fail "export --pgn: no $text"
done
says '"timeControl":"300+2","event":"Club' show --json
on all.db export --pgn own.pgn
on once.db import own.pgn >said
grep -qxF $'imported\t40' said || fail "exported games were not imported"
sed '/^\[TimeControl\|^\[Termination/d; s/^\[Event .*/[Event "?"]/' own.pgn >older.pgn
for file in own.pgn older.pgn; do
    on once.db import --again $file >said
    grep -qxF $'known already\t40' said || fail "exported games counted twice"
done

# Who has only a game that was noted is no opponent, and an unknown day is no day in 1970.
on endings.db opponents | grep -F Nobody && fail "an opponent without games"
on endings.db stats >said
grep -qxF $'opponents\t4' said || fail "stats: $(cat said)"
for command in opponents stats log "log --json" "show --json" "why last 1" lines "export --pgn -" "edit --history" "report --out -"; do
    # shellcheck disable=SC2086
    on endings.db $command >said || true
    grep -q '1970[-.]01' said && fail "$command: $(grep '1970[-.]01' said)"
done

# Marks, and their undo.
on all.db edit "1. e4 e5" Nf3=prefer 2.f4=never
says prefer show "1. e4 e5"
says 'f4' show "e4 e5"
says 'marked f4 as never' edit --history
says 'taken back: marked f4' undo
on all.db show "e4 e5" | grep -q never && fail "the mark is still there"
printf 'e4\ne5\nf4 avoid\nback\nback\nnonsense\nquit\n' | on all.db edit >said && fail "nonsense passed"
grep -qF 'is not a move after the start, nor a command' said || fail "edit: $(cat said)"
says avoid show "e4 e5"
says '"mark":"avoid"' show --json "e4 e5"
says '"opening":{"eco":"C20"' show --json "e4 e5"
says 'is not a move after the start' edit e9=never
says '"2.f4" is not the next move after the start' edit 1.e4=avoid 2.f4=avoid
says 'as one word: f4=never' edit f4 never
on all.db show | grep -q avoid && fail "a mark of a line that was refused"
says '"good" is not a mark: always, prefer, avoid, never or none' edit "e4 e5" Nf3=good
says '"" is not a mark' edit "e4 e5" Nf3=

# Further books, ours and PolyGlot's, are read but not changed.
on all.db export --bin further.bin >/dev/null
for further in importedsmall.pgn further.bin; do
    before=$(cksum $further)
    on one.db --also $further show e4 >said
    grep -q '^e5 ' said || fail "--also $further: $(cat said)"
    [[ $(cksum $further) == "$before" ]] || fail "--also changed $further"
done
on one.db show e4 | grep -q '^e5 ' && fail "--also changed the book"

# Own games of a further book of ours count, each once.
json_of() { on one.db "$@" show --json | grep -o '"own":{"games":[0-9]*' | sort; }
on one.db --also all.db show --json >said || fail "--also all.db: $(cat said)"
[[ $(json_of --also all.db) != "$(json_of)" ]] || fail "own games of a further book do not count"
[[ $(json_of --also all.db) == "$(json_of --also all.db --also all.db)" ]] || fail "own games of a further book count twice"
[[ $(json_of --also one.db) == "$(json_of)" ]] || fail "own games count twice"
on one.db --also absent.bin show >said && fail "--also passed a file that is not there"

# What a person commands is done also where engines do not learn.
on all.db learn off
on all.db improve --positions 1 --search-nodes 100 >said || fail "improve while learning is off: $(cat said)"
grep -qF '1 positions' said || fail "nothing was searched: $(cat said)"
on all.db learn on
# While an overlay learns, stats tells what that knows, and no news of the book below it.
cp all.db below.db
on below.db news >/dev/null
on below.db learn readonly
make_book below.db learn beside 3 1 >/dev/null
on below.db stats >said
grep -qxF $'own games\t43' said || fail "the games of the overlay do not count: $(cat said)"
grep -q '^news' said && fail "stats tells the news of another file: $(cat said)"
on below.db snapshot below.copy >said
grep -q '^3 games were learned beside the book, in ".*below.db.side"; not copied$' said || fail "snapshot of a read-only book: $(cat said)"
on below.copy merge below.db >said
grep -q '^below.db: 3 games were learned beside the book, in ".*below.db.side"; not merged$' said || fail "merge of a read-only book: $(cat said)"
# undo takes in what was learned there, as soon as the book may be written.
on below.db undo >said && fail "undo while new games are beside a read-only book: $(cat said)"
grep -qF 'the book is read-only' said || fail "no reason: $(cat said)"
on below.db learn on
on below.db undo >said || fail "undo after learn on: $(cat said)"
grep -qxF 'merged 3 games learned outside the book' said || fail "the games beside the book: $(cat said)"
grep -q '^taken back: ' said || fail "undo: $(cat said)"
[[ ! -e below.db.side ]] || fail "the merged file is still there"
# So do other commands where the book has learned more since: no game that they remove comes back.
counted() { on "$1" stats | grep -a '^own games' | cut -f2; }
on all.db export --pgn - | LC_ALL=C sed 's/"Nutcracker[^"]*"/"Me"/' | grep -av '^\[Nutcracker' >mine.pgn
for command in "forget mine.pgn" "unlearn --all"; do
    rm -f older.db*
    on older.db import --as Me mine.pgn >said || fail "import --as: $(cat said)"
    on older.db learn readonly
    make_book older.db learn beside 1 1 >/dev/null
    mv older.db.side later
    on older.db learn on
    make_book older.db learn owner 1 1 >/dev/null
    mv later older.db.side
    # shellcheck disable=SC2086
    on older.db $command >said || fail "$command beside an older overlay: $(cat said)"
    before=$(counted older.db)
    make_book older.db learn last 1 1 >/dev/null
    (($(counted older.db) == before + 1)) || fail "$command: $before games, then $(counted older.db)"
    [[ ! -e older.db.side ]] || fail "$command leaves an older overlay"
done
# They are refused if it cannot be merged first.
echo nothing >older.db.side
before=$(counted older.db)
on older.db undo >said && fail "undo beside an overlay that is no book"
grep -q 'games learned beside the book are still in "' said || fail "no reason: $(cat said)"
[[ $(counted older.db) == "$before" ]] || fail "undo took back what it refused to"
says on learn
on all.db learn readonly
says readonly learn
says 'expected score with White, at equal strength: ' prepare anna
says 'no opponent "Nobody"' prepare Nobody
says '(our side scored' prepare alert
says 'game 40 of 2023' why last 5
