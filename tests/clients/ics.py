"""A chess server on the loopback address, and a scripted opponent on it."""

import atexit
import os
import re
import select
import socket
import subprocess
import time

from common import BUILD, ENGINE, fail

LIMIT = 300  # seconds for anything that is waited for; a busy machine may need many


def start_server(seconds):
    """Starts the server for so many seconds, and returns its port."""
    server = subprocess.Popen(
        [os.path.join(BUILD, "tests", "ics_server"), str(seconds)], stdout=subprocess.PIPE, text=True
    )
    atexit.register(server.kill)
    return int(server.stdout.readline())


class Brain:
    """Chooses moves for the opponent: the engine without book, at a fixed depth."""

    def __init__(self, depth):
        self.engine = subprocess.Popen(
            [ENGINE, "--no-book"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        atexit.register(self.engine.kill)
        self.say("xboard", "protover 2", "option Resign=0", f"sd {depth}", "nopost", "force")

    def say(self, *lines):
        self.engine.stdin.writelines(line + "\n" for line in lines)

    def move(self, fen):
        """A move, or nothing if the game has ended on the board."""
        self.say("force", f"setboard {fen}", "go")
        for line in self.engine.stdout:
            if line.startswith(("move ", "1-0", "0-1", "1/2-1/2")):
                self.say("force")
                return line.split()[1] if line.startswith("move ") else ""
        return fail("the opponent's engine has ended")


class Board:
    """A line of style 12: the position, and whose move it is for the reader."""

    def __init__(self, line):
        words = line.split()
        rows = [re.sub("-+", lambda empty: str(len(empty[0])), row) for row in words[1:9]]
        rights = "".join(c for c, right in zip("KQkq", words[11:15]) if right == "1") or "-"
        side = words[9].lower()
        passant = "-" if words[10] == "-1" else "abcdefgh"[int(words[10])] + ("6" if side == "w" else "3")
        self.fen = f"{'/'.join(rows)} {side} {rights} {passant} {words[15]} {words[26]}"
        self.my_move = words[19] == "1"
        self.ply = 2 * (int(words[26]) - 1) + (words[9] == "B")


class Player:
    """A player on the server, who gives a name, a rating and the depth of its searches."""

    def __init__(self, port, name, rating, depth):
        self.name = name
        self.rating = rating
        self.port = port
        self.brain = Brain(depth)
        self.connect()

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.input = ""
        self.send(self.name, str(self.rating), "style 12")  # the password is the rating
        self.wait("Style 12 set")

    def disconnect(self):
        self.socket.close()

    def send(self, *lines):
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def lines(self):
        """The lines that the server sends, without end."""
        until = time.monotonic() + LIMIT
        while True:
            while "\n" in self.input:
                line, self.input = self.input.split("\n", 1)
                yield line.strip("\r").removeprefix("fics% ")
            ready = select.select([self.socket], [], [], max(0, until - time.monotonic()))[0]
            data = self.socket.recv(65536) if ready else b""
            if not data:
                fail(f"{self.name}: the server is silent")
            self.input += data.decode()

    def wait(self, text):
        """The next line with this text."""
        return next(line for line in self.lines() if text in line)

    def challenge(self, opponent, how):
        """Challenges until the opponent accepts; the first line of the game."""
        for _ in range(LIMIT):
            self.send(f"match {opponent} {how}")
            until = time.monotonic() + 5
            while time.monotonic() < until and "{Game" not in self.input and "cannot be" not in self.input:
                if select.select([self.socket], [], [], 0.5)[0]:
                    self.input += self.socket.recv(65536).decode()
            if "{Game" in self.input:
                return self.wait("{Game")
            self.input = ""
            time.sleep(0.5)  # the opponent is not ready yet, or its client is still logging in
        return fail(f"{opponent} does not accept")

    def play(self, act=lambda board: None):
        """Plays until the game ends, and returns the server's word on the end. act(board) is asked before each
        move of ours: a command that it returns is sent instead of a move, "stop" ends here, "wait" does nothing."""
        for line in self.lines():
            if line.startswith("{Game ") and not re.search("(Creat|Continu)ing", line):
                return line
            if not line.startswith("<12> "):
                continue
            board = Board(line)
            if not board.my_move:
                continue
            word = act(board)
            if word == "stop":
                return line
            if word is None:
                word = self.brain.move(board.fen)
            if word not in ("", "wait"):
                self.send(word)
        return None
