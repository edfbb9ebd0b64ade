#!/bin/sh
# A tiny engine for the tests of the match runner: engine.sh PROTOCOL BEHAVIOUR MOVE...
# It plays the moves one after the other in every game, whatever the opponent does, and when they are
# used up it shows its BEHAVIOUR.
protocol=$1
behaviour=$2
shift 2
moves=$*

say() {
    if [ "$protocol" = uci ]; then echo "bestmove $1"; else echo "move $1"; fi
}
think() {
    if [ $# -gt 0 ]; then
        if [ "$behaviour" = offer ]; then echo "offer draw"; fi
        if [ "$protocol" = uci ]; then
            echo "info depth 7 score cp 35 nodes 1000 time 2 pv $*"
        else
            echo "7 35 0 1000 $*"
        fi
        say "$1"
        return
    fi
    case $behaviour in
    crash) exit 3 ;;
    deaf) exec tail -f /dev/null ;;
    hang) ;;
    illegal) say e1e8 ;;
    garbage) printf 'move }{\033\377 %%n%%s\n' ;;
    nonsense) say zz9 ;;
    resign | patient | late) echo resign ;;
    lose) echo "1-0 {White mates}"; echo "0-1 {Black mates}" ;;
    claim) echo "1/2-1/2 {Draw by repetition}" ;;
    flood) yes "# nothing to say" ;;
    esac
}
next() {
    think $left
    left=${left#"${left%% *}"}
    left=${left# }
}

playing=0
left=$moves
while read -r line; do
    case $line in
    protover*) if [ "$behaviour" = timed ]; then echo 'feature nps=0'; fi
        if [ "$behaviour" = patient ]; then echo 'feature done=0'; fi
        case $behaviour in patient | late)
            sleep 4
            echo 'feature option="Level -spin 1 1 9"'
            ;;
        esac
        echo 'feature ping=1 setboard=1 usermove=1 draw=1 myname="Fake (CECP)" done=1' ;;
    ping*) echo "pong ${line#ping }" ;;
    new | ucinewgame) left=$moves playing=0 ;;
    force) playing=0 ;;
    usermove*) if [ $playing = 1 ]; then next; fi ;;
    draw) if [ "$behaviour" = accept ]; then echo "offer draw"; fi ;;
    uci) echo "id name Fake (UCI)"; echo uciok ;;
    isready) echo readyok ;;
    go*) playing=1; next ;;
    stop) if [ "$behaviour" = hang ]; then say 0000; fi ;;
    quit) exit 0 ;;
    esac
done
