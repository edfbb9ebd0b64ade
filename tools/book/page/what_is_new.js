// What the book has learned since a day: games, values that moved, moves found and dropped, imports, changes by hand.
"use strict";

// A table with a title and, where the server has more rows than it sent, their number.
function newsTable(title, heads, list, rowOf) {
  if (list.rows.length === 0) return [];
  const t = element("table"), scroll = element("div", null, "scroll"), head = t.createTHead().insertRow(), body = t.createTBody();
  for (const [text, n] of heads) head.append(element("th", text, n ? "n" : ""));
  for (const item of list.rows) {
    const line = rowOf(item);
    heads.forEach(([text], i) => { line.cells[i].dataset.label = text; });
    body.append(line);
  }
  if (list.all > list.rows.length) t.append(element("caption", "and " + many(list.all - list.rows.length) + " more", "soft"));
  scroll.append(t);
  return [element("h3", title), scroll];
}

function changedRow(move) {
  const change = (before, after) => percent(before) + " \u2192 " + percent(after);
  const value = element("span", change(move.valueBefore, move.value), move.value > move.valueBefore ? "good" : "bad");
  const open = element("button", move.line, "link moves");
  open.type = "button";
  return row([{t: value, c: "n"}, number(change(move.probabilityBefore, move.probability)), move.color === "white" ? "White" : "Black", open], () => {
    remember();
    state.turned = move.color === "black";
    goFrom(move.start, move.moves);
    at("board").scrollIntoView({behavior: "smooth", block: "center"});
  });
}

function showNews(news) {
  const moves = [["Value", 1], ["Played", 1], ["Our colour"], ["Line"]], r = [news.wins, news.draws, news.losses];
  at("news-sum").textContent = (news.games === 0 ? "No new games" : many(news.games) + (news.games === 1 ? " new game, +" : " new games, +") +
    r[0] + " =" + r[1] + " \u2212" + r[2] + ", " + score(r)) + " since " + news.since +
    (news.searched > 0 ? "; " + many(news.searched) + (news.searched === 1 ? " move" : " moves") + " searched" : "") + ".";
  at("news-sum").hidden = false;
  at("news-lists").replaceChildren(
    ...newsTable("Values that changed most", moves, news.moved, changedRow),
    ...newsTable("New book moves", moves, news.found, changedRow),
    ...newsTable("Moves that are no longer played", moves, news.dropped, changedRow),
    ...newsTable("Imported", [["Date"], ["Games", 1], ["File"]], news.imported, i => row([i.date, number(many(i.games)), i.file])),
    ...newsTable("Changed by hand", [["Time"], ["Change"]], news.changed, c => row([c.time, withoutPosition(c.what)])));
}

let newsShown = null, newsAt = 0;  // what was asked for last, and when it was answered
// `since`: {since: a day} or {visit: an earlier visit}; `again`: the book has changed since it was asked. The answer
// compares whole books, so it is not asked again more than once a minute.
function askNews(since, again = false) {
  const latest = comparisons.begin();
  if (!again) {
    newsShown = null;
    at("news-sum").textContent = "Comparing the book with its earlier state \u2026";
    at("news-sum").hidden = false;
    at("news-lists").replaceChildren();
  }
  return attempt(async () => {
    const answer = await ask("news", since);
    if (!latest()) return;
    [newsShown, newsAt] = [since, Date.now()];
    redraw(at("news-lists"), () => showNews(answer));
  }, again);
}

const today = () => new Date().toISOString().slice(0, 10);
at("news-since").onchange = whenTyped(() => { if (at("news-since").value) askNews({since: at("news-since").value}); });
at("news-today").onclick = () => {
  at("news-since").value = today();
  askNews({since: today()});
};
at("news-visit").onclick = () => {
  at("news-since").value = "";
  askNews({visit: lastVisit});
};
at("news").onsubmit = event => event.preventDefault();
