"""Shared by the tests of clients: the built programs, an empty data folder, skip() and fail()."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
ENGINE = os.path.join(BUILD, "protocol", "nutcracker")
BOOK_TOOL = os.path.join(BUILD, "tools", "nutcracker-book")
NAME = os.path.splitext(os.path.basename(sys.argv[0]))[0]

FOLDER = tempfile.mkdtemp(prefix="nutcracker-" + NAME)
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.environ["XDG_DATA_HOME"] = FOLDER
BOOK = os.path.join(FOLDER, "nutcracker", "book.db")


def skip(why):
    """Ends the test as skipped: the client is not on this machine."""
    print(f"{NAME}: skipped: {why}")
    sys.exit(77)


def fail(why):
    sys.exit(f"{NAME}: {why}")


def end_now(status=0):
    """Ends at once, where the client would catch an exception or wait for ever."""
    sys.stdout.flush()
    shutil.rmtree(FOLDER, ignore_errors=True)
    os._exit(status)


def give_up(why):
    """Fails at once, where an exception would be caught."""
    print(f"{NAME}: {why}", file=sys.stderr, flush=True)
    end_now(1)


def check(condition, why):
    if not condition:
        fail(why)


def book(*words, file=BOOK):
    """What nutcracker-book prints about a book."""
    command = [BOOK_TOOL, "--book", file, "--base", "", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode == 0, f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def own_games(file=BOOK):
    """The games in the log of the book, as export --pgn writes them: tags and moves; pending ones have the result *."""
    path = os.path.join(FOLDER, "games.pgn")
    if not os.path.exists(file):
        return []
    book("export", "--pgn", path, file=file)
    games = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("[Event "):
                games.append({"moves": ""})
            if line.startswith("["):
                tag, value = line[1:].rstrip("]\n").split(" ", 1)
                games[-1][tag] = json.loads(value)
            elif games:
                games[-1]["moves"] += line
    return games


def learned_games(file=BOOK):
    return [game for game in own_games(file) if game["Result"] != "*"]
