#!/bin/bash
# Programs at a limit of the system (memory, threads, sizes of files), and stopped by signals.
# Usage: limits.sh BUILD_FOLDER
# Labels: posix
set -euo pipefail
source "$(dirname "$0")/common.sh"
engine=$build/protocol/nutcracker
export XDG_DATA_HOME=$folder/data
# plays COMMAND...: the engine, started by the command, makes a move after all lines of the file
# `game`, and ends by itself. What it prints is `said`, its exit status that of the function.
plays() {
    local line
    : >said
    coproc "$@" 2>complained
    local from to=${COPROC[1]} id=$COPROC_PID
    exec {from}<&"${COPROC[0]}"  # bash closes its own when the engine ends
    printf '%s\n' xboard 'protover 2' new >&"$to"
    cat game - >&"$to" <<<'ping 1'
    while read -r -t 60 line <&"$from" && echo "$line" >>said && [[ $line != 'pong 1' ]]; do :; done
    # The warning comes from the thread that opens the book.
    [[ -z ${warned-} ]] || grep -q '^telluser ' said ||
        while read -r -t 60 line <&"$from" && echo "$line" >>said && [[ $line != telluser* ]]; do :; done
    printf '%s\n' 'result 1-0 {White mates}' quit >&"$to"
    exec {from}<&-
    wait "$id"
}

# The table that is too large is asked for after the features, and the game goes on without it.
if grep -q __asan_init "$engine"; then
    echo "no limit of memory under AddressSanitizer"
else
    printf '%s\n' 'sd 3' go 'memory 100000' >game
    plays bash -c "ulimit -v 3000000; exec \"\$0\" --no-book --hash 4096" "$engine" || fail "--hash 4096: status $?"
    grep -nE '^(feature done=1|telluser|move|pong)' said | cut -d: -f2 | cut -d' ' -f1-2 >order
    printf '%s\n' 'feature done=1' 'telluser no' 'move ' 'telluser no' 'pong 1' >wanted
    sed -i 's/^move .*/move /' order
    cmp -s order wanted || fail "--hash 4096: $(cat said)"
    grep -qx 'telluser no memory for a hash table of 4096 MiB; the old one stays' said || fail "$(cat said)"
fi

# A limit for the size of files is like a full disk: no signal ends the program, nothing is lost.
printf '%s\n' 'option OwnBook=0' 'sd 3' e2e4 >game
warned=yes plays bash -c "ulimit -f 0; exec \"\$0\"" "$engine" || fail "ulimit -f 0: status $?, $(cat complained)"
grep -qE '^telluser playing (without a book|from the installed book alone): ' said || fail "ulimit -f 0: $(cat said)"
for size in unlimited 60; do
    plays bash -c "ulimit -f $size; exec \"\$0\"" "$engine" || fail "ulimit -f $size: status $?, $(cat complained)"
done
echo force >game
# The games that wait are taken in when the book is open; on a slow machine the engine may be told to quit before.
for _ in {1..10}; do
    plays "$engine"
    nutcracker-book --base "" stats 2>&1 | grep -q 'to be merged' || break
done
nutcracker-book --base "" stats | grep -qx 'own games	2' || fail "a game is lost: $(nutcracker-book --base "" stats)"
make_book all.db
for size in 0 20; do
    status=0
    shown=$( (ulimit -f $size; nutcracker-book --book all.db --base "" import "$data/dirty.pgn") 2>&1) || status=$?
    [[ $status == [12] && $shown == *'nutcracker-book: '* ]] || fail "import at a limit: status $status, $shown"
    nutcracker-book --book all.db --base "" verify >said || fail "the book is damaged: $(cat said)"
done

# limited THREADS PROGRAM WORD...
limited() {
    # LeakSanitizer starts a thread, which there is none for.
    ASAN_OPTIONS=detect_leaks=0 setpriv --reuid 54321 --clear-groups prlimit --nproc="$1" "${@:2}" </dev/null >said 2>complained
}

# Threads are limited for a user, who must not be root, and have no other programs. An emulator of another
# processor needs threads of its own.
limits_of_threads() {
    local threads status
    if [[ -n ${NUTCRACKER_EMULATED-} || $(id -u) != 0 ]] || ! command -v setpriv >/dev/null || ! command -v prlimit >/dev/null; then
        echo "only root without an emulator can try out limits of threads"
        return
    fi
    chmod 755 "$folder"
    limited 9 true 2>/dev/null || { echo "no other user can be tried out"; return; }
    limited 9 "$engine" --version 2>/dev/null || { echo "another user cannot read the build folder"; return; }
    for threads in 1 2; do
        status=0
        limited $threads "$engine" --no-book || status=$?
        [[ $status == 2 && $(wc -l <complained) == 1 ]] || fail "$threads threads: $status, $(cat complained)"
        grep -q '^nutcracker: cannot start a thread: ' complained || fail "$(cat complained)"
    done
    status=0
    limited 1 "$build/tools/nutcracker-match" --engine cmd=true tc=1 --engine cmd=true tc=1 --concurrency 2 || status=$?
    [[ $status == 2 && $(cat complained) == 'nutcracker-match: cannot start 2 threads: '* ]] || fail "$status, $(cat complained)"
    printf '%s\n' 'sd 3' go >game
    plays setpriv --reuid 54321 --clear-groups prlimit --nproc=6 "$engine" --no-book --threads 8 ||
        fail "6 threads: status $?"
    grep -qx 'telluser only 3 of 8 search threads could be started' said || fail "6 threads: $(cat said)"
    grep -q '^move ' said || fail "6 threads: $(cat said)"
}
limits_of_threads

# A stopped import keeps what it has read; with --min-game, which has to count all games, it keeps nothing.
# stopped BOOK OPTIONS: imports 3000 games, is stopped, reads no more than a few others, and prints the messages
stopped() {
    local i games=""
    for ((i = 0; i < 3000; ++i)); do games+=$'[Event "E"]\n[Round "'$i$'"]\n\n1. e4 *\n\n'; done
    [[ -p pipe ]] || mkfifo pipe
    nutcracker-book --book "$1" --base "" import "${@:2}" pipe 2>&1 &
    exec 3>pipe # waits until the import opens it, ready for the signal
    printf %s "$games" >&3
    kill -TERM $!
    printf %s "${games//Round/Site}" >&3 2>/dev/null || true
    exec 3>&-
    wait $! || true
}
trap '' PIPE
stopped stopped.db >said
grep -q 'the same command continues' said || fail "stopped: $(cat said)"
stopped rare.db --min-game 2 >said
grep -q 'nothing of this import was stored in the book' said || fail "stopped with --min-game: $(cat said)"
nutcracker-book --book rare.db --base "" stats >said
grep -q '^moves	0' said || fail "stopped with --min-game: $(cat said)"
! compgen -G '*.import' >said || fail "left behind: $(cat said)"
