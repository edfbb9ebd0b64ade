#!/bin/bash
# Games that were played elsewhere: import --as, export --pgn and back, forget, filters, [%eval].
# Usage: own_games.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
own_games() { nutcracker-book --book "$1" --base "" export --pgn - | grep -ac "^.NutcrackerUid" || true; }
on() { nutcracker-book --book "$1" --base "" "${@:2}" 2>&1; }
# field NAME: the number that the last import printed
field() { grep "^$1	" said | cut -f2; }
# expect NAME NUMBER: of the last import
expect() { [[ $(field "$1") == "$2" ]] || fail "$1 is not $2: $(cat said)"; }

# What export writes comes back as it was: values, log, opponents.
make_book many.db many
on many.db unlearn --opponent Anna --since 2023-11-24 >/dev/null || true
on many.db rebuild >/dev/null  # sums are as of the last one
on many.db export --pgn many.pgn >/dev/null
on back.db import --as Nutcracker many.pgn >said
expect learned "$(own_games many.db)"
make_book many.db dump >first
make_book back.db dump >second
[[ $(wc -l <first) -gt 500 ]] || fail "a small dump: $(wc -l <first)"
diff first second >difference || fail "round trip: $(head -n 6 difference)"
on back.db verify >said || fail "verify: $(cat said)"
on back.db export --pgn again.pgn
cmp many.pgn again.pgn || fail "another export"
# A second time it adds nothing; undo takes all of it back.
on back.db import --as Nutcracker many.pgn >said
expect learned 0
on back.db undo >said
[[ -z $(make_book back.db dump) ]] || fail "undo: $(cat said)"
on back.db verify >said || fail "verify after undo: $(cat said)"

# The pages of a server: names, dates, ratings, endings, scores.
cat >server.pgn <<'PGN'
[Event "Rated Blitz game"]
[Site "https://lichess.org/AbCdEfGh"]
[Date "2024.05.01"]
[White "MyBot"]
[Black "Anna"]
[Result "1-0"]
[UTCDate "2024.05.01"]
[UTCTime "12:00:00"]
[WhiteElo "2100"]
[BlackElo "1900"]
[WhiteTitle "BOT"]
[TimeControl "180+2"]
[Termination "Time forfeit"]

