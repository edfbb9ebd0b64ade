// The moves known in a position, and the marks that people set on them.
"use strict";

const Marks = [["", "none"], ["always", "always"], ["prefer", "prefer"], ["avoid", "avoid"], ["never", "never"]];

// A cell with a name for narrow screens, where a row becomes a card.
function cell(label, content, className) {
  const td = element("td", null, className);
  td.dataset.label = label;
  if (content !== null && content !== undefined) td.append(...[].concat(content));
  return td;
}

function signed(cp) { return (cp > 0 ? "+" : cp < 0 ? "\u2212" : "") + (Math.abs(cp) / 100).toFixed(2); }
function short(n) {
  return n >= 1e9 ? (n / 1e9).toFixed(1) + " G" : n >= 1e6 ? (n / 1e6).toFixed(1) + " M" : n >= 1e4 ? (n / 1e3).toFixed(0) + " k" : many(n);
}

function results(parts, colours, games) {
  const box = element("div", null, "counted");
  box.append(bar(parts, colours, parts.map(many).join(" / ")), element("span", many(games), "soft"));
  return box;
}

function markOf(move) {
  const choice = element("select", null, move.mark ? "marked" : "");
  choice.setAttribute("aria-label", "Mark of " + move.san);
  for (const [value, text] of Marks) choice.append(Object.assign(element("option", text), {value}));
  choice.value = move.mark;
  choice.onchange = () => mark(move.uci, choice.value || "none");
  return choice;
}

function searchOf(move) {
  const s = move.search;
  if (!s) return null;
  const text = element("span", signed(s.cp));
  text.append(element("span", "/" + s.depth, "soft"));
  text.title = [s.engine, "depth " + s.depth, s.nodes > 0 ? short(s.nodes) + " nodes" : "",
                s.at > 0 ? new Date(1000 * s.at).toISOString().slice(0, 10) : ""].filter(Boolean).join(", ");
  return text;
}

function moveRow(move, i) {
  const row = element("tr", null, i === state.row ? "go on" : "go");
  row.dataset.uci = move.uci;
  const play = element("button", move.san, "link san");
  play.type = "button";
  const first = cell("", play, "first");
  if (move.opening) first.append(" ", element("span", move.opening, "soft opening"));
  const own = state.position.filtered ? state.position.filtered[move.uci] || [0, 0, 0] : move.own, ownGames = own[0] + own[1] + own[2], imported = move.imported;
  const known = imported[0] + imported[1] + imported[2];
  const value = element("span", percent(move.value));
  value.append(element("span", " \u00b1 " + (100 * move.deviation).toFixed(1), "soft"));
  row.append(first,
    cell("Played", move.probability === undefined ? "" : percent(move.probability), "n strong"),
    cell("Value", value, "n"),
    cell("Own", ownGames > 0 ? results(own, ours, ownGames) : null),
    cell("Imported", known > 0 ? results(imported, theirs, known) : move.importedGames > 0 ? many(move.importedGames) : null),
    cell("Evidence", move.evidence.toFixed(0), "n"),
    cell("Search", searchOf(move), "n"),
    cell("Mark", markOf(move)));
  row.onclick = event => {
    if (!event.target.closest("select")) goOn(move.uci);
  };
  return row;
}

function showMoves() {
  const position = state.position;
  redraw(at("tree"), () => at("tree").tBodies[0].replaceChildren(...position.moves.map(moveRow)));
  at("tree").hidden = position.moves.length === 0;
  const us = position.side === "white" ? "White" : "Black";
  at("hint").textContent = position.moves.length === 0 ? "The book has no moves here."
    : "Value: our expected score with " + us + ", and its standard deviation. " +
      (position.ours ? "Played: how often the book plays the move" + leaving(position.moves) + "." : "The opponent is to move. Played: how often to expect the move.") +
      (position.filtered ? " Own: only games of this book that match the filter; not of further books." : "");
}
function leaving(moves) {
  const sum = moves.reduce((all, m) => all + (m.probability || 0), 0);
  return sum < 0.995 ? "; in " + percent(1 - sum) + " of games the engine leaves the book here" : "";
}

async function mark(move, name) {
  if (await attempt(() => ask("mark", {}, Object.assign({move, mark: name}, positionQuery(state.shown))))) await changed();
  else show();
}

// "marked f4 as never, before: none" of the same with ", in FEN", if this is the position shown.
const withoutPosition = what => what.replace(/, in ([^ /]+(\/[^ /]+){7} [wb] [^,]*)$/,
  (whole, fen) => state.position && samePosition(fen, state.position.fen) ? "" : whole);
const samePosition = (a, b) => a.split(" ").slice(0, 4).join() === b.split(" ").slice(0, 4).join();

// Moves of the table can be selected and played by keys from here.
function focusMoves() {
  at("tree").tabIndex = -1;
  at("tree").focus({preventScroll: true});
}

// The latest mark, with a button to take it back.
async function showChange() {
  const changes = await ask("changes"), latest = changes[0];
  const focused = !latest && at("changed").contains(document.activeElement);
  at("changed").hidden = !latest;
  if (focused) focusMoves();
  if (!latest) return;
  at("changed").firstElementChild.textContent = sentence(withoutPosition(latest.what));
  at("undo").onclick = async () => {
    if (await attempt(() => ask("undo", {}, {id: latest.id}))) await changed();
    else await attempt(showChange, true);
  };
}
async function changed() {
  await showPosition();
  await attempt(showChange);
}
