// Own games: the filter, the list, and the replay of one with the reasons for its book moves.
"use strict";

const opponents = new Map();  // names as the field lists them, and their numbers
let opponentsKnown = false;   // the server has answered

// When the page was opened before this visit with this book, as the server tells it: seconds since 1970, and numbers of
// games. "" is never.
let lastVisit = "", visiting = false;
async function beginVisit() {
  if (visiting) return;
  const now = await ask("visit"), name = "visit of " + now.book;
  if (sessionStorage.getItem(name) === null) {
    sessionStorage.setItem(name, localStorage.getItem(name) || "");
    localStorage.setItem(name, now.visit);
  }
  lastVisit = sessionStorage.getItem(name);
  visiting = true;
  at("new").textContent = lastVisit ? "New since " + new Date(1000 * parseInt(lastVisit)).toLocaleString("sv").slice(0, 16) : "New since the last visit";
  at("new").disabled = at("news-visit").disabled = !lastVisit;
}
const pressed = id => at(id).getAttribute("aria-pressed") === "true";

// The opponents whose names have all words of the field, or only the one with just this name; upper and lower case make
// no difference.
function chosenOpponents() {
  const plain = name => name.trim().toLowerCase(), text = plain(at("opponent").value);
  const words = text.split(/[^\p{L}\p{N}_]+/u).filter(word => word);
  const label = [...opponentLabels.keys()].find(name => plain(name) === text), id = opponentLabels.get(label);
  const named = [...opponents.keys()].filter(name => plain(name) === text || (id && opponents.get(name) === id));
  return named.length > 0 ? [named.find(name => name === at("opponent").value) || named[0]]
    : [...opponents.keys()].filter(name => words.length > 0 && words.every(word => plain(name).includes(word)));
}

// What to tell about the name in the field.
function aboutOpponent() {
  const names = chosenOpponents(), wanted = at("opponent").value.trim();
  if (!wanted) return "";
  if (names.length === 1) return [names[0], ...opponentLabels.keys()].some(name => name.toLowerCase() === wanted.toLowerCase()) ? "" : "Games against \"" + names[0] + "\".";
  return (names.length === 0 ? "No opponent is called \"" + wanted + "\""
    : many(names.length) + " opponents match \"" + wanted + "\", such as \"" + names[0] + "\"") +
    "; the games against all opponents are shown.";
}

function filter() {
  const query = {};
  for (const name of ["side", "time", "result", "since", "until"])
    if (at(name).value) query[name] = at(name).value;
  const names = chosenOpponents();
  if (names.length === 1) query.opponent = opponents.get(names[0]);
  if (pressed("new")) query.learned = lastVisit;
  return query;
}

async function showGames() {
  const latest = lists.begin();
  at("unknown").textContent = aboutOpponent();
  const query = Object.assign(filter(), {page: state.page});
  if (pressed("here")) Object.assign(query, positionQuery(), {here: 1});
  const list = await ask("games", query);
  if (!latest()) return;
  table("games", [["Game", 1], ["Date"], ["Our colour"], ["Opponent"], ["Result"], ["Opening"], ["Left the book"], ["Time"]],
    list.games.map(gameRow), Object.keys(filter()).length === 0 && opponentsKnown && opponents.size === 0 ? "No own games yet."
      : !pressed("here") ? "No matching games." : "No matching games reached this position.");
  const turnTo = (text, page, possible) => {
    const b = element("button", text);
    b.type = "button";
    b.disabled = !possible;
    b.onclick = () => { state.page = page; attempt(showGames); };
    return b;
  };
  const from = 20 * list.page;
  const range = list.games.length === 0 ? "" : many(from + 1) + " to " + many(from + list.games.length) +
    (list.total === null ? "" : " of " + many(list.total));
  redraw(at("pages"), () => at("pages").replaceChildren(turnTo("Newer", list.page - 1, list.page > 0),
    turnTo("Older", list.page + 1, list.more), element("span", range, "soft")));
  at("pages").hidden = list.page === 0 && !list.more;
}

