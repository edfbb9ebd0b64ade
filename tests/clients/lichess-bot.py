#!/usr/bin/python3
"""lichess-bot with its own stand-in for the server: ten games by XBoard's protocol with pondering, ten
without, ten by UCI with pondering and the options of its example configuration.

No game may be broken off, no move may be late, and every game must be learned.
Needs the folder of lichess-bot in LICHESS_BOT, and its Python packages.
Usage: lichess-bot.py BUILD_FOLDER
"""

import json
import os
import queue
import random
import sys
import time

from common import BUILD, FOLDER, check, give_up, learned_games, skip

if "LICHESS_BOT" not in os.environ:
    skip("LICHESS_BOT does not name the folder of lichess-bot")
SOURCE = os.environ["LICHESS_BOT"]
sys.path.insert(0, SOURCE)
os.chdir(FOLDER)  # lichess-bot writes into the current folder
try:
    import chess
    import yaml
    from lib import config, lichess_bot
    from test_bot import lichess as mock
except ImportError as error:
    skip(f"lichess-bot cannot be loaded: {error}")

GAMES = 10
SECONDS, INCREMENT = 5.0, 0.2  # of both clocks


class Game(mock.Lichess):
    """One game against a random mover; what lichess-bot asks of the server, in one thread."""

    def __init__(self, number):
        super().__init__(None, None, None)
        self.opponent = random.Random(number)
        self.id = f"game{number:04}"
        self.bot_is_white = number % 2 == 1
        self.board = chess.Board()
        self.clock = {chess.WHITE: SECONDS, chess.BLACK: SECONDS}
        self.starts = 0
        self.late = False
        self.resigned = False

    def make_move(self, _game_id, move):
        if self.board.ply() > 1:  # the server starts the clocks after the first moves
            self.clock[self.board.turn] -= time.monotonic() - self.asked
            self.late = self.late or self.clock[self.board.turn] < 0
            self.clock[self.board.turn] += INCREMENT
        self.board.push(move.move)

    def resign(self, _game_id):
        self.resigned = True

    def get_game_stream(self, _game_id):
        self.starts += 1
        if self.starts > 1:  # lichess-bot catches every exception, and tries for ten minutes
            give_up(f"{self.id}: broken off after {self.board.fen()}")
        return Stream(self)

    def state(self):
        return {
            "type": "gameState",
            "moves": " ".join(move.uci() for move in self.board.move_stack),
            "wtime": int(1000 * self.clock[chess.WHITE]),
            "btime": int(1000 * self.clock[chess.BLACK]),
            "winc": int(1000 * INCREMENT),
            "binc": int(1000 * INCREMENT),
            "status": "started",
        }

    def last_state(self):
        state = self.state()
        outcome = self.board.outcome(claim_draw=True)
        state["status"] = "draw"
        if outcome and outcome.winner is not None:
            state["status"] = "mate"
            state["winner"] = "white" if outcome.winner else "black"
        return state


class Stream(mock.GameStream):
    def __init__(self, game):
        super().__init__(None, None)
        self.game = game

    def iter_lines(self, *_args, **_kwargs):
        game = self.game
        bot = {"id": "b", "name": "b", "title": "BOT", "rating": 2800}
        other = {"id": "rover", "name": "rover", "rating": 1200}
        full = {
            "type": "gameFull",
            "id": game.id,
            "variant": {"key": "standard", "name": "Standard", "short": "Std"},
            "clock": {"initial": int(1000 * SECONDS), "increment": int(1000 * INCREMENT)},
            "speed": "bullet",
            "perf": {"name": "Bullet"},
            "rated": True,
            "createdAt": 1600000000000,
            "white": bot if game.bot_is_white else other,
            "black": other if game.bot_is_white else bot,
            "initialFen": "startpos",
            "state": game.state(),
        }
        game.asked = time.monotonic()
        yield json.dumps(full).encode()
        while not game.board.is_game_over(claim_draw=True) and not game.resigned:
            if game.board.turn != game.bot_is_white:
                game.board.push(game.opponent.choice(list(game.board.legal_moves)))
                if game.board.is_game_over(claim_draw=True):
                    break
            game.asked = time.monotonic()
            yield json.dumps(game.state()).encode()
        yield json.dumps(game.last_state()).encode()


def configuration(protocol, ponder):
    with open(os.path.join(SOURCE, "config.yml.default"), encoding="utf-8") as file:
        settings = yaml.safe_load(file)
    settings["token"] = ""
    settings["engine"].update(
        dir=os.path.join(BUILD, "protocol"), name="nutcracker", protocol=protocol, ponder=ponder
    )
    if protocol == "xboard":
        settings["engine"].pop("uci_options")
    settings["move_overhead"] = 100
    config.insert_default_values(settings)
    return config.Configuration(settings)


def play(number, protocol, ponder):
    game = Game(number)
    lichess_bot.play_game(
        li=game,
        game_id=game.id,
        control_queue=queue.Queue(),
        user_profile=game.get_profile(),
        config=configuration(protocol, ponder),
        challenge_queue=[],
        correspondence_queue=queue.Queue(),
        logging_queue=queue.Queue(),
        pgn_queue=queue.Queue(),
    )
    check(game.resigned or game.board.is_game_over(claim_draw=True), f"{game.id}: not finished")
    check(not game.late, f"{game.id}: lost on time, clocks {game.clock}")


ROUNDS = (("xboard", False), ("xboard", True), ("uci", True))
for index, (protocol, ponder) in enumerate(ROUNDS):
    for number in range(GAMES):
        play(index * GAMES + number, protocol, ponder)
ALL = len(ROUNDS) * GAMES
check(len(learned_games()) == ALL, f"{len(learned_games())} games learned of {ALL}")
