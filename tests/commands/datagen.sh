#!/bin/bash
# A file of games does not depend on the number of threads, nor on interruptions. Usage: datagen.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
# makes FILE GAMES OPTIONS...: error messages go to the file `said`
makes() { nutcracker-datagen -o "$1" --games "$2" --seed 7 --nodes 40 "${@:3}" 2>said; }

makes one 6
makes two 6 --threads 2
cmp one two || fail "two threads play other games"
head -c -10 one >part
makes part 6 --threads 2
cmp one part || fail "a continued run plays other games"

makes new 0 --rescore one
makes again 0 --rescore one --threads 2
cmp new again || fail "two threads rescore differently"
cmp -s one new && fail "no new scores"
[ "$(stat -c %s new)" = "$(stat -c %s one)" ] || fail "a rescored file has other games"
head -c -10 new >part
makes part 0 --rescore one
cmp new part || fail "a continued run rescores differently"

makes children 20 --label-children one
# refuses FILE WORD OPTIONS...: a file cannot be continued in another mode
refuses() {
    cp "$1" before
    makes "$1" 20 "${@:3}" && fail "two generation modes in one file"
    grep -qF -- "was begun $2" said || fail "said: $(cat said)"
    cmp "$1" before || fail "$1 was changed"
}
refuses children "with --label-children" --rescore one
refuses children "with --label-children"
refuses new "with --rescore"
refuses new "with --rescore" --label-children one
refuses one "by self-play" --rescore new
refuses one "by self-play" --label-children new
printf '\0' | dd of=one bs=1 seek=63 conv=notrunc status=none
refuses one "by an older program"
makes both 20 --rescore one --label-children one && fail "two generation modes at once"
grep -qF -- "either --rescore or --label-children" said || fail "said: $(cat said)"
