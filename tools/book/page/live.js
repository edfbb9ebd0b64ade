// The live page: asks the server for what is shown, and again when the book has changed.
"use strict";

const state = {
  start: "", moves: [], future: [],  // a FEN, or "" for the usual start; in coordinates
  turned: false, row: 0,
  position: null,  // the server's answer that is shown,
  shown: {start: "", moves: []},  // and what it is for: start and moves may be ahead
  game: null,      // the own game that is replayed, or null
  page: 0,         // of the list of games
  version: ""
};

// The token is in the address that the command printed. It stays in this tab, out of the address.
function takeToken() {
  const found = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (!found) return false;
  sessionStorage.setItem("token", found[1]);
  history.replaceState(null, "", location.pathname);
  return true;
}
takeToken();
const token = sessionStorage.getItem("token") || "";

function say(text) {
  at("status").textContent = text;
  at("status").hidden = !text;
}

// The answer to a question, or to a change if there is a body. Throws an Error for people.
async function ask(name, query, body) {
  const address = "api/" + name + "?" + new URLSearchParams(query || {});
  const headers = {"X-Nutcracker-Token": token};
  if (body) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address, body ? {method: "POST", headers, body: JSON.stringify(body)} : {headers});
  } catch (error) {
    throw new Error("The server does not answer: \"nutcracker-book serve\" has ended.");
  }
  if (!answer.ok) throw new Error(sentence((await answer.text()).trim()));
  return answer.json();
}
const sentence = text => text.charAt(0).toUpperCase() + text.slice(1) + ".";

// Things of one kind that wait for the server. begin() begins one, and returns whether no other has begun since.
class Latest {
  begun = 0;
  begin() {
    const mine = ++this.begun;
    return () => mine === this.begun;
  }
}

// Runs what asks the server, and tells what went wrong. Only the latest clears the message: an earlier one that ends
// now would clear what the person has not read yet. Nor does one that keeps it, such as what follows a failure.
const attempts = new Latest();
async function attempt(work, keeps = false) {
  const latest = attempts.begin();
  try {
    await work();
    if (latest() && !keeps) say("");
    return true;
  } catch (error) {
    say(error.message);
    return false;
  }
}

const positionQuery = (of = state) => ({start: of.start, moves: of.moves.join("-")});

// An answer that another one, or for a list another position, has overtaken is dropped.
const positions = new Latest(), lists = new Latest(), replays = new Latest(), comparisons = new Latest();

// False if that failed; then the position shown before is again the one to go on from.
async function showPosition() {
  const latest = positions.begin(), asked = {start: state.start, moves: state.moves};
  lists.begin();
  const done = await attempt(async () => {
    const position = await ask("position", Object.assign(filter(), positionQuery()));
    if (!latest()) return;
    state.position = position;
    state.shown = asked;
    show();
    await showGames();
  });
  if (!done && latest() && state.shown !== asked) {
    state.start = state.shown.start;
    setMoves(state.shown.moves);
    if (state.position) show();
  }
  return done;
}

function show() {
  const position = state.position;
  state.row = Math.max(0, Math.min(state.row, position.moves.length - 1));
  drawLive();
  showPath(position.path.map(move => move[1]));
  at("name").textContent = position.opening;
  at("fen").textContent = position.fen;
  showMoves();
  showReplay();
}

function showPath(sans) {
  const first = state.start ? state.start.split(" ") : ["", "w", "", "", "", "1"];
  const odd = first[1] === "b" ? 1 : 0, number = Number(first[5]) || 1;
  const link = (text, plies) => {
    const b = element("button", text, "link");
    b.type = "button";
    b.onclick = () => goFromShown(plies);
    return b;
  };
  const parts = [link("Start", 0)];
  sans.forEach((san, i) => {
    const ply = i + odd, white = ply % 2 === 0, n = number + (ply >> 1);
    parts.push(" ", link((white ? n + "." : i === 0 ? n + "..." : "") + san, i + 1));
  });
  parts[parts.length - 1].setAttribute("aria-current", "true");
  redraw(at("path"), () => at("path").replaceChildren(...parts));
}

