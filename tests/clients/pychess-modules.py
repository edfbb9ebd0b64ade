#!/usr/bin/python3
"""PyChess: two of its engine players play a game by PyChess's own modules, and the game is learned.

PyChess 1.0.3 never sends a result: the engine learns what ended on the board. Needs PyChess.
Usage: pychess-modules.py BUILD_FOLDER
"""

import asyncio
import os
import time

from common import ENGINE, FOLDER, check, end_now, learned_games, skip

os.environ["HOME"] = FOLDER  # PyChess writes its settings there
os.environ["XDG_CONFIG_HOME"] = FOLDER
try:
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib
    from pychess.Players.engineNest import discoverer
    from pychess.System import conf
    from pychess.Utils.const import BLACK, NORMALCHESS, WHITE
    from pychess.Utils.GameModel import GameModel
    from pychess.Utils.TimeModel import TimeModel
    from pychess.Variants import variants
except (ImportError, ValueError) as error:
    skip(f"PyChess cannot be loaded: {error}")

LIMIT = 400  # seconds; a game needs some twenty


def engine(words):
    return {"name": "Nutcracker", "protocol": "xboard", "command": ENGINE, "args": words, "md5": "",
            "workingDirectory": FOLDER}


async def play():
    conf.set("book_depth_max", 0)  # our book plays, not that of PyChess
    ours = await discoverer.initEngine(engine([]), WHITE, False)
    other = await discoverer.initEngine(engine(["--no-book"]), BLACK, False)

    def prepare(level):
        def act(player):
            player.setOptionVariant(variants[NORMALCHESS])
            player.setOptionStrength(level, True)
            player.setOptionTime(20, 0, 0)

        return act

    ours.connect("readyForOptions", prepare(8))
    other.connect("readyForOptions", prepare(1))
    for player in (ours, other):
        player.prestart()
    model = GameModel(TimeModel(20, 0))
    model.setPlayers([ours, other])
    ended = asyncio.Event()
    model.connect("game_ended", lambda _model, _reason: ended.set())
    model.start()
    await asyncio.wait_for(ended.wait(), LIMIT)
    try:
        ours.end(model.status, model.reason)
    except TypeError:
        pass  # with Python 3.11 PyChess fails here, before it tells the engine
    ours.kill(None)


async def serve_glib():
    while True:
        while GLib.MainContext.default().pending():
            GLib.MainContext.default().iteration(False)
        await asyncio.sleep(0.01)


async def main():
    glib = asyncio.create_task(serve_glib())
    await play()
    deadline = time.monotonic() + 30
    while not learned_games() and time.monotonic() < deadline:
        await asyncio.sleep(0.5)  # the engine is ending
    glib.cancel()


loop = asyncio.SelectorEventLoop()
asyncio.set_event_loop(loop)
loop.run_until_complete(main())
check(len(learned_games()) == 1, f"{len(learned_games())} games learned of 1")
end_now()  # PyChess leaves tasks that cannot be cancelled
