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

# Other options or inputs than at the beginning: refused, and the file stays as it was.
# differs FILE WORD OPTIONS...
differs() {
    cp "$1" before
    makes "$1" 30 "${@:3}" && fail "$1 is continued although it $2"
    [ "$(wc -l <said)" = 1 ] || fail "said: $(cat said)"
    grep -qF -- "$2" said || fail "said: $(cat said)"
    cmp "$1" before || fail "$1 was changed"
}
makes played 6
cp played whole
makes played 6 || fail "a complete file: $(cat said)"
makes played 7 || fail "not continued: $(cat said)"
differs played "was begun with --random-plies 8" --random-plies 10
differs played "was begun with another network" --eval-file -
nutcracker-datagen -o others --games 6 --seed 8 --nodes 40 2>said
makes scores 3 --rescore whole
differs scores "game 1 is not that of the files to rescore" --rescore others
differs scores "game 1 is not that of the files to rescore" --rescore others whole
differs scores "was begun with another network" --rescore whole --eval-file -
makes scores 0 --rescore played || fail "the games to rescore became more: $(cat said)"
[ "$(stat -c %s scores)" = "$(stat -c %s played)" ] || fail "not all games are rescored"
differs scores "game 7 is not that of the files to rescore" --rescore whole
differs scores "scores is read, and cannot be written" --rescore played scores
makes kids 8 --label-children whole
makes kids 9 --label-children played || fail "parents became more: $(cat said)"
differs kids "was begun with other files of parents" --label-children others
differs kids "was begun with other files of parents" --label-children whole others
differs kids "was begun with --label-every 1" --label-children whole --label-every 2
# A header of an older program, without these options.
printf '\3' | dd of=scores bs=1 seek=63 conv=notrunc status=none
differs scores "game 1 is not that of the files to rescore" --rescore others
printf '\1' | dd of=whole bs=1 seek=63 conv=notrunc status=none
makes whole 8 --random-plies 10 || fail "an older file is not continued: $(cat said)"
grep -qF "was begun by an older program" said || fail "said: $(cat said)"

# One program at a time writes a file.
makes busy 1 || fail "$(cat said)"
exec 9<busy
flock 9  # as datagen does
makes busy 2 && fail "two programs write one file"
exec 9<&-
grep -qF "busy is in use by another program" said || fail "said: $(cat said)"

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
