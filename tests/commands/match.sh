#!/bin/bash
# Matches of scripted engines as a user plays them. Usage: match.sh BUILD_FOLDER
set -euo pipefail
source "$(dirname "$0")/common.sh"
fake=$build/tests/fake_engine
# plays STATUS BEHAVIOUR OPTIONS...: an engine that resigns meets one that does so; `said` is what
# was complained of
plays() {
    local status=0
    nutcracker-match --engine "cmd=$fake cecp resign" name=first --engine "cmd=$fake cecp $2" name=second \
        --games 2 "${@:3}" >shown 2>said || status=$?
    [ "$status" = "$1" ] || fail "$2 ${*:3}: status $status, said $(cat said)"
}
says() { grep -qF -- "$1" said || fail "said: $(cat said)"; }

plays 0 resign --each tc=10 --pgn games.pgn
[ "$(grep -c '^\[Result ' games.pgn)" = 2 ] || fail "not every game is in the file"
plays 0 resign --each tc=10 --pgn games.pgn
[ "$(grep -c '^\[Result ' games.pgn)" = 4 ] || fail "games of an earlier match are gone"
plays 0 illegal --each tc=10 --strict=first
plays 1 illegal --each tc=10 --strict

plays 2 resign --each tc=10 --pgn /dev/full
says "cannot write /dev/full"
plays 2 resign --each tc=10 --log /dev/full
says "cannot write /dev/full"
[ "$(wc -l <said)" = 1 ] || fail "more than one line: $(cat said)"
plays 0 resign --each tc=10 --log talk.log
grep -q 'first > ping' talk.log || fail "no log: $(cat talk.log)"
plays 2 timed --each tc=inf nodes=100
says "second does not support a limit by nodes"
[ "$(wc -l <said)" = 1 ] || fail "more than one line: $(cat said)"

plays 2 resign --each tc=10 dir=nowhere
says 'no folder "nowhere"'
plays 2 resign --each tc=10 stderr=nowhere/errors
says 'cannot write "nowhere/errors"'

# An option that an engine lacks is said once, before the first game; --strict plays no game then.
plays 0 resign --each tc=10 option.Level=3
[ "$(grep -c 'no option Level' said)" = 2 ] || fail "not once for each engine: $(cat said)"
plays 2 resign --each tc=10 option.Level=3 --strict
says "first: no option Level"
[ "$(wc -l <said)" = 1 ] || fail "more than one line: $(cat said)"
grep -q '^endings: none' shown || fail "a game was played: $(cat shown)"
# So is one whose value an engine refuses.
for protocol in xboard uci; do
    refusing=(--engine "cmd=nutcracker --no-book" "proto=$protocol" option.EvalFile=nowhere.net name=new
        --engine "cmd=nutcracker --no-book" name=old --each depth=1 --games 2 --max-moves 5)
    nutcracker-match "${refusing[@]}" >shown 2>said || fail "a refused value ended the match: $(cat said)"
    says "new: EvalFile: cannot read"
    status=0
    nutcracker-match "${refusing[@]}" --strict >shown 2>said || status=$?
    [ "$status" = 2 ] || fail "a refused value with --strict: status $status, said $(cat said)"
    says "new: EvalFile: cannot read"
    grep -q '^endings: none' shown || fail "a game was played: $(cat shown)"
done
# Late features: after done=0, and of an engine that was told to set an option.
for behaviour in patient late; do
    nutcracker-match --engine "cmd=$fake cecp $behaviour" option.Level=3 --engine "cmd=$fake cecp resign" \
        --each tc=10 --games 2 --strict >shown 2>said || fail "$behaviour: $(cat said)"
done
# Several words in one pair of quotation marks.
plays 0 resign --each "tc=10+0.1 memory=16"
plays 2 resign --each "tc=10+0.1 speed=16"
says "not understood: tc=10+0.1 speed=16"
plays 2 resign --each tc=0
says "bad time control (10+0.1, 40/1:00 or inf): 0"
# Openings: any case of the name, signs that stand alone; a compressed file gets one clear line.
printf '[Event "a"]\n\n1. e4 !? e5 *\n' >OPENINGS.PGN
plays 0 resign --each tc=10 --openings OPENINGS.PGN
gzip -c OPENINGS.PGN >o.pgn.gz
plays 2 resign --each tc=10 --openings o.pgn.gz
says "o.pgn.gz is packed by gzip; unpack it first"
