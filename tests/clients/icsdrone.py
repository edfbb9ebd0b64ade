#!/usr/bin/python3
"""Two icsdrone play two rated games against each other on a chess server; both engines learn both games.

Needs icsdrone. Usage: icsdrone.py BUILD_FOLDER
"""

import atexit
import os
import shutil
import subprocess
import time

from common import ENGINE, FOLDER, check, learned_games, skip
from ics import LIMIT, start_server

PROGRAM = shutil.which("icsdroneng") or shutil.which("icsdrone")
if not PROGRAM:
    skip("there is no icsdrone")
GAMES = 2


def start(name, rating, port):
    """Starts a bot; its book is the file of its name."""
    words = f"""-icsHost 127.0.0.1 -icsPort {port} -handle {name} -password {rating} -console on -searchDepth 5
        -logFile {FOLDER}/{name}.log -pgnLogging off -easyMode off -resign off -acceptDraw off -feedback off"""
    program = f"{ENGINE} --book {FOLDER}/{name}.db"
    bot = subprocess.Popen(
        [PROGRAM, *words.split(), "-sendGameStart", "", "-program", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        cwd=FOLDER,
        text=True,
        bufsize=1,
    )
    atexit.register(bot.kill)
    return bot


def learned(name):
    return learned_games(os.path.join(FOLDER, name + ".db"))


def games_begun(name):
    path = os.path.join(FOLDER, name + ".log")
    if not os.path.exists(path):
        return 0
    with open(path, encoding="latin-1") as log:
        return sum("ics->icsdrone: {Game" in line and "Creating" in line for line in log)


def play(first, number):
    """Lets the first bot challenge the second until a game begins, and waits until both have learned it."""
    until = time.monotonic() + LIMIT
    color = "white" if number % 2 == 0 else "black"
    challenged = 0.0
    while len(learned("First")) <= number or len(learned("Second")) <= number:
        check(time.monotonic() < until, f"game {number + 1} was not learned by both")
        begun = games_begun("First")
        if begun <= number and time.monotonic() > challenged + 5:
            first.stdin.write(f"match Second 1 0 rated {color}\n")
            challenged = time.monotonic()
        time.sleep(0.5)


port = start_server(900)
first = start("First", 2100, port)
start("Second", 1900, port)
for game in range(GAMES):
    play(first, game)
for name, opponent, own, other in (("First", "Second", 2100, 1900), ("Second", "First", 1900, 2100)):
    for number, game in enumerate(learned(name)):
        sides = ("Black", "White") if (name == "First") == (number % 2 == 1) else ("White", "Black")
        check(game[sides[1]] == opponent, f"{name}: {game}")
        check(game[sides[0] + "Elo"] == str(own), f"{name}: {game}")
        check(game[sides[1] + "Elo"] == str(other), f"{name}: {game}")
        check(game["TimeControl"] == "?", f"{name}: {game}")  # with -searchDepth icsdrone tells none
