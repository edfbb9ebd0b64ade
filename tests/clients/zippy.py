#!/usr/bin/python3
"""XBoard as a bot on a chess server: ten rated games, with an adjournment, an abort, a flag and a draw.

Every finished game must stand in the book with the right players, ratings, time, result and ending, and no other.
Needs xboard and Xvfb. Usage: zippy.py BUILD_FOLDER
"""

import atexit
import os
import re
import shutil
import subprocess

from common import ENGINE, FOLDER, book, check, own_games, skip
from ics import Player, start_server

os.environ["PATH"] += ":/usr/games"
for program in ("xboard", "Xvfb"):
    if not shutil.which(program):
        skip(f"there is no {program}")

BOT, BOT_RATING = "Nut", 2000
ROVER, ROVER_RATING = "Rover", 1700
MASTER, MASTER_RATING = "Master", 2800
DEBUG = os.path.join(FOLDER, "xboard.debug")


def start_display():
    end, other = os.pipe()
    display = subprocess.Popen(
        ["Xvfb", "-displayfd", str(other), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=[other],
        stderr=subprocess.DEVNULL,
    )
    atexit.register(display.kill)
    os.environ["DISPLAY"] = ":" + os.read(end, 16).decode().strip()


def start_xboard(port):
    logon = os.path.join(FOLDER, "logon")
    with open(logon, "w", encoding="ascii") as file:
        file.write(f"{BOT}\n{BOT_RATING}\n")
    words = f"""-zp -ics -icshost 127.0.0.1 -icsport {port} -icslogon {logon} -ponderNextMove true -autoflag
        -showThinking true -zippyMaxGames 0 -zippyAbort false -zippyAdjourn false -zippyReplayTimeout 0
        -popupExitMessage false -popupMoveErrors false -ringBellAfterMoves false -soundProgram true
        -saveSettingsOnExit false -sgf {FOLDER}/games.pgn -debug -debugfile {DEBUG}"""
    with open(os.path.join(FOLDER, "xboard.said"), "w", encoding="utf-8") as said:
        xboard = subprocess.Popen(
            ["xboard", *words.split(), "-zippyGameEnd", "", "-firstInitString", "new\\nsd 6\\n", "-fcp", ENGINE],
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            cwd=FOLDER,
        )
    atexit.register(xboard.kill)
    return xboard


def offer_draws(player):
    def act(board):
        if board.ply > 10:
            player.send("draw")

    return act


def after(ply, word):
    return lambda board: word if board.ply > ply else None


def play_games(port):
    """Plays the ten games; returns what the server said of those that are to be learned."""
    rover = Player(port, ROVER, ROVER_RATING, 1)
    master = Player(port, MASTER, MASTER_RATING, 8)

    def game(player, how, act=lambda board: None):
        player.challenge(BOT, "rated " + how)
        return player.play(act)

    ends = [game(rover, "1 0 white"), game(rover, "1 0 black")]
    game(rover, "1 1 white", after(12, "stop"))  # adjourned
    rover.disconnect()
    rover.connect()
    ends.append(game(rover, "1 1 white", after(30, "resign")))
    aborted = game(rover, "2 1 black", after(5, "adjudicate abort"))
    check("aborted" in aborted, f"not aborted: {aborted}")
    ends.append(game(rover, "0 1 white", after(8, "wait")))
    check("forfeits on time" in ends[-1], f"not lost on time: {ends[-1]}")
    for _ in range(5):  # the bot declines while it is ahead
        ends.append(game(master, "2 1 white", offer_draws(master)))
        if "1/2-1/2" in ends[-1]:
            break
    check("1/2-1/2" in ends[-1], f"never drawn: {ends[-1]}")
    ends.append(game(rover, "1 0 white", after(20, "resign")))
    ends.append(game(rover, "1 0 black", after(22, "resign")))
    ends.append(game(rover, "1 1 white"))
    ends.append(game(rover, "1 1 black", after(24, "resign")))
    rover.challenge(BOT, "rated 1 0")  # the bot is ready again: its last game has been learned
    return ends


def check_log(ends):
    with open(DEBUG, encoding="latin-1") as file:
        traffic = file.readlines()
    bad = [line for line in traffic if "<first : Illegal" in line or "<first : Error" in line]
    check(not bad, f"refused by the engine: {bad}")
    games = own_games()
    check(len(games) == len(ends), f"{len(games)} games in the book of {len(ends)}")
    for end, learned in zip(ends, games):
        said = re.search(r"\((\w+) vs. (\w+)\) (.*)} (\S+)", end)
        ours = "White" if said[1] == BOT else "Black"
        theirs = "Black" if said[1] == BOT else "White"
        opponent = said[2] if said[1] == BOT else said[1]
        expected = {
            theirs: opponent,
            theirs + "Elo": str({ROVER: ROVER_RATING, MASTER: MASTER_RATING}[opponent]),
            ours + "Elo": str(BOT_RATING),
            "Site": "127.0.0.1",
            "Event": "Game on 127.0.0.1",
            "Result": said[4],
            "Termination": "time forfeit" if "on time" in said[3] else "normal",
        }
        for tag, value in expected.items():
            check(learned.get(tag) == value, f"{end}: {tag} is {learned.get(tag)}, not {value}")
        check(said[3] in learned["moves"].replace("\n", " "), f"{end}: not told with the moves: {learned['moves']}")
    controls = [game["TimeControl"] for game in games if MASTER not in (game["White"], game["Black"])]
    check(controls == ["60", "60", "60+1", "0+1", "60", "60", "60+1", "60+1"], f"time controls: {controls}")
    opponents = book("opponents")
    check(ROVER in opponents and MASTER in opponents, f"opponents: {opponents}")


start_display()
port = start_server(900)
xboard = start_xboard(port)
ends = play_games(port)
xboard.terminate()
xboard.wait(60)
check_log(ends)
