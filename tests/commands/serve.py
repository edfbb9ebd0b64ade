"""Asks the live page as a browser, as other pages, and as nobody should. Run by serve.sh."""
import atexit
import base64
import http.client
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import urllib.parse

FOLDER, PICTURES = sys.argv[1], sys.argv[2]
BOOK = os.path.join(FOLDER, "book.db")
PATIENCE = 240  # seconds until a program that hangs is given up


def check(condition, what):
    if not condition:
        raise SystemExit("serve.py: " + what)


class Server:
    """nutcracker-book serve on BOOK."""

    def __init__(self, *options):
        self.process = subprocess.Popen(["nutcracker-book", "--book", BOOK, "--base", "", "serve", *options],
                                        stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{64})", self.address)
        check(found, "no address: " + self.address)
        self.port, self.token = int(found[1]), found[2]

    def ask(self, path, body=None, method=None, **headers):
        """Status, headers and body of an answer. Of the headers None leaves one out."""
        given = {"X-Nutcracker-Token": self.token}
        if body is not None:
            given["Content-Type"] = "application/json"
        given.update({name.replace("_", "-"): value for name, value in headers.items()})
        given = {name: value for name, value in given.items() if value is not None}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method or ("GET" if body is None else "POST"), path,
                           json.dumps(body) if isinstance(body, dict) else body, given)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, dict(answer.getheaders()), text

    def data(self, path, body=None, **query):
        status, _, text = self.ask(path + "?" + urllib.parse.urlencode(query), body)
        check(status == 200, f"{path} {query} {body}: {status} {text}")
        return json.loads(text)

    def refuses(self, status, path, body=None, method=None, **headers):
        got = self.ask(path, body, method, **headers)[0]
        check(got == status, f"{path} {headers}: {got} instead of {status}")

    def raw(self, data):
        """Sends bytes and returns the first line of the answer, "" if the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(data)
            return connection.makefile("rb").readline().decode(errors="replace").strip()

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        check(self.process.wait(PATIENCE) == 0, "serve does not end well")


def shown(*words):
    return subprocess.run(["nutcracker-book", "--book", BOOK, "--base", "", "show", *words],
                          stdout=subprocess.PIPE, text=True, check=False).stdout


def data_is_that_of_the_book(server):
    overview = server.data("/api/overview")
    check(overview["facts"][0] == ["41", "own games"], f"facts: {overview['facts'][0]}")
    start = server.data("/api/position", side="white")
    check(len(start["legal"]) == 20 and start["moves"][0]["uci"] in ("e2e4", "d2d4"), "the start position")
    check(abs(sum(m["probability"] for m in start["moves"]) - 1) < 0.05, "probabilities")
    line = server.data("/api/position", moves="e2e4-c7c5-g1f3")
    check([san for _, san in line["path"]] == ["e4", "c5", "Nf3"] and "Sicilian" in line["opening"], "the path")
    some = server.data("/api/position", moves="e2e4-c7c5", side="white", since="2023-11-15", until="2023-11-15")
    all_games = server.data("/api/position", moves="e2e4-c7c5", side="white")
    check(all_games["filtered"] is None, "results without a filter")
    check(0 < sum(some["filtered"]["g1f3"]) < sum(all_games["moves"][0]["own"]), "results of one day")
    path = "e2e4-c7c5-g1f3-d7d6-d2d4-c5d4-f3d4-g8f6-b1c3-a7a6".split("-")
    for ply in range(len(path)):  # a filter that no game fails changes nothing, also behind the exit
        for side in ("white", "black"):
            seen = server.data("/api/position", moves="-".join(path[:ply]), side=side, since="1900")
            own = {m["uci"]: m["own"] for m in seen["moves"] if sum(m["own"]) > 0}
            check(seen["filtered"] == own, f"after {path[:ply]}, {side}: {seen['filtered']} instead of {own}")

    games = server.data("/api/games")
    check(len(games["games"]) == 20 and games["total"] == 41 and games["more"], "the first page of games")
    check(len(server.data("/api/games", page=1)["games"]) == 20, "the second page")
    here = server.data("/api/games", here=1, moves="d2d4-g8f6")["games"]
    check(10 <= len(here) < 41, "games here")
    black = server.data("/api/games", side="black", result="won")["games"]
    check(black and all(g["color"] == "black" and g["outcome"] == "won" for g in black), "the filter")
    anna = next(o["id"] for o in server.data("/api/opponents") if o["name"] == "Anna")
    check({g["opponent"] for g in server.data("/api/games", opponent=anna)["games"]} == {"Anna"}, "the opponent")
    chosen = next(g for g in games["games"] if g["opponent"] == "Zoe")
    draws = server.data("/api/game", number=chosen["number"])["draws"]
    check(all(sum(c["played"] for c in d["candidates"]) == 1 for d in draws.values()) and "0" in draws, "draws of book moves")
    game = server.data("/api/game", number=games["games"][1]["number"])
    check(game["moves"] and game["exitPly"] is not None and game["date"] == games["games"][1]["date"], "one game")


def text_becomes_a_line(server):
    def line(text, moves=""):
        return server.data("/api/line", {"text": text, "start": "", "moves": moves})

    check(line("1. e4 c5 2. Nf3!? {best} (2. c3 d5) 2... $1 d6 *")["moves"] == "e2e4-c7c5-g1f3-d7d6", "PGN")
    check(line("[Event \"x\"]\n[White \"a [b\"]\n\n1.d4 d5 1-0")["moves"] == "d2d4-d7d5", "PGN with headers")
    check(line("e2e4 e7e5")["moves"] == "e2e4-e7e5", "coordinates")
    check(line("Nf3 d6", "e2e4-c7c5")["moves"] == "e2e4-c7c5-g1f3-d7d6", "moves that go on")
    check(line("1. d4", "e2e4-c7c5")["moves"] == "d2d4", "moves from the start")
    check(line("1... e5 2. Nf3", "e2e4")["moves"] == "e2e4-e7e5-g1f3", "a number and a black move that goes on")
    check(line("1 ... e5", "e2e4-c7c5-g1f3")["moves"] == "e2e4-e7e5", "another move in the place of one shown")
    check(line(" 2.Nf3 d6", "e2e4-c7c5")["moves"] == "e2e4-c7c5-g1f3-d7d6", "a number and a white move that goes on")
    check(line("0-0 Nf6", "e2e4-e7e5-g1f3-b8c6-f1c4-f8c5")["moves"].endswith("f8c5-e1g1-g8f6"), "castling with zeros")
    fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    check(line(fen + " a8=Q+") == {"start": fen, "moves": "a7a8q"}, "a FEN and a move")
    check(line(f'[FEN "{fen}"]\n1. a8=N')["moves"] == "a7a8n", "the tag FEN")
    check(line("\ufeff1. e4 d5 2. e5 f5 3. exf6 e.p. \u00bd-\u00bd")["moves"].endswith("f7f5-e5f6"), "a mark, e.p. and a draw")
    check(line(f'1. e4 e5 *\n\n[FEN "{fen}"]\n1. a8=N')["moves"] == "e2e4-e7e5", "the first of two games")
    for text, start, moves, why in (("20. d4", "", "e2e4-e7e5", "move 20 is not the next"), ("Ke3", "", "e2e4-e7e5", "after 1.e4 e5"),
                                    ("Kd3", fen, "", '"Kd3" is not a move')):
        answer = server.ask("/api/line", {"text": text, "start": start, "moves": moves})
        check(answer[0] == 400 and why in answer[2], f"{text}: {answer}")
    for bad in ("1. e5", "8/8/8/8/8/8/8/8 w - - 0 1", "x" * 30000):
        check(server.ask("/api/line", {"text": bad, "start": "", "moves": ""})[0] == 400, "bad text " + bad[:30])
    check('"e5" is not a move' in server.ask("/api/line", {"text": "1. e5", "start": "", "moves": ""})[2], "no reason")


def marks_are_set_and_undone(server):
    before = server.data("/api/version")
    server.data("/api/mark", {"start": "", "moves": "e2e4", "move": "c7c5", "mark": "never"})
    check(server.data("/api/version") != before, "a mark is no change")
    check("never" in shown("e4"), "the mark is not in the book")
    change = server.data("/api/changes")[0]
    check("c5 as never" in change["what"], "the list of changes: " + change["what"])
    server.refuses(409, "/api/undo", {"id": change["id"] + 1})
    check("never" in shown("e4"), "another change was undone")
    server.data("/api/undo", {"id": change["id"]})
    check("never" not in shown("e4") and not server.data("/api/changes"), "the mark is still there")
    for body in ({}, {"start": "", "moves": "", "move": "e5", "mark": "never"}, "[1]", "{",
                 {"start": "", "moves": "", "move": "e4", "mark": "often"}, {"start": 1, "moves": [], "move": {}, "mark": 0}):
        server.refuses(400, "/api/mark", body)
    check(not server.data("/api/changes"), "a bad request changed the book")


def marks_are_undone_while_an_overlay_learns(server):
    server.data("/api/mark", {"start": "", "moves": "e2e4", "move": "c7c5", "mark": "never"})
    for command in (["unlearn", "--game", "1"], ["learn", "readonly"]):
        subprocess.run(["nutcracker-book", "--book", BOOK, *command], stdout=subprocess.DEVNULL, check=True)
    changes = server.data("/api/changes")  # not the unlearned game: a second click would bring it back
    check(len(changes) == 1 and "c5 as never" in changes[0]["what"], "not the mark alone: " + str(changes))
    subprocess.run(["make_book", BOOK, "learn", "beside", "3", "1"], stdout=subprocess.DEVNULL, check=True)
    check(os.path.exists(BOOK + ".side"), "no overlay")
    before = server.data("/api/games")["total"]
    check(before == 44, "the games in the overlay are not shown")
    changes = server.data("/api/changes")
    check(len(changes) == 1 and "c5 as never" in changes[0]["what"], "not the mark alone: " + str(changes))
    server.data("/api/undo", {"id": changes[0]["id"]})
    check("never" not in shown("e4"), "the mark below a change of games is still there")
    marks_are_set_and_undone(server)
    check(server.data("/api/games")["total"] == before, "a game was undone")


def uncounted_games_are_shown(server):
    zoe = next(o["id"] for o in server.data("/api/opponents") if o["name"] == "Zoe")
    number = server.data("/api/games", opponent=zoe)["games"][0]["number"]
    command = ["nutcracker-book", "--book", BOOK, "unlearn", "--game", str(number)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    check(any(o["id"] == zoe for o in server.data("/api/opponents")), "the opponent of an unlearned game is unknown")
    games = server.data("/api/games", opponent=zoe)["games"]
    check([g["state"] for g in games if g["number"] == number] == ["unlearned"], "an unlearned game looks like one that counts")
    subprocess.run(command[:3] + ["undo"], stdout=subprocess.DEVNULL, check=True)


def news_are_those_of_the_command(server):
    for day in ("2023-11-15", "2023-11-16", "2024-01-01"):
        printed = subprocess.run(["nutcracker-book", "--book", BOOK, "--base", "", "news", "--since", day, "--json"],
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
        check(server.data("/api/news", since=day) == json.loads(printed), "news since " + day)
    news = server.data("/api/news", since="2023-11-15")
    check(0 < news["games"] < 41 and news["moved"]["rows"][0]["moves"], "what games of a day have changed")
    check(server.data("/api/games", learned="2023-11-15")["total"] == news["games"], "the games of the news")
    for bad in ("", "?since=", "?since=soon", "?since=2023-13-01", "?visit=never"):
        server.refuses(400, "/api/news" + bad)
    visit = server.data("/api/visit")
    check(visit["book"] == BOOK, "the book of a visit: " + visit["book"])
    check(server.data("/api/news", visit=visit["visit"])["games"] == 0, "news since a visit just now")
    at, last = visit["visit"].split()[:2]
    check(server.data("/api/news", visit=f"{at} {int(last) - 2}")["games"] == 2, "news since two games")
    check(server.data("/api/games", learned=f"{at} {int(last) - 2}")["total"] == 2, "the games since a visit")


def strangers_are_refused(server):
    good, mark = "/api/version", {"start": "", "moves": "", "move": "e4", "mark": "never"}
    here = f"127.0.0.1:{server.port}"
    server.refuses(200, good, Host=f"localhost:{server.port}", Origin=None)
    for path in ("/", good, "/api/overview"):
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1.evil.example:{server.port}",
                     f"{here}.evil.example", "127.0.0.1:1", f"[::1]:{server.port}", ""):
            server.refuses(403, path, Host=host)
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"https://{here}", f"http://{here}.evil.example"):
            server.refuses(403, path, Origin=origin)
        for referer in ("http://evil.example/", f"http://{here}.evil.example/", f"http://evil.example/?http://{here}/"):
            server.refuses(403, path, Referer=referer)
        for site in ("cross-site", "same-site", "anything"):
            server.refuses(403, path, Sec_Fetch_Site=site)
    for path in ("/api/version", "/api/visit", "/api/overview", "/api/position", "/api/games", "/api/game?number=1", "/api/changes",
                 "/api/news?since=2023-11-15",
                 "/api/opponents", "/api/nothing"):
        server.refuses(403, path, X_Nutcracker_Token=None)
        server.refuses(403, path, X_Nutcracker_Token=server.token[:-1] + ("0" if server.token[-1] != "0" else "1"))
        server.refuses(403, path + ("&" if "?" in path else "?") + "token=" + server.token, X_Nutcracker_Token=None)
    server.refuses(403, "/api/mark", mark, X_Nutcracker_Token=None)
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", None):
        server.refuses(415, "/api/mark", json.dumps(mark), Content_Type=kind)
    server.refuses(404, "/api/mark?" + urllib.parse.urlencode(mark))
    for method in ("OPTIONS", "PUT", "DELETE", "TRACE", "HEAD"):
        server.refuses(405, good, method=method)
        check(server.ask(good, method=method)[1]["Allow"] == "GET, POST", method)
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(f"HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode())
        head = connection.makefile("rb").read()
    check(head.startswith(b"HTTP/1.1 405 ") and head.endswith(b"\r\n\r\n"), f"HEAD: {head}")
    for path in ("/..%2fetc%2fpasswd", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/style.css/../../book.db",
                 "/book.db", "/%00", "/style.css%00.html", "/live.html"):
        server.refuses(403, path, X_Nutcracker_Token=None)
        server.refuses(404, path)
    server.refuses(400, "/%zz")
    server.refuses(413, "/api/line", "x" * 100_000)
    server.data("/api/version", visit="1 2" + " 1234567" * 20_000)  # after many games in progress
    check(not server.data("/api/changes"), "a stranger changed the book")


def answers_keep_the_browser_strict(server):
    for path in ("/", "/style.css", "/live.js", "/api/version", "/nothing"):
        headers = {name.lower(): value for name, value in server.ask(path)[1].items()}
        check("default-src 'self'" in headers["content-security-policy"] and "unsafe" not in headers["content-security-policy"], path)
        check(headers["x-content-type-options"] == "nosniff" and headers["cache-control"] == "no-store", path)
        check(headers["x-frame-options"] == "DENY" and not any("access-control" in name for name in headers), path)
    page = server.ask("/", X_Nutcracker_Token=None)[2]
    check(server.token not in page and "<script>" not in page and " style=" not in page and " on" + "click=" not in page, "the page")
    check(not re.search(r"(href|src)=\"(https?:)?//", page), "the page asks the network")


def garbage_and_slow_ones_do_no_harm(server):
    for data in (b"\x00\xff\x16\x03\x01" * 50 + b"\r\n\r\n", b"GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
                 b"GET / HTTP/1.1\r\nHost: " + b"a" * 20000 + b"\r\n\r\n", b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
                 b"POST /api/mark HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
                 b"POST /api/mark HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n"):
        line = server.raw(data)
        check(line == "" or " 200 " not in line, f"{data[:40]}: {line}")
    slow = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(60)]
    for connection in slow:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
    server.data("/api/version")  # while they all wait
    for connection in slow:
        try:  # closed by the server sooner or later
            check(connection.recv(1000).find(b" 200 ") == -1, "an answer to half a question")
        except ConnectionResetError:
            pass
        connection.close()


def listens_here_alone(server):
    with open("/proc/net/tcp", encoding="ascii") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    check([a for a in listening if a.endswith(f":{server.port:04X}")] == [f"0100007F:{server.port:04X}"], "it listens elsewhere")
    with open("/proc/net/tcp6", encoding="ascii") as table:
        check(not any(line.split()[1].endswith(f":{server.port:04X}") for line in table if line.split()[3] == "0A"), "IPv6")
    second = subprocess.run(["nutcracker-book", "--book", BOOK, "serve", "--port", str(server.port)], capture_output=True, text=True,
                            timeout=PATIENCE, check=False)
    check(second.returncode == 1 and "cannot listen" in second.stderr, "two on one port: " + second.stderr)


def engines_learn_meanwhile(server):
    before = server.data("/api/version")
    engines = [subprocess.Popen(["make_book", BOOK, part], stdout=subprocess.DEVNULL) for part in ("a", "b")]
    while any(engine.poll() is None for engine in engines):
        server.data("/api/position", moves="e2e4")
        server.data("/api/games")
    check([engine.returncode for engine in engines] == [0, 0], "the engines could not learn")
    check(server.data("/api/version") != before, "what was learned is no change")
    check(server.data("/api/games")["total"] == 40, "games are missing")


class Browser:
    """Chromium by its DevTools protocol over a pipe, with one page."""

    def __init__(self, program):
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def connect():  # Chromium reads from descriptor 3 and writes to 4
            spare_in, spare_out = os.dup(to_browser), os.dup(from_browser)
            high_in, high_out = 50, 51
            os.dup2(spare_in, high_in)
            os.dup2(spare_out, high_out)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--user-data-dir=" + os.path.join(FOLDER, "profile"), "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.process.kill)
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.number, self.page, self.errors = b"", 0, None, []
        target = self.do("Target.createTarget", url="about:blank")["targetId"]
        self.page = self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for name in ("Page.enable", "Runtime.enable", "Log.enable"):
            self.do(name)

    def message(self):
        while b"\0" not in self.rest:
            check(select.select([self.into], [], [], PATIENCE)[0], "Chromium is silent")
            more = os.read(self.into, 65536)
            check(more, "Chromium has ended")
            self.rest += more
        first, self.rest = self.rest.split(b"\0", 1)
        return json.loads(first)

    def do(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.page:
            command["sessionId"] = self.page
        os.write(self.out, json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(message["params"])[:500])
            if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
                self.errors.append(message["params"]["entry"]["text"])
            if message.get("id") == self.number:
                check("error" not in message, f"{method}: {message.get('error')}")
                return message["result"]

    def run(self, script):
        result = self.do("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        check("exceptionDetails" not in result, f"{script}: {result.get('exceptionDetails')}")
        return result["result"].get("value")

    def wait(self, condition):
        """Until an expression of the page is true."""
        self.run("new Promise((done, fail) => { const end = Date.now() + 100000; const look = () => { try { if (" + condition +
                 ") return done(); } catch (error) {} if (Date.now() > end) fail(new Error('in vain')); setTimeout(look, 20); }; look(); })")

    def load(self, script):
        """Runs a script that loads the page again, and waits for that."""
        self.run(script)
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def key(self, name, code=None, text=None):
        for kind in ("keyDown", "keyUp"):
            params = {"type": kind, "key": name, "windowsVirtualKeyCode": code or ord(name.upper())}
            if text and kind == "keyDown":
                params["text"] = text
            self.do("Input.dispatchKeyEvent", **params)

    def mouse(self, kind, x, y):
        self.do("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1,
                buttons=0 if kind == "mouseReleased" else 1)

    def square(self, name):
        """The middle of a square of the board, White below."""
        left, top, size = self.run("(() => { at('board').scrollIntoView({block: 'center'}); const b = at('board').getBoundingClientRect();"
                                   " return [b.left, b.top, b.width / 8]; })()")
        return left + size * (ord(name[0]) - 96.5), top + size * (8.5 - int(name[1]))

    def drag(self, origin, target):
        start, end = self.square(origin), self.square(target)
        self.mouse("mousePressed", *start)
        self.mouse("mouseMoved", (start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        self.mouse("mouseMoved", *end)
        self.mouse("mouseReleased", *end)

    def click(self, square):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, *self.square(square))

    def size(self, width, height, dark=False):
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, name):
        height = self.run("document.documentElement.scrollHeight")
        width = self.run("document.documentElement.clientWidth")
        data = self.do("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                       clip={"x": 0, "y": 0, "width": width, "height": min(height, 4000), "scale": 1})["data"]
        with open(os.path.join(PICTURES, name + ".png"), "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.page = None
        self.do("Browser.close")
        self.process.wait(PATIENCE)


MOVES = "state.moves.join(' ')"


def page_plays_and_replays(server, browser):
    browser.size(1200, 900)
    browser.do("Page.navigate", url=server.address)
    browser.wait("at('openings').rows.length > 2 && document.querySelector('tr.on[data-uci]')")
    check(browser.run("location.hash") == "" and browser.run("document.querySelectorAll('[data-piece]').length") == 32, "the start")
    browser.drag("e2", "e4")
    browser.wait(MOVES + " === 'e2e4' && state.position.path.length === 1")
    browser.drag("e7", "e2")  # not legal
    browser.click("c7")
    check(browser.run("document.querySelectorAll('.target').length") == 2, "squares of a pawn")
    browser.click("c5")
    browser.wait(MOVES + " === 'e2e4 c7c5' && at('name').textContent.includes('Sicilian')")
    browser.key("ArrowLeft", 37)
    browser.wait("state.position.path.length === 1 && state.moves.length === 1")
    browser.key("ArrowRight", 39)
    browser.wait("state.position.path.length === 2")
    browser.key("f")
    check(browser.run("state.turned") is True, "the board was not turned")
    browser.key("f")
    browser.key("Home", 36)
    browser.wait("state.position.path.length === 0")
    browser.key("ArrowDown", 40)
    browser.key("Enter", 13, "\r")
    browser.wait("state.position.path.length === 1")
    before = browser.run(MOVES)
    browser.run("at('text').value = '1. e4 e5 2. Nf3 Nc6 3. Bb5'; at('line').requestSubmit()")
    browser.wait(MOVES + " === 'e2e4 e7e5 g1f3 b8c6 f1b5' && state.position.path.length === 5")
    browser.run("history.back()")
    browser.wait(MOVES + f" === '{before}' && state.position.path.length === 1")
    browser.run("history.forward()")
    browser.wait(MOVES + " === 'e2e4 e7e5 g1f3 b8c6 f1b5' && state.position.path.length === 5")
    browser.run("at('text').value = '1. e5'; at('line').requestSubmit()")
    browser.wait("!at('status').hidden && at('status').textContent.includes('is not a move')")
    browser.run("window.scrollTo(0, 1000)")
    browser.wait("at('status').getBoundingClientRect().top >= 0")
    browser.run("window.scrollTo(0, 0)")
    browser.run("at('text').value = '4k3/P7/8/8/8/8/8/4K3 w - - 0 1'; at('line').requestSubmit()")
    browser.wait("state.start && state.position.legal.length === 9 && at('status').hidden")
    browser.drag("a7", "a8")
    browser.wait("at('promotion').children.length === 4")
    browser.run("at('promotion').children[3].click()")
    browser.wait("state.position.path.length === 1 && !at('promotion').checkVisibility()")

    browser.run("location.hash = '#'")
    browser.wait("!state.start && state.position.path.length === 0 && at('games').rows.length === 21")
    browser.run("at('pages').children[1].focus()")
    browser.key("Enter", 13, "\r")
    browser.wait("at('pages').textContent.includes('21 to 40')")
    browser.key("Enter", 13, "\r")
    browser.wait("at('pages').textContent.includes('41 to 41') && document.activeElement === at('pages')")
    check(browser.run(MOVES) == "", "Enter on a button has played a move")
    browser.run("at('pages').children[0].click()")
    browser.wait("at('pages').textContent.includes('21 to 40')")
    browser.run("at('pages').children[0].click()")
    browser.wait("at('pages').textContent.includes('1 to 20')")
    drawn = next(g for g in server.data("/api/games")["games"] if server.data("/api/game", number=g["number"])["draws"])
    browser.run(f"document.querySelector('[aria-label=\"Replay game {drawn['number']}\"]').click()")
    browser.wait("state.game && document.querySelector('.draw tr.on') && state.moves.length === 0")
    check("a book move" in browser.run("at('game').textContent"), "why a book move was played")
    for ply in range(1, drawn["exitPly"] + 1):
        browser.key("ArrowRight", 39)
        browser.wait(f"state.position.path.length === {ply} && state.moves.length === {ply}")
    check("no book move" in browser.run("at('game').textContent"), "the exit of a game")
    browser.run("history.back()")
    browser.wait("!state.game && state.position.path.length === 0")
    browser.run("history.forward()")
    browser.wait(f"state.game && state.game.number === {drawn['number']} && state.position.path.length === {drawn['exitPly']}")
    browser.run("at('game').lastChild.focus()")
    browser.key("Enter", 13, "\r")
    browser.wait(f"at('game').hidden && document.activeElement.getAttribute('aria-label') === 'Replay game {drawn['number']}'")


def refused_changes_say_so(browser):
    browser.run("asked = ask; ask = (name, ...rest) => name === 'mark' || name === 'undo'"
                " ? Promise.reject(new Error('no ' + name)) : asked(name, ...rest)")
    for name, change in ("mark", "mark(state.position.moves[0].uci, 'never')"), ("undo", "at('undo').onclick()"):
        browser.run("done = false; " + change + ".then(() => { done = true; })")
        browser.wait("done")
        check(browser.run("at('status').textContent") == "no " + name, name + ": the error is gone")
    browser.run("ask = asked")


def page_marks_and_undoes(server, browser):
    browser.run("location.hash = '#e2e4'")
    browser.wait("state.position.path.length === 1 && document.querySelector('[data-uci=c7c5] select')")
    browser.run("(() => { const s = document.querySelector('[data-uci=c7c5] select'); s.value = 'prefer';"
                " s.dispatchEvent(new Event('change', {bubbles: true})); })()")
    browser.wait("!at('changed').hidden && at('changed').textContent.includes('prefer')")
    check("prefer" in shown("e4"), "the mark is not in the book")
    refused_changes_say_so(browser)
    browser.run("at('undo').click()")
    browser.wait("at('changed').hidden")
    check("prefer" not in shown("e4"), "the mark was not undone")
    server.data("/api/mark", {"start": "", "moves": "e2e4", "move": "e7e5", "mark": "avoid"})  # by somebody else
    browser.wait("document.querySelector('[data-uci=e7e5] select').value === 'avoid' && at('changed').textContent.includes('e5 as avoid')")
    server.data("/api/undo", {"id": server.data("/api/changes")[0]["id"]})
    browser.wait("document.querySelector('[data-uci=e7e5] select').value === '' && at('changed').hidden")


def page_tells_news(server, browser):
    browser.run("location.hash = '#'; at('news-since').value = '2023-11-15'; at('news-since').dispatchEvent(new Event('change'))")
    browser.wait("at('news-sum').textContent.includes('since 2023-11-15') && at('news-lists').querySelector('tr.go')")
    news = server.data("/api/news", since="2023-11-15")
    check(str(news["games"]) + " new game" in browser.run("at('news-sum').textContent"), "the number of new games")
    browser.run("at('news-lists').querySelector('tr.go').click()")
    browser.wait(MOVES + " === '" + " ".join(news["moved"]["rows"][0]["moves"]) + "'")
    browser.run("at('news-today').click()")
    browser.wait("at('news-sum').textContent.startsWith('No new games since ' + today())")
    check(browser.run("at('news-visit').disabled"), "a visit before the first")
    name, now = f"'visit of {BOOK}'", server.data("/api/visit")["visit"].split()
    check(browser.run(f"localStorage.getItem({name})").split()[1:] == now[1:], "the visit is not kept")
    browser.run("asked = ask; window.days = []; ask = (name, query, ...rest) => { if (name === 'news') days.push(query.since);"
                " return asked(name, query, ...rest); }; for (const day of ['0020-11-15', '0202-11-15', '2023-11-15'])"
                " { at('news-since').value = day; at('news-since').dispatchEvent(new Event('change')); }")
    browser.wait("at('news-sum').textContent.includes('since 2023-11-15')")
    check(browser.run("days.join()") == "2023-11-15", "the digits of a year are asked for one by one")
    browser.run("ask = asked")
    browser.load(f"localStorage.setItem({name}, '{now[0]} {int(now[1]) - 2}'); sessionStorage.removeItem({name}); location.reload()")
    browser.wait("state.position && !at('new').disabled && at('openings').rows.length > 2")
    browser.run("at('here').click(); at('new').click(); at('news-visit').click()")
    browser.wait("at('games').rows.length === 3 && at('news-sum').textContent.startsWith('2 new games')")


def page_filters_by_a_click(server, browser):
    browser.run("location.hash = '#'; at('filter').reset()")
    browser.wait("at('opponents').rows.length > 2 && at('games').rows.length === 21")
    browser.run("[...at('opponents').querySelectorAll('button')].find(b => b.textContent === 'Anna').click()")
    browser.wait("at('opponent').value === 'Anna' && at('games').rows.length > 1 && at('games').rows.length < 21")
    browser.run("at('opponent').value = 'nobody'; refilter()")
    browser.wait("at('games').rows.length === 21 && at('unknown').textContent.includes('No opponent')")
    browser.run("goOn('e2e4')")
    browser.wait("state.position.path.length === 1")
    check(browser.run("at('unknown').textContent.includes('No opponent')"), "the unknown opponent is no longer told")
    browser.run("go([])")
    browser.wait("state.position.path.length === 0")
    browser.run("at('opponent').value = 'anna'; refilter()")
    browser.wait("at('games').rows.length < 21 && !at('unknown').textContent")
    check(browser.run("[...at('games').tBodies[0].rows].every(r => r.textContent.includes('Anna'))"), "games against others")
    browser.run("at('filter').reset()")
    browser.wait("at('games').rows.length === 21")
    browser.run("at('best-of').children[2].click()")
    check(browser.run("at('best').querySelector('button.link') && at('best').rows.length > 1 && [...at('best').tBodies[0].rows].every(r => r.cells[1].textContent === 'Black')"),
          "the best lines with Black")
    browser.run("at('best-of').children[0].click()")
    drawn = next(g for g in server.data("/api/games")["games"] if server.data("/api/game", number=g["number"])["draws"])
    browser.run(f"document.querySelector('[aria-label=\"Replay game {drawn['number']}\"]').click()")
    browser.wait("state.game && at('game').querySelectorAll('.link').length > 1")
    browser.run("at('game').querySelectorAll('.link')[1].click()")
    browser.wait("state.position.path.length === 2 && at('game').textContent.includes('a book move')")


def page_drops_late_lists(server, browser):
    """The answer to an earlier question arrives after that to a later one: by another position, another page, another game."""
    browser.run("at('filter').reset(); goFrom('', [])")
    browser.wait("at('games').rows.length === 21 && state.position.path.length === 0")
    browser.run("window.usual = window.fetch; window.stalled = 0; window.late = 'api/games'; window.fetch = async (address, options) => {"
                " const answer = await usual(address, options);"
                " if (address.startsWith(late) && stalled === 0) { stalled = 1; await new Promise(done => { window.release = done; });"
                " setTimeout(() => { stalled = 2; }, 50); } return answer; }")
    for first, second in (("go(['d2d4', 'g8f6'])", "go([])"), ("(state.page = 1, showGames())", "(state.page = 0, showGames())")):
        browser.run("stalled = 0")
        browser.run(f"void {first}")
        browser.wait("stalled === 1")
        browser.run(f"(async () => {{ await {second}; }})()")
        browser.run("release()")
        browser.wait("stalled === 2")
        check(browser.run("at('games').rows.length === 21 && at('pages').textContent.includes('1 to 20')"), "a late list after " + second)
    browser.run("stalled = 0; late = 'api/game?'")
    first, second = (game["number"] for game in server.data("/api/games")["games"][:2])
    browser.run(f"void replay({first})")
    browser.wait("stalled === 1")
    browser.run(f"(async () => {{ await replay({second}); }})()")
    browser.run("release()")
    browser.wait("stalled === 2")
    check(browser.run("state.game.number") == second, "a late game")
    browser.run("state.game = null; window.fetch = usual")


def page_stays_where_it_is(server, browser):
    """After a double click, a failed answer, a malformed address, and a position that is left before the piece is chosen."""
    browser.run("goFrom('', [])")
    browser.wait("state.position.path.length === 0 && document.querySelector('[data-uci=e2e4]')")
    browser.run("(() => { const e4 = document.querySelector('[data-uci=e2e4]'); e4.click(); e4.click(); })()")
    browser.wait(MOVES + " === 'e2e4' && state.position.path.length === 1")
    browser.run("window.usual = ask; ask = (name, ...rest) => name === 'position' ? Promise.reject(new Error('busy')) : usual(name, ...rest)")
    for change in ("go(['e2e4', 'c7c5'])", "goFrom('4k3/P7/8/8/8/8/8/4K3 w - - 0 1', [])"):
        check(browser.run(change) is False, "a failed answer is none")
        check(browser.run("at('status').textContent === 'busy' && !state.start && " + MOVES + " === 'e2e4' && location.hash === '#e2e4'"),
              "the moves of a failed answer stay")
    browser.run("ask = usual; document.querySelector('[data-uci=c7c5]').click()")
    browser.wait(MOVES + " === 'e2e4 c7c5' && state.position.path.length === 2 && at('status').hidden")
    check(browser.run("withoutPosition('imported 2 games from a, in b.pgn')").endswith("b.pgn"), "the name of a file is cut")
    browser.load("location.hash = '#e2e4-e7e5-e1e8'; location.reload()")
    browser.wait("state.position && state.position.path.length === 0 && at('openings').rows.length > 2 && !at('status').hidden")
    browser.run("pick(6); go(['e2e4'])")
    check(browser.run("picked === null"), "a piece stays picked")
    browser.run("location.hash = '#%zz|e2e4'")
    browser.wait("!state.start && state.position.path.length === 0")
    browser.run("goFrom('4k3/P7/8/8/8/8/8/4K3 w - - 0 1', [])")
    browser.wait("state.position.legal.length === 9")
    browser.drag("a7", "a8")
    browser.wait("!at('promotion').hidden")
    browser.run("goFrom('', [])")
    check(browser.run("at('promotion').hidden"), "the pieces of a promotion stay")


def page_shows_a_change_at_last(server, browser):
    browser.run("window.usual = ask; window.asked = 0; ask = (name, ...rest) =>"
                " name === 'overview' && ++asked === 1 ? Promise.reject(new Error('busy')) : usual(name, ...rest)")
    server.data("/api/mark", {"start": "", "moves": "e2e4", "move": "e7e5", "mark": "avoid"})
    browser.wait("asked > 1 && at('status').hidden")
    browser.run("ask = (name, ...rest) => name === 'opponents' ? Promise.reject(new Error('busy')) : usual(name, ...rest)")
    check(browser.run("showWhole()") is False and browser.run("opponents.size > 0"), "the opponents are gone")
    browser.run("ask = usual")
    server.data("/api/undo", {"id": server.data("/api/changes")[0]["id"]})


def page_takes_a_new_token(server, browser):
    """That of a server that was started again, in a tab that shows the page."""
    browser.run("sessionStorage.setItem('token', '0')")
    browser.load(f"location.hash = '#token={server.token}'")
    browser.wait("at('openings').rows.length > 2")
    check(browser.run("token") == server.token and browser.run("location.hash") == "", "the new token")


def page_fits_everywhere(server, browser):
    game = server.data("/api/games", color="white")["games"][0]["number"]
    for width, height in ((360, 740), (760, 1000), (1200, 900)):
        for dark in (False, True):
            browser.size(width, height, dark)
            browser.do("Page.navigate", url="about:blank")
            browser.do("Page.navigate", url=server.address)
            browser.wait("at('openings').rows.length > 2 && at('games').rows.length > 2")
            browser.run(f"attempt(() => replay({game}))")
            browser.wait("!at('game').hidden")
            browser.key("ArrowRight", 39)
            browser.wait("state.position.path.length === 1")
            browser.run("askNews({since: '2023-11-15'})")
            browser.wait("at('news-lists').querySelector('tr.go')")
            wide = browser.run("document.documentElement.scrollWidth")
            check(wide <= width, f"{wide} pixels wide in a window of {width}")
            check(browser.run("document.documentElement.dataset.theme") == ("dark" if dark else "light"), "light or dark")
            browser.picture(f"serve-{width}-{'dark' if dark else 'light'}")


def page_works_by_keyboard(server, browser):
    browser.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    names = []
    for _ in range(60):
        browser.key("Tab", 9)
        if browser.run("document.activeElement === document.body"):
            break  # past the last one
        names.append(browser.run("(e => e.getAttribute('aria-label') || (e.labels && e.labels[0] && e.labels[0].textContent) || e.textContent)"
                                 "(document.activeElement).trim()"))
        check(names[-1], "a control without a name")
        check(browser.run("getComputedStyle(document.activeElement).outlineStyle") != "none", "no focus is seen at " + names[-1])
    for name in ("Flip", "Our colour", "Opponent", "Mark of"):
        check(any(known.startswith(name) for known in names), f"Tab does not come to {name}: {names}")


subprocess.run(["make_book", BOOK, "3"], stdout=subprocess.DEVNULL, check=True)
live = Server()
engines_learn_meanwhile(live)
subprocess.run(["make_book", BOOK, "chosen"], stdout=subprocess.DEVNULL, check=True)
listens_here_alone(live)
data_is_that_of_the_book(live)
text_becomes_a_line(live)
marks_are_set_and_undone(live)
uncounted_games_are_shown(live)
news_are_those_of_the_command(live)
strangers_are_refused(live)
answers_keep_the_browser_strict(live)
garbage_and_slow_ones_do_no_harm(live)
chromium = shutil.which("chromium") or shutil.which("chromium-browser")
if chromium:
    page = Browser(chromium)
    for test in (page_plays_and_replays, page_marks_and_undoes, page_tells_news, page_filters_by_a_click,
                 page_drops_late_lists, page_stays_where_it_is, page_shows_a_change_at_last, page_takes_a_new_token,
                 page_fits_everywhere, page_works_by_keyboard):
        page.errors = []
        test(live, page)
        check(not [e for e in page.errors if "400" not in e and "409" not in e and "500" not in e], f"errors on the page: {page.errors}")
    page.close()
else:
    print("no chromium: the scripts of the live page were not tested")
marks_are_undone_while_an_overlay_learns(live)
live.stop(signal.SIGINT)
