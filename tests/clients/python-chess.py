#!/usr/bin/python3
"""python-chess: shows every mate found in analysis, and gets lines that fit the move while we ponder.

Usage: python-chess.py BUILD_FOLDER
"""

import random
import time

from common import ENGINE, check, skip

try:
    import chess
    import chess.engine
except ImportError:
    skip("there is no module chess (python-chess)")

MATES = {
    1: """7Q/8/8/6b1/8/K6P/8/1k6 w
          6r1/8/2R5/4K3/8/8/3R4/k7 w
          5k2/3R4/8/3K4/8/8/4p3/1R6 w
          1k6/8/P7/8/4Q3/5K2/8/8 w
          8/8/8/4R3/8/5k1K/8/7R w
          8/4R3/1R6/8/k7/8/8/6K1 w
          6R1/8/3b1P2/8/8/1K6/1N6/k7 w
          8/8/8/4R3/2p5/8/K4R2/7k w
          6k1/8/6K1/8/8/2n5/8/3Q4 w
          6K1/8/7k/8/4Q3/5N2/8/8 w
          8/1R6/5k2/8/5K2/8/8/7R w
          7k/5Bp1/3K4/8/8/8/p7/6R1 w""",
    2: """8/7k/8/8/8/1R6/5R2/1K6 w
          8/8/3Q3K/8/8/2N5/8/5k2 w
          7k/8/8/6R1/1R1n4/8/3K4/8 w
          8/4n3/8/7K/1Q6/8/k7/1N6 w
          7k/2PQ4/3Kb3/8/8/8/8/8 w
          8/7k/2R5/R7/8/2p1pK2/8/8 w
          3R4/8/1R6/4K3/8/8/8/7k w
          8/7k/8/7K/R7/8/2R5/8 w
          5R2/2R5/3K3k/8/8/8/8/8 w
          8/8/p7/p7/5QN1/3K4/6k1/8 w
          8/8/2B5/8/3K4/8/3R4/4k3 w
          8/8/8/8/8/k1K5/4R1nR/8 w""",
}
PONDERED_MOVES = 200
SHOWN_WITHIN = 30  # seconds, for a busy machine


def shown_mate(engine, board):
    """The moves to mate that analysis shows in the end; None if it never shows a mate."""
    until = time.monotonic() + SHOWN_WITHIN
    with engine.analysis(board) as analysis:
        while time.monotonic() < until:
            if "score" in analysis.info and analysis.info["score"].relative.is_mate():
                return analysis.info["score"].relative.mate()
            time.sleep(0.01)  # an analysis that shows nothing more cannot be waited for
    return None


def analysis_shows_mates():
    with chess.engine.SimpleEngine.popen_xboard([ENGINE, "--no-book"]) as engine:
        for moves, positions in MATES.items():
            for fen in positions.split("\n"):
                board = chess.Board(fen.strip() + " - - 0 1")
                found = shown_mate(engine, board)
                check(found == moves, f"{board.fen()}: mate in {moves}, analysis shows {found}")


def lines_fit_while_pondering():
    opponent = random.Random(1)
    moves = 0
    with chess.engine.SimpleEngine.popen_xboard([ENGINE, "--no-book"]) as engine:
        while moves < PONDERED_MOVES:
            board = chess.Board()
            while moves < PONDERED_MOVES and not board.is_game_over():
                limit = chess.engine.Limit(white_clock=3, black_clock=3, white_inc=0.1, black_inc=0.1)
                played = engine.play(board, limit, info=chess.engine.INFO_ALL, ponder=True)
                if played.move is None:
                    break  # it resigned
                line = played.info.get("pv", [played.move])
                check(line[0] == played.move, f"{board.fen()}: played {played.move}, line {line}")
                board.variation_san(line)  # throws, as in lichess-bot, if the line does not fit
                moves += 1
                board.push(played.move)
                if not board.is_game_over():
                    board.push(opponent.choice(list(board.legal_moves)))


analysis_shows_mates()
lines_fit_while_pondering()
