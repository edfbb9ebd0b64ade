#!/usr/bin/python3
"""python-chess by UCI: plays, ponders, analyses several lines and some of the moves, and is stopped at any time.

Usage: python-chess-uci.py BUILD_FOLDER
"""

import random

from common import ENGINE, check, skip

try:
    import chess
    import chess.engine
except ImportError:
    skip("there is no module chess (python-chess)")

PONDERED_MOVES = 60
STOPPED = 30
POSITION = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
MATE = chess.Board("8/7k/8/8/8/1R6/5R2/1K6 w - - 0 1")


def lines_fit_while_pondering(engine):
    opponent = random.Random(1)
    moves = 0
    while moves < PONDERED_MOVES:
        board, game = chess.Board(), object()
        while moves < PONDERED_MOVES and not board.is_game_over():
            limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.05, black_inc=0.05)
            played = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=True)
            line = played.info.get("pv", [played.move])
            check(line[0] == played.move, f"{board.fen()}: played {played.move}, line {line}")
            board.variation_san(line)  # throws if the line does not fit
            board.push(played.move)
            moves += 1
            if not board.is_game_over():
                board.push(opponent.choice(list(board.legal_moves)))


def several_lines_are_different_and_in_order(engine):
    lines = engine.analyse(POSITION, chess.engine.Limit(depth=8), multipv=4)
    check(len(lines) == 4, f"{len(lines)} lines")
    check(len({line["pv"][0] for line in lines}) == 4, "two lines begin alike")
    scores = [line["score"].relative for line in lines]
    check(scores == sorted(scores, reverse=True), f"scores {scores}")


def only_the_moves_asked_for_are_searched(engine):
    wanted = [chess.Move.from_uci("a7a6"), chess.Move.from_uci("g8f6")]
    info = engine.analyse(POSITION, chess.engine.Limit(nodes=2000), root_moves=wanted)
    check(info["pv"][0] in wanted, f"searched {info['pv'][0]}")


def limits_are_kept(engine):
    info = engine.analyse(POSITION, chess.engine.Limit(nodes=3000))
    check(info["nodes"] <= 3000, f"{info['nodes']} nodes")
    played = engine.play(MATE, chess.engine.Limit(mate=2), info=chess.engine.INFO_SCORE)
    check(played.info["score"].relative == chess.engine.Mate(2), f"mate in 2: {played.info}")


def analyses_are_stopped_at_any_time(engine):
    for _ in range(STOPPED):
        with engine.analysis(POSITION):
            pass
        engine.ping()


def options_are_taken(engine):
    engine.configure({"Hash": 2, "Threads": 2, "UCI_ShowWDL": True, "SyzygyPath": "", "Clear Hash": None})
    info = engine.analyse(POSITION, chess.engine.Limit(depth=6))
    check("wdl" in info and info["wdl"].relative.total() == 1000, f"no chances in {info}")
    engine.configure({"Threads": 1, "UCI_ShowWDL": False})


with chess.engine.SimpleEngine.popen_uci([ENGINE, "--no-book"]) as uci:
    lines_fit_while_pondering(uci)
    several_lines_are_different_and_in_order(uci)
    only_the_moves_asked_for_are_searched(uci)
    limits_are_kept(uci)
    analyses_are_stopped_at_any_time(uci)
    options_are_taken(uci)