// Keeps the game and the side below for the browser's Back.
function remember(hash = location.hash || "#") {
  history.replaceState({game: state.game && state.game.number, turned: state.turned}, "", hash);
}
// A jump to another line is a step for the browser's Back; a step along the line is none.
function setMoves(moves, future = state.future, jump = false) {
  if (moves.join() !== state.moves.join()) {
    if (pressed("here")) state.page = 0;
    picked = null;
  }
  state.moves = moves;
  state.future = future.length > moves.length && moves.every((m, i) => m === future[i]) ? future : moves;
  if (state.game && !(state.game.start === state.start && moves.every((m, i) => m === state.game.moves[i]))) state.game = null;
  state.row = 0;
  at("promotion").hidden = true;
  const hash = "#" + (state.start ? encodeURIComponent(state.start) + "|" : "") + moves.join("-");
  if (jump && (location.hash || "#") !== hash) history.pushState(null, "", hash);
  remember(hash);
}
function go(moves, future, jump) {
  setMoves(moves, future, jump);
  return showPosition();
}
function goFrom(start, moves, jump = true) {
  if (start !== state.start) picked = null;
  state.start = start;
  state.future = [];
  state.game = null;
  return go(moves, moves, jump);
}
// Goes back to a ply of the position shown, or on with a move: the answer for a later position may not have come yet.
function goFromShown(plies, ...moves) {
  state.start = state.shown.start;
  return go(state.shown.moves.slice(0, plies).concat(moves));
}
const goOn = uci => goFromShown(state.shown.moves.length, uci);
const back = () => { if (state.moves.length > 0) go(state.moves.slice(0, -1)); };
function forward() {
  const known = state.position ? state.position.moves : [];
  if (state.future.length > state.moves.length) go(state.future.slice(0, state.moves.length + 1));
  else if (known.length > 0) goOn(known[state.row].uci);
}
function select(step) {
  state.row += step;
  state.future = state.moves;
  show();
}
function turn() {
  state.turned = !state.turned;
  remember();
  show();
}

at("first").onclick = () => go([]);
at("back").onclick = back;
at("next").onclick = forward;
at("flip").onclick = turn;
at("line").onsubmit = event => {
  event.preventDefault();
  attempt(async () => {
    const line = await ask("line", {}, Object.assign({text: at("text").value}, positionQuery(state.shown)));
    const moves = line.moves ? line.moves.split("-") : [];
    at("text").value = "";
    if (line.start === state.start) await go(moves, moves, true);
    else await goFrom(line.start, moves);
  });
};
at("text").onkeydown = event => {
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  at("line").requestSubmit();
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !state.position) return;
  if (event.target.closest("input, select, textarea")) return;
  const keys = {ArrowLeft: back, ArrowRight: forward, Home: () => go([]),
    ArrowUp: () => select(-1), ArrowDown: () => select(1), f: turn, F: turn};
  if (!at("promotion").hidden) keys.Escape = () => at("promotion").hidden = true;
  if ([document.body, at("tree")].includes(event.target)) keys.Enter = () => { state.future = state.moves; forward(); };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

function showWhole() {
  return attempt(async () => {
    showOverview(await ask("overview"), (moves, colour) => {
      remember();
      state.turned = colour === 1;
      goFrom("", moves);
      at("board").scrollIntoView({behavior: "smooth", block: "center"});
    }, showGamesAgainst);
    const list = await ask("opponents");
    const named = new Map();
    const plain = o => o.name.toLowerCase();
    for (const o of list) named.set(plain(o), (named.get(plain(o)) || 0) + 1);
    opponents.clear();
    opponentsKnown = true;
    for (const o of list)
      opponents.set(named.get(plain(o)) > 1 ? o.name + ", " + (o.server || "local") : o.name, o.id);
    if (list.length === 0) await showGames();
    at("known").replaceChildren(...[...opponents.keys()].map(value => Object.assign(element("option"), {value})));
  });
}

// A cheap question every few seconds; the rest only when the book has changed, or what is shown failed to come.
let lost = false, stale = false;
async function refresh(position) {
  if (state.game) await attempt(askGameAgain, true);
  if (newsShown && Date.now() - newsAt > 60000) askNews(newsShown, true);
  stale = !(await position && await showWhole() && await attempt(beginVisit, true) && await attempt(showChange, true));
}
async function poll() {
  if (!document.hidden) {
    try {
      const version = (await ask("version")).version;
      if (lost) say("");
      lost = false;
      if (stale || (state.version && version !== state.version)) await refresh(showPosition());
      state.version = version;
    } catch (error) {
      say(error.message);
      lost = true;
    }
  }
  setTimeout(poll, 3000);
}

// Moves, or a FEN, "|" and moves; an address that is none leads to the start.
function fromHash() {
  let [start, moves] = location.hash.includes("|") ? location.hash.slice(1).split("|") : ["", location.hash.slice(1)];
  try {
    start = decodeURIComponent(start);
  } catch (error) {
    [start, moves] = ["", ""];
  }
  const kept = history.state || {};
  if (kept.turned !== undefined) state.turned = kept.turned;
  replays.begin();
  const done = goFrom(start, moves.split("-").filter(m => /^[a-h][1-8][a-h][1-8][qrbn]?$/.test(m)), false);
  if (kept.game) {
    history.replaceState(kept, "", location.hash || "#");
    attempt(() => replayAgain(kept.game));
  }
  return done;
}
window.onpopstate = () => { if (takeToken()) location.reload(); else fromHash(); };
// The version comes first, so that a change while the rest comes is seen. An address that leads nowhere is told when the
// start position is shown.
async function begin() {
  await attempt(async () => { state.version = (await ask("version")).version; });
  const found = await fromHash(), why = at("status").textContent;
  await refresh(found || showPosition());
  if (!found && !stale) say(why);
  poll();
}
begin();