function gameRow(game) {
  const row = element("tr", null, state.game && state.game.number === game.number ? "go on" : "go");
  const open = element("button", String(game.number), "link");
  open.type = "button";
  open.setAttribute("aria-label", "Replay game " + game.number);
  const who = element("span", game.opponent);
  if (game.rating > 0) who.append(element("span", " " + game.rating, "soft"));
  const outcome = element("span", game.outcome || "*", "outcome " + game.outcome);
  outcome.title = [game.result, game.ending, game.reason].filter(Boolean).join(", ");
  const uncounted = game.state === "learned" ? [] : [" ", element("span", game.state, "soft")];
  row.append(cell("Game", open, "n"), cell("Date", game.date), cell("We", game.color === "white" ? "White" : "Black"),
    cell("Opponent", who), cell("Result", [outcome, ...uncounted]), cell("Opening", game.opening || null), cell("Left the book", exitOf(game)),
    cell("Time", game.timeControl || game.time + (game.time === "blitz" ? "?" : "")));
  row.onclick = () => attempt(() => replay(game.number));
  return row;
}

// "6...a6 (+0.20)": the move with which the book was left, and our score then, if there is one.
function exitOf(game) {
  return game.exit === "" ? null : game.exit + (game.exitDepth < 0 ? "" : " (" + signed(game.exitCp) + ")");
}

async function replay(number) {
  const latest = replays.begin();
  const game = await ask("game", {number});
  if (!latest()) return;
  const plies = Math.min(game.moves.length, state.start === game.start && state.moves.every((m, i) => m === game.moves[i])
    ? state.moves.length : 0);
  remember();
  state.turned = game.color === "black";
  state.start = game.start;
  state.game = game;
  state.future = game.moves;
  history.pushState(null, "", location.hash || "#");
  await go(game.moves.slice(0, plies), game.moves);
  at("board").scrollIntoView({behavior: "smooth", block: "center"});
}

// The game replayed may have changed in the book, or be gone.
async function askGameAgain() {
  const number = state.game.number;
  let game = null;
  try {
    game = await ask("game", {number});
  } catch (error) {
    if (!error.message.startsWith("There is no game")) throw error;
  }
  if (!state.game || state.game.number !== number) return;
  state.game = game;
  remember();
  if (state.position) showReplay();
}

// Goes on with the replay of a game after the browser's Back or a reload.
async function replayAgain(number) {
  const latest = replays.begin();
  const game = await ask("game", {number});
  if (!latest() || state.start !== game.start || !state.moves.every((m, i) => m === game.moves[i])) return;
  state.game = game;
  state.future = game.moves;
  remember();
  if (state.position) showReplay();
}

// What is known of the game at the position on the board, and why the next move was played.
function showReplay() {
  const game = state.game, box = at("game");
  box.hidden = !game;
  if (!game) return;
  const title = element("p");
  title.append(element("b", "Game " + game.number), ", " + [game.date, (game.color === "white" ? "White" : "Black") + " against " + game.opponent,
    game.result, game.ending, game.reason, game.timeControl, game.event].filter(Boolean).join(", ") +
    (game.state === "learned" ? "" : " (" + game.state + ": does not count)"));
  const close = element("button", "Close");
  close.type = "button";
  close.onclick = () => {
    state.game = null;
    remember();
    show();
    at("games").tabIndex = -1;
    (at("games").querySelector("[aria-label=\"Replay game " + game.number + "\"]") || at("games")).focus();
    attempt(showGames);
  };
  const draw = game.draws[state.moves.length], scroll = element("div", null, "scroll");
  if (draw) scroll.append(drawTable(draw));
  redraw(box, () => box.replaceChildren(title, whyEach(game), element("p", whatNext(game), "soft"), scroll, close));
}

