#!/bin/bash
# The report of a small book: its parts, that text from games is escaped, and, if Chromium is
# installed, the page after its scripts have run. Usage: report.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
# has FILE TEXT, lacks FILE TEXT: fail if the text is not, or is, in the file
has() { grep -qF -- "$2" "$1" || fail "\"$2\" is not in $(basename "$1")"; }
lacks() { ! grep -qF -- "$2" "$1" || fail "\"$2\" is in $(basename "$1")"; }

make_book "$folder/book.db"
page=$folder/report.html
nutcracker-book --book "$folder/book.db" --base "" report --out "$page" 2>/dev/null
has "$page" '<!DOCTYPE html>'
has "$page" '</html>'
lacks "$page" '@DATA@'
lacks "$page" '<script>alert'
lacks "$page" 'src='
lacks "$page" '<link'
outside=$(grep -oE "(https?:)?//[a-z]+[.][^\"' ]*" "$page" | grep -vx 'http://www.w3.org/2000/svg' || true)
[[ -z $outside ]] || fail "the page asks the network for $outside"
(($(stat -c %s "$page") < 200000)) || fail "a small book makes a page of $(stat -c %s "$page") bytes"

# Results and expected scores are those of the games that count, not of all.
make_book "$folder/endings.db" endings
nutcracker-book --book "$folder/endings.db" --base "" report --out "$folder/endings.html" 2>/dev/null
has "$folder/endings.html" '["Anna",2320,[4,3,5],0.492,'

nutcracker-book --book "$folder/none.db" --base "" report --out "$folder/empty.html" 2>/dev/null
has "$folder/empty.html" '</html>'

browser=$(command -v chromium || command -v chromium-browser || true)
if [[ -z $browser ]]; then
    echo "no chromium: the scripts of the page were not tested"
    exit 0
fi
# look FILE HASH [OPTION...]: prints the page after its scripts have run
look() {
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "${@:3}" \
        --user-data-dir="$folder/profile" --virtual-time-budget=3000 --dump-dom "file://$1#$2" 2>/dev/null
}
look "$page" "" >"$folder/start.html"
has "$folder/start.html" '<tr class="go on" data-uci="d2d4"'
has "$folder/start.html" 'data-piece="K"'
has "$folder/start.html" '<polyline'
has "$folder/start.html" 'Sicilian Defence'
has "$folder/start.html" 'Müller'
has "$folder/start.html" '>Played</th>'
grep -qE 'data-uci="d2d4"><td class="san">d4</td><td class="n">[1-9][0-9]* %</td>' "$folder/start.html" || fail "no probability of 1.d4"
(($(grep -oE '<td( class="(good|bad)")?>(1-0|0-1|1/2-1/2)</td>' "$folder/start.html" | wc -l) == 5)) || fail "not the 5 latest games"
has "$folder/start.html" '&lt;script&gt;alert 1&lt;/script&gt;'
lacks "$folder/start.html" '<script>alert'
(($(grep -o 'data-piece=' "$folder/start.html" | wc -l) == 32)) || fail "not 32 pieces"

# The page is no wider than the window. Frames stand for windows, which have a least width.
for file in "$page" "$folder/empty.html"; do
    for width in 360 600 760; do
        cat >"$folder/frame.html" <<END
<iframe id="f" src="file://$file" style="border: 0; width: ${width}px; height: 900px"></iframe>
<script>
document.getElementById("f").onload = event => {
  const root = event.target.contentDocument.documentElement;
  document.title = root.scrollWidth <= root.clientWidth ? "fits" : root.scrollWidth + " pixels wide";
};
</script>
END
        look "$folder/frame.html" "" --allow-file-access-from-files >"$folder/framed.html"
        title=$(grep -oE '<title>.*</title>' "$folder/framed.html" || true)
        [[ $title == "<title>fits</title>" ]] || fail "$(basename "$file") in $width pixels: ${title:-not measured}"
    done
done

# The same after a click on the first move, and one on the first reply.
sed 's|^fromHash();$|fromHash(); for (let i = 0; i < 2; ++i) document.querySelector("tr[data-uci]").click();|' \
    "$page" >"$folder/click.html"
look "$folder/click.html" "" >"$folder/clicked.html"
has "$folder/clicked.html" '>1.d4</a>'
has "$folder/clicked.html" 'data-uci="c2c4"'
lacks "$folder/clicked.html" 'data-uci="d2d4"'

# Moves in the address, with castling; and the page of an empty book.
look "$page" "e2e4-e7e5-g1f3-b8c6-f1b5-g8f6-e1g1" >"$folder/castled.html"
has "$folder/castled.html" '>4.O-O</a>'
has "$folder/castled.html" '<g transform="translate(270 315)" data-piece="K">'
has "$folder/castled.html" '<g transform="translate(225 315)" data-piece="R">'
look "$folder/empty.html" "" >"$folder/nothing.html"
has "$folder/nothing.html" 'The book ends here.'

# A game that comes to a position by other moves, which nobody else has played, is listed there.
cat >"$folder/others.pgn" <<'END'
[White "Somebody"]
[Black "Else"]
[Result "1-0"]

1. d4 g6 2. e4 Bg7 3. Nf3 d6 4. Be2 1-0
END
sed 's/Somebody/Me/; s/Else/Straight/' "$folder/others.pgn" >"$folder/own.pgn"
sed 's/Somebody/Me/; s/Else/Roundabout/; s/^1[.].*/1. e4 d6 2. d4 g6 3. Nf3 Bg7 4. Be2 1-0/' "$folder/others.pgn" >>"$folder/own.pgn"
book() { nutcracker-book --book "$folder/transposed.db" --base "" "$@" 2>/dev/null; }
book import --quiet "$folder/others.pgn"
book import --quiet --as Me "$folder/own.pgn"
book report --out "$folder/transposed.html"
look "$folder/transposed.html" "d2d4-g7g6-e2e4-f8g7-g1f3-d7d6" >"$folder/transposed.txt"
has "$folder/transposed.txt" '<td>Straight</td>'
has "$folder/transposed.txt" '<td>Roundabout</td>'
