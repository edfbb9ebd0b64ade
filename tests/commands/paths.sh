#!/bin/bash
# Files in a folder with blanks, letters beyond ASCII and a path longer than 260 characters.
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
