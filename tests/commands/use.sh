#!/bin/bash
# Bad use of nutcracker-book: one line says what is wrong, and no book is made or changed. Bad use of
# nutcracker-perft and of the scripts in tools/.
# Usage: use.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
# refused CODE TEXT WORD...: fails unless the program ends with the code, after one line with the text
refused() {
    local code=$1 text=$2 ended=0
    shift 2
    nutcracker-book --base "" "$@" >said 2>complained </dev/null || ended=$?
    ((ended == code)) || fail "$*: ended with $ended: $(cat complained)"
    grep -qF -- "$text" complained || fail "$*: no \"$text\" in: $(cat complained)"
    (($(wc -l <complained) == 1)) || fail "$*: more than a line: $(cat complained)"
}

# Help, bad use, and commands that need a book make none.
nutcracker-book --help >help
nutcracker-book --version | grep -q '^nutcracker-book [0-9]' || fail "--version"
for command in import check show why lines games news prepare report opponents stats verify rebuild unlearn relearn \
    edit undo learn merge improve snapshot recover export make-base; do
    nutcracker-book --book none.db --base "" $command --help >said || fail "$command --help"
    grep -q '^Usage: nutcracker-book '$command said || fail "$command --help: $(cat said)"
    grep -q "^  $command  *[a-z]" help || fail "--help does not list $command"
    refused 2 --nonsense --book none.db $command --nonsense
done
for command in undo rebuild "unlearn --all" "snapshot copy.db" verify opponents "edit --history" learn; do
    # shellcheck disable=SC2086
    refused 1 'there is no book' --book none.db $command
done
for words in "undo twice" "stats now" "recover a b c" "learn a lot"; do
    # shellcheck disable=SC2086
    refused 2 'unexpected argument: ' --book none.db $words
done
for command in snapshot why merge; do
    refused 2 'an argument is missing: ' --book none.db $command
done
refused 2 'is not a move' --book none.db edit Zz9=never
refused 2 'on, off or readonly' --book none.db learn perhaps
refused 2 'the name of the opponent' --book none.db unlearn --opponent ""
refused 2 'the name of the opponent' --book none.db unlearn --server here
refused 2 'is not a date' --book none.db unlearn --since tomorrow
refused 2 'is neither the number of a run' --book none.db unlearn --epoch first
refused 2 'cannot be -5' --book none.db improve --nodes -5
refused 2 'cannot be standard output' --book none.db export --bin -
refused 2 '--positions' --book none.db report --positions 0
refused 2 '--min-games' --book none.db lines --min-games 0
refused 2 '--min-ply' --book none.db import --min-ply 30 --max-ply 20 games.pgn
refused 2 '--from is after' --book none.db import --from 1995 --to 1990 games.pgn
refused 2 '--results' --book none.db import --results 2-0 games.pgn
refused 2 '--duplicates' --book none.db import --duplicates some games.pgn
refused 2 'a PolyGlot book has no games: --min-elo does not apply to x.bin' --book none.db import --min-elo 2000 x.bin
refused 2 'the filters --time, --player, --from do not apply to x.bin' --book none.db import --player A --from 1990 --time blitz x.bin
refused 2 'a PolyGlot book has no own games: --as does not apply to x.bin' --book none.db import --as A games.pgn x.bin
[[ ! -e none.db ]] || fail "a book was made"

make_book all.db
cp all.db before.db
refused 1 'cannot be written' --book all.db report --out "$folder"
refused 1 'cannot be opened' --book all.db --base nothing.db stats
refused 1 'is not a book' --book all.db --base "$data/small.pgn" stats
cmp all.db before.db || fail "wrong use changed the book"
nutcracker-book --book all.db --base "" stats >/dev/full 2>complained && fail "nobody read the output"
grep -qF 'cannot be written' complained || fail "a full disk: $(cat complained)"
echo 'no game' >nothing.pgn
nutcracker-book --book all.db --base "" import --quiet nothing.pgn >said 2>complained && fail "no games"
grep -qF 'the input has no games' complained || fail "no games: $(cat complained)"
# Messages that cannot be written do not stop an import.
nutcracker-book --book quiet.db --base "" import "$data/dirty.pgn" >said 2>/dev/full || true
grep -q '^imported	[1-9]' said || fail "import with a full standard error: $(cat said)"

# Windows has no nutcracker-perft in the path.
if command -v nutcracker-perft >said; then
    echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D3 8902' >suite.epd
    ended=0
    nutcracker-perft --suite suite.epd 2 >said 2>&1 || ended=$?
    [[ $ended == 2 ]] || fail "a suite of which nothing is counted: $ended, $(cat said)"
fi

# The scripts stand where there is no git checkout.
mkdir -p tools/lab
cp "$tests/../CMakeLists.txt" .
cp "$tests"/../tools/{lib.sh,package} tools
cp "$tests/../tools/lab/learning-match" tools/lab
tools/package --help | grep -q '^Usage: tools/package deb' || fail "tools/package --help outside a git checkout"
for words in "windows arm64" "source now" "deb amd64 arm64"; do
    ended=0
    # shellcheck disable=SC2086
    tools/package $words >said 2>&1 || ended=$?
    [[ $ended == 2 && $(wc -l <said) == 1 ]] || fail "tools/package $words: ended with $ended: $(cat said)"
done
# programs STATUS: makes programs for the learning match that note their words and end with the status
programs() {
    mkdir -p programs
    printf '#!/bin/sh\necho "$@" >>"%s/words"\nexit %s\n' "$folder" "$1" | tee programs/nutcracker-{book,learningmatch} >said
    chmod +x programs/*
}
# learning_match STATUS WORD...: plays a run with these programs in match/
learning_match() {
    local ended=0
    rm -f words
    tools/lab/learning-match --programs programs --folder match --runs 1 "${@:2}" >said 2>complained || ended=$?
    [[ $ended == "$1" ]] || fail "learning-match ${*:2}: ended with $ended: $(cat complained)"
}
programs 0
learning_match 2 --against-file none
echo '# nobody' >opponents
learning_match 2 --against-file opponents
[[ ! -e words ]] || fail "learning-match without an opponent has begun: $(cat words)"
mkdir -p match
touch match/clean.db # of a match against ourselves
learning_match 0 --against engine --kinds cold-control
grep -q -- '--start cold' words || fail "learning-match has played no run: $(cat words)"
! grep -q -- '--book' words || fail "learning-match without --pgn has begun with a book: $(cat words)"
programs 2
learning_match 1 --against engine --kinds cold-control
