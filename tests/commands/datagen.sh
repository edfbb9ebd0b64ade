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
makes sparse 20 --label-every 5 --label-children one
cmp -s sparse children && fail "--label-every does nothing"
makes none 20 --label-every 0 --label-children one && fail "children of every 0th position"
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
grep -qF -- "only one of --rescore, --label-children" said || fail "said: $(cat said)"

# Packed files: exact, read like others, never written over or continued, never half a file.
makes one.games 6
nutcracker-datagen --pack one.games -o packed >said || fail "not packed"
grep -q "^6 games, .* a ply$" said || fail "said: $(cat said)"
nutcracker-datagen --unpack packed -o unpacked >said || fail "not unpacked"
cmp one.games unpacked || fail "another file after unpacking"
makes fresh 0 --rescore one.games
makes from_packed 0 --rescore packed
cmp fresh from_packed || fail "a packed file is rescored differently"
for options in "--pack one.games" "--unpack packed"; do
    # shellcheck disable=SC2086
    nutcracker-datagen $options -o unpacked 2>said && fail "$options writes over a file"
    grep -qF "unpacked exists" said || fail "said: $(cat said)"
done
cmp one.games unpacked || fail "a file was changed"
makes packed 20 && fail "a packed file is continued"
grep -qF "are packed" said || fail "said: $(cat said)"
head -c -9 packed >part
nutcracker-datagen --unpack part -o broken 2>said && fail "a cut file is unpacked"
grep -qF "part: damaged or cut off after 0 of 6 games" said || fail "said: $(cat said)"
[ "$(echo broken*)" = "broken*" ] || fail "half a file: $(echo broken*)"
nutcracker-datagen --unpack part -o broken --skip-damaged >said 2>&1 && fail "lost games are no error"
grep -qF "6 games are lost" said || fail "said: $(cat said)"
cmp -n 64 broken one.games || fail "another header"
head -c -9 one.games >part
nutcracker-datagen --pack part -o again_packed 2>said && fail "a cut file is packed"
grep -qF "cut off" said || fail "said: $(cat said)"
[ "$(echo again_packed*)" = "again_packed*" ] || fail "half a file: $(echo again_packed*)"