// Our moves up to the exit from the book: each leads to the position in which it was chosen, and to the reasons.
function whyEach(game) {
  const line = element("p", "Reasons for our moves: "), last = Math.min(game.exitPly === null ? 39 : game.exitPly, game.moves.length - 1);
  const first = game.start ? game.start.split(" ") : ["", "w", "", "", "", "1"], odd = first[1] === "b" ? 1 : 0;
  for (let ply = 0; ply <= last; ++ply) {
    const turn = ply + odd, n = Number(first[5]) + (turn >> 1);
    if ((turn % 2 === 0) !== (game.color === "white")) continue;
    const why = element("button", n + (turn % 2 === 0 ? "." : "...") + game.sans[ply], "link");
    why.type = "button";
    why.setAttribute("aria-current", ply === state.moves.length);
    why.onclick = () => go(game.moves.slice(0, ply), game.moves);
    line.append(why, " ");
  }
  line.hidden = line.children.length === 0;
  return line;
}

function whatNext(game) {
  const ply = state.moves.length;
  if (ply >= game.moves.length) return "The game ended here.";
  const legal = state.position.legal.find(move => move[0] === game.moves[ply]), next = legal ? legal[1] : game.moves[ply];
  const turn = state.position.fen.split(" ")[1] === "w" ? "white" : "black";
  if (turn !== game.color) return "Next: " + next + ", the opponent's move.";
  if (game.exitPly !== null && ply >= game.exitPly)
    return "Next: " + next + ", no book move: the game left the book after " + game.exitPly + (game.exitPly === 1 ? " ply" : " plies") +
      (game.exitDepth < 0 ? "." : ", with a score of " + signed(game.exitCp) + " at depth " + game.exitDepth + ".");
  return "Next: " + next + (game.draws[ply] ? ", a book move, chosen at random from these:"
    : game.imported ? ", not chosen by this book: the game was played elsewhere and imported." : ". The choice of this move was not recorded.");
}

function drawTable(draw) {
  const t = element("table", null, "draw"), head = t.createTHead().insertRow(), body = t.createTBody();
  const columns = [["Value", "value", 3], ["Lesson", "lesson", 3, 0], ["Penalty", "penalty", 3, 0], ["Evidence", "evidence", 1],
    ["Popular", "popularity", 3, 1], ["Drawn", "drawn", 3]].filter(([, name, , usual]) => draw.candidates.some(c => c[name] !== usual));
  for (const text of ["Move", ...columns.map(([text]) => text), ""])
    head.append(element("th", text, text === "Move" || text === "" ? "" : "n"));
  for (const c of draw.candidates) {
    const cells = [element("span", c.san, "san"), ...columns.map(([, name, digits]) => number(c[name].toFixed(digits))),
      [c.played ? "played" : "", c.mark].filter(Boolean).join(", ")];
    const line = row(cells);
    line.classList.toggle("on", c.played);
    body.append(line);
  }
  t.append(element("caption", "Drawn: the value, plus the lesson (what a game with the move may teach), plus half the temperature times the logarithm of the popularity, plus a random amount " +
    "with deviation " + draw.deviation + " for one game's evidence and temperature " + draw.temperature + ". The move with the highest drawn value is played, among the moves at most " +
    draw.slack + " below the best.", "soft"));
  return t;
}

// All games against an opponent, by their number.
async function showGamesAgainst(id) {
  const known = [...opponents].find(([, number]) => number === id);
  at("opponent").value = known ? known[0] : "";
  press("here", false);
  await refilter();
  at("filter").scrollIntoView({behavior: "smooth", block: "start"});
}

function press(id, on) { at(id).setAttribute("aria-pressed", on); }
async function refilter() {
  state.page = 0;
  await showPosition();
}
for (const id of ["new", "here"])
  at(id).onclick = () => { press(id, !pressed(id)); refilter(); };
const refilterLater = whenTyped(refilter);
at("filter").onchange = event => event.target.type === "date" ? refilterLater() : refilter();
at("filter").onsubmit = event => event.preventDefault();
at("filter").onreset = () => {
  press("new", false);
  press("here", true);
  setTimeout(refilter);
};
