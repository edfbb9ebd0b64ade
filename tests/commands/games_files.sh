#!/bin/bash
# Files of games that are broken, as a user meets them: what is said, the exit code, and what is imported all the same.
# Usage: games_files.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"

# said CODE TEXT ARGUMENT...: nutcracker-book ends with this code and says this on standard error.
said() {
    local code=0
    nutcracker-book --book own.db --base "" "${@:3}" >printed 2>complained || code=$?
    [[ $code == "$1" ]] || fail "${*:3}: exit code $code, not $1: $(cat printed complained)"
    grep -qF -- "$2" complained || fail "${*:3}: \"$2\" is not said: $(cat complained)"
}

# The end of a packed file is missing.
for kind in gz bz2 zst; do
    head -c -6 "$data/small.pgn.$kind" >cut.pgn.$kind
    said 1 "cut.pgn.$kind: the compressed file ends too early" check cut.pgn.$kind
    said 1 "cut.pgn.$kind: the compressed file ends too early" import --quiet cut.pgn.$kind
    said 1 "standard input: the compressed file ends too early" check - <cut.pgn.$kind
    said 1 "standard input: the compressed file ends too early" import --quiet - <cut.pgn.$kind
    rm -f own.db*
done

# The end of a plain file is missing: its last game is left out, and read when the file is whole.
head -c -6 "$data/small.pgn" >cut.pgn
said 1 "cut.pgn: the file is cut off: no result follows its last moves" check cut.pgn
said 1 "cut.pgn: the file is cut off: no result follows its last moves" import --quiet cut.pgn
grep -q '^imported	3$' printed || fail "a cut plain file: $(cat printed)"
cp "$data/small.pgn" cut.pgn
said 0 "imported before up to this line" import cut.pgn
grep -q '^imported	1$' printed || fail "the rest of a plain file: $(cat printed)"
rm -f own.db*

reason="Input/output error"
[[ ! -d $build/wine ]] || reason="Invalid argument"
# A file that cannot be read does not keep the others from being imported.
said 1 "/proc/self/mem: reading failed: $reason" check /proc/self/mem "$data/small.pgn"
grep -q '^games	4$' printed || fail "check after a read error: $(cat printed)"
said 1 "/proc/self/mem: reading failed: $reason" import /proc/self/mem missing.pgn "$data/small.pgn"
grep -q '^imported	4$' printed || fail "import after a read error: $(cat printed)"
grep -qF '"missing.pgn" cannot be read' complained || fail "a missing file: $(cat complained)"
rm -f own.db*

# Padding is ignored, with a warning; other bytes are reported as lost.
{ cat "$data/small.pgn.gz"; head -c 500 /dev/zero; } >padded.pgn.gz
said 0 "zero bytes after the compressed games were ignored" import padded.pgn.gz
grep -q '^imported	4$' printed || fail "padding: $(cat printed)"
rm -f own.db*
{ cat "$data/small.pgn.zst"; echo 'and more'; } >trailing.pgn.zst
said 1 "other bytes after the compressed games were not read" import trailing.pgn.zst
grep -q '^imported	4$' printed || fail "bytes after the games: $(cat printed)"
rm -f own.db*

# Comments that are never closed hide no game.
{ cat "$data/small.pgn"; printf '\n{ open\n\n'; sed 's/2001/2011/' "$data/small.pgn"; } >open.pgn
said 0 'unclosed comments outside games: 1' check open.pgn
grep -q '^games	8$' printed || fail "games after an open comment: $(cat printed)"
printf '\n{ open\n\n1. e4 e5 1-0\n' >>open.pgn
said 1 'unclosed comments outside games: 2' check open.pgn
