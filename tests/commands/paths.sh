#!/bin/bash
# Files in a folder with blanks, letters beyond ASCII and a path longer than 260 characters; books behind
# symbolic links, and names that are no regular files.
# Usage: paths.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
export LC_ALL=C.UTF-8
deep="$folder/Schöne Spiele für Ōkami"
for _ in {1..6}; do deep+="/one of several long names of folders within others"; done
[[ ${#deep} -gt 300 ]] || fail "a short path: $deep"
mkdir -p "$deep"
own=$deep/Büch.db
cp "$data/small.pgn" "$deep/Groß & klein.pgn"
on() { nutcracker-book --book "$own" --base "" "$@" 2>&1; }

on import "$deep/Groß & klein.pgn" >said || fail "import: $(cat said)"
grep -q '^imported	4$' said || fail "import: $(cat said)"
on export --pgn "$deep/Züge.pgn" >said || fail "export: $(cat said)"
on export --bin "$deep/Züge.bin" --counts --min-score 0 >said || fail "export to .bin: $(cat said)"
on snapshot "$deep/Cöpy.db" >said || fail "snapshot: $(cat said)"
on report --out "$deep/Repört.html" >said || fail "report: $(cat said)"
on verify >said || fail "verify: $(cat said)"
for file in Züge.bin Cöpy.db Repört.html; do
    [[ -s $deep/$file ]] || fail "$file was not written"
done

# Engines with such files play a match and learn it.
cp "$tests/../data/nutcracker.net" "$deep/Nëtz.net"
engine=$build/protocol/nutcracker
nutcracker-match --engine "cmd='$engine' --book '$deep/first.db' --log '$deep/Lög.txt'" name=first \
    "option.EvalFile=$deep/Nëtz.net" --engine "cmd='$engine' --book '$own'" name=second --each tc=inf depth=4 memory=8 \
    --games 2 --pgn "$deep/Mätch.pgn" >said 2>&1 || fail "match: $(cat said)"
[[ $(grep -c '^\[Result ' "$deep/Mätch.pgn") == 2 ]] || fail "not every game of the match is there"
grep -q '> option EvalFile=' "$deep/Lög.txt" || fail "no option in the log"
grep 'telluser EvalFile:' "$deep/Lög.txt" && fail "the network was not read"
on stats >said || fail "stats: $(cat said)"
grep -q '^own games	2$' said || fail "the match was not learned: $(cat said)"

[[ ! -d $build/wine ]] || exit 0  # Windows has other links and pipes
in_book() { nutcracker-book --base "" --book "$@" 2>said; }
refused() { # WORDS COMMAND...: exit status 1 or 2 within ten seconds, and a message with the words
    local words=$1 status=0
    shift
    timeout 10 "$@" >said 2>&1 || status=$?
    [[ $status == 1 || $status == 2 ]] || fail "status $status of $*: $(cat said)"
    grep -qF -- "$words" said || fail "$*: $(cat said)"
}

# Through a link the same book is used, with the files that lie beside it.
mkdir real
ln -s real/book.db link.db
ln -s link.db again.db
in_book again.db import --quiet "$data/small.pgn" >shown || fail "import: $(cat said)"
[[ -s real/book.db && -L link.db && -L again.db ]] || fail "files: $(ls)"
ln -s real/two.db two.db
(cat "$data/small.pgn"; sleep 1) | in_book real/two.db import --quiet --duplicates game - >shown &
(cat "$data/small.pgn"; sleep 1) | in_book two.db import --quiet --duplicates game - >shown2 &
wait
in_book two.db stats | grep -q '^imported games	4$' || fail "games were counted twice: $(in_book two.db stats)"
head -c 4096 /dev/zero | dd of=real/book.db bs=4096 conv=notrunc status=none
in_book link.db recover >shown || true
[[ -L link.db && -s real/book.db && -e real/book.db.damaged ]] || fail "recover: $(ls . real)"
in_book real/book.db stats | grep -q '^imported games	4$' || fail "recovered: $(in_book real/book.db stats)"

# So does the default book.
mkdir -p home/nutcracker
ln -s "$folder/real/two.db" home/nutcracker/book.db
head -c 4096 /dev/zero | dd of=real/two.db bs=4096 conv=notrunc status=none
XDG_DATA_HOME=$folder/home nutcracker-book --base "" recover >shown 2>said || true
[[ -L home/nutcracker/book.db && -e real/two.db.damaged ]] || fail "recover: $(ls real home/nutcracker)"

# A name is no URI.
in_book file:x.db import --quiet "$data/small.pgn" >shown || fail "file: $(cat said)"
[[ -s file:x.db && ! -e x.db ]] || fail "files: $(ls)"

# What is written follows links, and replaces no pipe.
ln -s real/out.bin out.bin
mkfifo pipe
in_book real/book.db export --bin out.bin --counts --min-score 0 || fail "export: $(cat said)"
[[ -L out.bin && -s real/out.bin ]] || fail "export replaced the link"
refused "name a file" nutcracker-book --base "" --book real/book.db export --bin pipe --counts --min-score 0
refused "name a file" nutcracker-book make-base --text "$tests/../data/base-book.txt" --out pipe
[[ -p pipe ]] || fail "the pipe is gone"
# Nor does it replace what belongs to a book.
: >real/book.db.spool
refused "belongs to one" nutcracker-book --base "" --book real/book.db export --pgn real/book.db.spool

# A pipe or a folder is no book and no network, and nobody waits for it.
for command in stats "import --as Me $data/small.pgn" verify games; do
    # shellcheck disable=SC2086
    refused "not a book" nutcracker-book --base "" --book pipe $command
done
refused "cannot be read" nutcracker-book --book pipe recover
refused "not a book" nutcracker-book --base "" --book real stats
printf 'protover 2\noption BookFiles=pipe.bin\noption EvalFile=pipe\noption BookFile=pipe\nping 1\nquit\n' >orders
mkfifo pipe.bin
timeout 20 nutcracker --book own.db <orders >shown || fail "the engine: $(cat shown)"
[[ $(grep -c '^telluser' shown) == 3 ]] || fail "not three messages: $(cat shown)"

# An empty file becomes a book, whichever command comes first.
: >empty.db
in_book empty.db import --as White "$data/small.pgn" >shown || grep -q 'no game' said || fail "empty: $(cat said)"

# Output that cannot be written is no success; input that is closed is the end.
for command in "nutcracker-perft 1" "nutcracker-bench 1" "nutcracker-book export --help" "nutcracker bench 1" "nutcracker --help"; do
    refused "cannot be written" sh -c "$command >/dev/full"
done
timeout 10 nutcracker --no-book <&- >shown || fail "without input: $?"