1. e4 { [%eval 0.31] [%clk 0:03:00] } 1... e5 { [%eval 0.25] } 2. Nf3 { [%eval 0.2] } 2... Nc6 3. Bc4 { [%eval #3] } 3... Nd4 1-0

[Event "Rated bullet game"]
[Site "https://lichess.org/IjKlMnOp/black"]
[White "Boris, the second"]
[Black "mybot"]
[Result "1/2-1/2"]
[UTCDate "2024.05.02"]
[UTCTime "12:00:00"]
[WhiteElo "?"]
[BlackElo "2100"]
[TimeControl "60+0"]
[Termination "Normal"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2

[Event "FICS rated standard game"]
[Site "FICS freechess.org"]
[FICSGamesDBGameNo "123"]
[Date "2024.05.03"]
[Time "10:00:00"]
[White "MyBot(C)"]
[Black "Crafty(C)"]
[Result "0-1"]
[TimeControl "900+5"]

1. d4 {+0.25/11 3s} d5 2. c4 {MyBot forfeits by disconnection} 0-1

[Event "?"]
[White "MyBot"]
[Black "Carl"]
[Result "*"]

1. d4 *

[Event "crazy"]
[White "MyBot"]
[Black "Carl"]
[Variant "Crazyhouse"]
[Result "1-0"]

1. e4 1-0

[Event "of others"]
[White "Anna"]
[Black "Carl"]
[Result "1-0"]

1. e4 e5 1-0
PGN
on own.db import --as MYBOT server.pgn >said && fail "a bad game is not told: $(cat said)"
expect learned 3; expect "by others" 1; expect "filtered out" 1; expect "left out as bad" 1
on own.db log >said
grep -q "Anna	lichess.org	1-0	time forfeit	180+2" said || fail "a loss on time: $(cat said)"
grep -q "Crafty	freechess.org	0-1	abandoned	900+5" said || fail "a disconnection: $(cat said)"
on own.db opponents >said
grep -q "^Crafty (computer)	freechess.org" said || fail "a computer: $(cat said)"
make_book own.db dump >first
grep -q "^game lichess.org/AbCdEfGh .* 0 31 16 " first || fail "no score at the exit: $(grep ^game first)"
grep -q "^game fics/123 .* 0 25 11 " first || fail "no score of XBoard: $(grep ^game first)"
on own.db import --as mybot server.pgn >said || true
expect learned 0; expect "known already" 3
(printf '\xEF\xBB\xBF'; cat server.pgn) >bom.pgn
on own.db import --as mybot bom.pgn >said || true
expect learned 0
on own.db verify >said || fail "verify: $(cat said)"
on other.db import --as Nobody server.pgn >said && fail "a player without games: $(cat said)"
grep -q 'no game was played by Nobody; did you mean "MyBot" (' said || fail "a player without games beside a bad game: $(cat said)"
# Games of our player with itself, alone and beside games of others and its own.
printf '[White "Me"]\n[Black "me"]\n\n1. e4 e5 1-0\n\n' >self.pgn
on self.db import --as Me self.pgn >said && fail "games with itself: $(cat said)"
grep -q "1 game left out, because both sides are Me$" said || fail "games with itself: $(cat said)"
grep -q "no game was played by" said && fail "games with itself are by nobody: $(cat said)"
printf '[White "Me"]\n[Black "Anna"]\n\n1. e4 e5 1-0\n' >one.pgn
on self.db import --as Me --as Carl self.pgn one.pgn >said || fail "$(cat said)"
expect learned 1; expect "by others" 1
grep -q "1 game left out, because both sides are Me or Carl$" said || fail "one game with itself: $(cat said)"
on other.db import --as mybot --min-game 3 server.pgn >said && fail "--min-game with --as"

# Dates without a day or month: by the first day that is possible, and out again as they came in.
for date in 1984.03.02 1984.??.?? 1984.05.?? 1984.01.01 ????.??.??; do
    printf '[Date "%s"]\n[White "MyBot"]\n[Black "Anna"]\n\n1. e4 e5 2. Nf3 1-0\n\n' "$date"
done >vague.pgn
on vague.db import --as mybot vague.pgn >said
expect learned 5
[[ $(on vague.db games | cut -f2 | xargs) == "1984-05 1984-03-02 1984 1984-01-01 ?" ]] || fail "order: $(on vague.db games)"
[[ $(on vague.db games --since 1984-01-01 --until 1984-01-01 | wc -l) == 2 ]] || fail "no game of 1984 without a day"
on vague.db export --pgn vague2.pgn
[[ $(grep Date vague.pgn | sort) == "$(grep Date vague2.pgn | sort)" ]] || fail "dates: $(grep Date vague2.pgn)"
on vague2.db import --as mybot vague2.pgn >said
on vague2.db export --pgn - | cmp vague2.pgn - || fail "dates, round trip"

# What the engine learned at the board comes back from a server: it counts once.
make_book board.db >/dev/null
on board.db export --pgn - | grep -avE "^.Nutcracker" | LC_ALL=C sed 's/"Nutcracker <b>"/"MyBot"/' >board.pgn
make_book board.db dump >first
on board.db import --as MyBot board.pgn >said
expect learned 0; expect "known already" 40
make_book board.db dump | diff first - >/dev/null || fail "learned twice"

# The same games counted first from a file without our tags: merged from the board's book, or from its export.
on board.db export --pgn ours.pgn
on file.db import --as MyBot board.pgn >said
for way in "merge board.db" "import --as MyBot ours.pgn"; do
    cp file.db again.db
    for _ in first second; do
        # shellcheck disable=SC2086
        on again.db $way >said || fail "$way: $(cat said)"
    done
    [[ $(own_games again.db) == 40 ]] || fail "$way: $(own_games again.db) games instead of 40"
    on again.db verify >said || fail "verify after $way: $(cat said)"
done
cp board.db again.db
on again.db merge file.db >said
grep -q '^file.db: 0 new games' said || fail "merge of a book with games of a file: $(cat said)"

# Games before 1970 have a last day, too.
printf '[Date "%s"]\n[White "MyBot"]\n[Black "Anna"]\n\n1. e4 e5 2. Nf3 1-0\n\n' 1950.03.02 1955.04.03 >old.pgn
on old.db import --as mybot old.pgn >said
on old.db opponents >said
grep -q "^Anna.*	1955-04-03" said || fail "opponents before 1970: $(cat said)"
on old.db lines --min-games 1 >said
grep -q "	1955-04-03	" said || fail "lines before 1970: $(cat said)"
on old.db report --out old.html >said
grep -qF '["1955-04-03","last game"]' old.html || fail "the report has no last game before 1970"

# One name on a server, and elsewhere.
for site in "FICS freechess.org" London https://lichess.org/AbCdEfGh; do
    printf '[Site "%s"]\n[White "MyBot"]\n[Black "Anna"]\n\n1. e4 e5 2. Nf3 1-0\n\n' "$site"
done >sites.pgn
on sites.db import --as mybot sites.pgn >said
on sites.db prepare Anna >said && fail "three opponents: $(cat said)"
grep -qF -- '; --server - chooses among those without a server' said || fail "ambiguous: $(cat said)"
on sites.db prepare Anna --server - >said || fail "prepare --server -: $(cat said)"
grep -q '^Anna: 1 game, ' said || fail "prepare --server -: $(cat said)"
[[ $(on sites.db games --opponent Anna --server - | wc -l) == 1 ]] || fail "games --server -: $(on sites.db games --opponent Anna --server -)"
on sites.db unlearn --opponent Anna --server - >said || fail "unlearn --server -: $(cat said)"
on sites.db unlearn --opponent Boris --server - >said && fail "an unknown opponent: $(cat said)"
grep -qF 'no opponent "Boris" without a server in the book' said || fail "an unknown opponent: $(cat said)"

# The filters of an import, as "sources" tells them.
on dates.db import --from 1990 --to 2024-05 "$data/small.pgn" >/dev/null
on dates.db import --to 2024-05-31 "$data/dirty.pgn" >/dev/null || true
on dates.db sources >said
grep -qF $'from 1990, to 2024-05\t' said || fail "sources: $(cat said)"
grep -qF ', to 2024-05-31' said || fail "sources: $(cat said)"

# forget: as if never imported. The number is that of "sources".
on f.db import "$data/small.pgn" >/dev/null
on f.db export --tsv before.tsv
make_book f.db dump >before
on f.db import "$data/dirty.pgn" >/dev/null || true
on f.db import --as mybot server.pgn >/dev/null || true
on f.db sources >said
[[ $(wc -l <said) == 3 ]] || fail "sources: $(cat said)"
on f.db forget dirty.pgn >said || fail "forget: $(cat said)"
on f.db forget "$(on f.db sources | grep server.pgn | cut -f1)" >said || fail "forget own games: $(cat said)"
on f.db export --tsv after.tsv
cmp before.tsv after.tsv || fail "forget leaves counts"
make_book f.db dump | diff before - >/dev/null || fail "forget leaves own games"
on f.db verify >said || fail "verify after forget: $(cat said)"
on f.db import "$data/dirty.pgn" >said || true
expect imported 1
on f.db forget nothing.pgn >said && fail "forgets what is not there"
on g.db import --no-forget "$data/small.pgn" >/dev/null
on g.db forget 1 >said && fail "forgets what kept no games"
grep -q "kept no games" said || fail "no reason: $(cat said)"

# Filters, each alone and together.
filtered() { rm -f x.db; on x.db import "${@:2}" server.pgn >said || true; [[ $(field imported) == "$1" ]] || fail "${*:2}: $(cat said)"; }
filtered 5
filtered 1 --time lightning
filtered 2 --time lightning,blitz
filtered 1 --min-base 600
filtered 1 --ending time
filtered 1 --ending abandoned
filtered 2 --ending normal
filtered 1 --rated
filtered 1 --min-elo 1900
filtered 0 --max-elo 2000
filtered 1 --max-elo 2100
filtered 3 --no-bots
filtered 1 --title bot
filtered 0 --title bot --time lightning
filtered 1 --results 1-0 --from 2024.05.01
# Months and days without a zero are the same; what is no day is refused.
sed 's/2024[.]05[.]0/2024.5./' server.pgn >short.pgn
dated() { rm -f x.db; on x.db import "${@:2}" short.pgn >said || true; [[ $(field imported) == "$1" ]] || fail "${*:2}: $(cat said)"; }
for form in 2024.05.02 2024.5.2 2024-5-02 20240502; do
    filtered 2 --from $form
    filtered 2 --to $form
    dated 2 --from $form
done
filtered 1 --from 2024.05.02 --to 2024.05.02
filtered 3 --from 2024.05 --to 2024.05
filtered 0 --from 2024.06
for form in 2024-13-45 2024.0.1 2024.02.30 2024.1.2.3 2024..1 2024. 24.1.2 2024.001 1 x 202405011; do
    rm -f x.db
    on x.db import --from $form server.pgn >said && fail "--from $form"
    grep -qF "\"$form\" is not a date" said || fail "--from $form: $(cat said)"
done
printf '[Event "Casual Blitz game"]\n[White "a"]\n[Black "b"]\n[WhiteElo "1500"]\n[BlackElo "1600"]\n\n1. e4 1-0\n' >casual.pgn
rm -f x.db
on x.db import --rated casual.pgn >said
expect "filtered out" 1
on x.db import casual.pgn >said
expect imported 1
rm -f x.db
on x.db import --time fast server.pgn >said && fail "--time fast"

# [%eval]: analyses of the mover, never in place of our own; forget removes them.
rm -f e.db
on e.db import --evals server.pgn >said || true
expect analyses 4
make_book e.db dump | grep ^analysis >said
for score in "31 16" "-25 16" "20 16" "10000 16"; do grep -q " $score$" said || fail "no $score: $(cat said)"; done
on e.db forget server.pgn >said
[[ -z $(make_book e.db dump) ]] || fail "forget leaves analyses"
printf '[Event "a"]\n\n1. e4 {[%%eval 0.30,20]} e5 1-0\n' >shallow.pgn
printf '[Event "b"]\n\n1. e4 {[%%eval 0.50,30]} d5 1-0\n' >deep.pgn
rm -f d.db
on d.db import --quiet --evals shallow.pgn >said
make_book d.db dump | sort >before.dump
on d.db import --quiet --evals deep.pgn >said
on d.db forget deep.pgn >said
grep -qF -- "--evals --again" said || fail "no word on the analyses that were replaced: $(cat said)"
on d.db import --quiet --evals --again shallow.pgn >said
make_book d.db dump | sort | cmp -s - before.dump || fail "replaced analyses do not come back"
on e.db import --as mybot --evals server.pgn >said || true
expect learned 3; expect analyses 4
on e.db undo >said
[[ -z $(make_book e.db dump) ]] || fail "undo leaves own games or analyses: $(make_book e.db dump)"

# One game in several files: from a server, from a program, and from a collection without the day.
game_at() {
    printf '[Site "%s"]\n[Date "%s"]\n[White "Me"]\n[Black "Anna"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n' "$1" "$2"
}
game_at https://lichess.org/AbCdEfGh 2024.05.03 >site.pgn
game_at '?' 2024.05.03 >program.pgn
game_at '?' '2024.??.??' >year.pgn
for files in "site program" "program site" "site program year" "year program site" "program year site"; do
    rm -f several.db*
    # shellcheck disable=SC2086
    set -- $files
    on several.db import --as Me "${@/%/.pgn}" >said || fail "$files: $(cat said)"
    expect learned 1; expect "known already" $(($# - 1))
    on several.db import --as Me "${@/%/.pgn}" >said || fail "$files again: $(cat said)"
    expect learned 0; expect "known already" $#
done

# Killed in the middle: nothing half.
for i in $(seq 1 12); do
    rm -f k.db*
    cp g.db k.db
    nutcracker-book --book k.db --base "" import --quiet --as Nutcracker many.pgn >/dev/null 2>&1 &
    child=$!
    for ((n = 0; n < i * 400; ++n)); do :; done
    kill -9 $child 2>/dev/null || true
    wait $child 2>/dev/null || true
    on k.db verify >said || fail "killed: $(cat said)"
    games=$(own_games k.db)
    [[ $games == 0 || $games == $(own_games many.db) ]] || fail "killed: $games games"
done

# As at the board, games from other start positions teach nothing.
cat >setup.pgn <<'PGN'
[White "MyBot"]
[Black "Anna"]
[Result "1-0"]
[FEN "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]

1. e4 e5 2. Nf3 1-0

[White "Anna"]
[Black "MyBot"]
[Result "0-1"]
[Variant "Chess960"]
[FEN "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1"]

1. e4 e5 0-1
PGN
on setup.db import --as MyBot setup.pgn >said || true
expect learned 0
expect "filtered out" 2
