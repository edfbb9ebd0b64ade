#!/bin/bash
# Files of games are the same however they came about. Usage: datagen.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
# makes FILE GAMES OPTIONS...: `said` is what was complained of
makes() { nutcracker-datagen -o "$1" --games "$2" --seed 7 --nodes 40 "${@:3}" 2>said; }

makes one 6
makes two 6 --threads 2
cmp one two || fail "two threads play other games"
head -c -10 one >part
makes part 6 --threads 2
cmp one part || fail "a run that goes on plays other games"

makes new 0 --revalue one
makes again 0 --revalue one --threads 2
cmp new again || fail "two threads value otherwise"
cmp -s one new && fail "no new values"
[ "$(stat -c %s new)" = "$(stat -c %s one)" ] || fail "valued anew are not the same games"
head -c -10 new >part
makes part 0 --revalue one
cmp new part || fail "a run that goes on values otherwise"

makes children 20 --children-of one
# refuses FILE WORD OPTIONS...: what a file was begun with cannot be gone on with otherwise
refuses() {
    cp "$1" before
    makes "$1" 20 "${@:3}" && fail "two kinds of work in one file"
    grep -qF -- "was begun $2" said || fail "said: $(cat said)"
    cmp "$1" before || fail "$1 was changed"
}
refuses children "with --children-of" --revalue one
refuses children "with --children-of"
refuses new "with --revalue"
refuses new "with --revalue" --children-of one
refuses one "by playing" --revalue new
refuses one "by playing" --children-of new
printf '\0' | dd of=one bs=1 seek=63 conv=notrunc status=none
refuses one "by an older program"
makes both 20 --revalue one --children-of one && fail "two kinds of work at once"
grep -qF -- "either --children-of or --revalue" said || fail "said: $(cat said)"
