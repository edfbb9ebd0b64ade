#!/bin/bash
# Curves become pictures. Usage: plot.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
plot=$tests/../tools/lab/plot
command -v gnuplot >/dev/null || exit 77 # skipped

# is_picture FILE: a complete SVG file without a number that is none
is_picture() {
    grep -q '<svg' "$1" || fail "$1 is no picture"
    [ "$(tail -n 1 "$1")" = '</svg>' ] || tail -n 2 "$1" | grep -q '</svg>' || fail "$1 has no end"
    ! grep -qiw nan "$1" || fail "$1 has a number that is none"
}

nutcracker-bookbench --worlds 0 --games 200 --rule greedy --curves curves.tsv >/dev/null
"$plot" curves.tsv curves.svg
is_picture curves.svg
[ "$(tr -cd '<' <curves.svg | wc -c)" -gt 100 ] || fail "the picture is empty"
grep -q greedy curves.svg || fail "a curve has no name"

nutcracker-pruning --depth 3 --curves nodes.tsv >nodes.txt
grep -Eq '^minimax +20 +420 +9322$' nodes.txt || fail "other counts of minimax"
"$plot" --log nodes.tsv nodes.svg
is_picture nodes.svg
grep -q quiescence nodes.svg || fail "a curve of nodes has no name"

printf '# a < b\n# x\npanel\tcurve\tx\ty\terror\n' >empty.tsv
"$plot" empty.tsv empty.svg
is_picture empty.svg
grep -q 'a &lt; b' empty.svg || fail "the title is not escaped"
