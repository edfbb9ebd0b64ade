// What both pages tell of the whole book: facts, learning curve, openings, opponents, lines.
"use strict";

function showFacts(data) {
  at("when").textContent = data.made;
  at("facts").replaceChildren(...data.facts.map(([value, label]) => {
    const fact = element("div");
    fact.append(element("b", value), element("span", label));
    return fact;
  }));
  const remarks = [data.news, data.waiting].filter(text => text);
  at("waiting").textContent = remarks.map(text => text + ".").join(" ");
  at("waiting").hidden = remarks.length === 0;
}

function showCurve(data) {
  const points = data.curve;
  at("learning").hidden = points.length < 2;
  if (points.length < 2) return;
  const width = Math.min(1100, Math.max(320, at("curve").clientWidth || 1100));  // so that the labels keep their size
  const height = 260, left = 44, right = 26, top = 12, bottom = 34;
  const svg = drawn("svg", {viewBox: "0 0 " + width + " " + height, width: "100%", role: "img", "aria-label": "Score over games"});
  const games = points[points.length - 1][0];
  const x = game => left + (width - left - right) * game / games;
  const y = score => height - bottom - (height - top - bottom) * score;
  for (const score of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(drawn("line", {x1: left, x2: width - right, y1: y(score), y2: y(score), stroke: "var(--rule)"}),
               drawn("text", {x: left - 8, y: y(score) + 4, "text-anchor": "end"}, percent(score)));
  }
  const labels = width / 90, step = Math.pow(10, Math.floor(Math.log10(Math.max(1, games / labels))));
  const each = [step, 2 * step, 5 * step, 10 * step].find(n => games / n <= labels);
  for (let game = 0; game <= games; game += Math.max(1, each))
    svg.append(drawn("text", {x: x(game), y: height - 12, "text-anchor": "middle"}, many(game)));
  const trace = (value, colour, dash) => drawn("polyline", {points: points.map(p => x(p[0]).toFixed(1) + "," + y(value(p)).toFixed(1)).join(" "),
    fill: "none", stroke: colour, "stroke-width": 2.2, "stroke-dasharray": dash, "stroke-linejoin": "round"});
  const band = points.map(p => x(p[0]).toFixed(1) + "," + y(inRange(p[1] + p[3])).toFixed(1))
    .concat(points.slice().reverse().map(p => x(p[0]).toFixed(1) + "," + y(inRange(p[1] - p[3])).toFixed(1)));
  svg.append(drawn("polygon", {points: band.join(" "), fill: "var(--line)", opacity: 0.16}),
             trace(p => p[2], "var(--soft)", "5 4"), trace(p => p[1], "var(--line)", "none"));
  const legend = element("div", null, "soft");
  const key = colour => { const k = element("i", null, "key"); k.style.background = colour; return k; };
  legend.append(key("var(--line)"), "score, mean of " + many(data.window) + " games, with its standard error",
                key("var(--soft)"), "expected from the ratings (dashed)");
  at("curve").replaceChildren(svg, legend);
}

const opponentLabels = new Map();  // opponents as the table names them, and their numbers
const linesOf = {best: null, worst: null};  // 0 White, 1 Black, null both

// The best or the worst lines, with buttons for those of one colour of ours.
function showLines(data, id, open) {
  const lines = data[id].filter(line => linesOf[id] === null || line[2] === linesOf[id]).slice(0, 10);
  redraw(at(id + "-of"), () => at(id + "-of").replaceChildren(...[[null, "Both"], [0, "White"], [1, "Black"]].map(([colour, text]) => {
    const b = element("button", text);
    b.type = "button";
    b.setAttribute("aria-pressed", linesOf[id] === colour);
    b.onclick = () => {
      linesOf[id] = colour;
      showLines(data, id, open);
      at(id + "-of").querySelector("[aria-pressed=true]").focus();
    };
    return b;
  })));
  table(id, [["Line"], ["Our colour"], ["Games", 1], ["Won / drawn / lost"], ["Value", 1]],
    lines.map(([uci, text, colour, r, value, width, name]) => {
      const line = element("div", null, "moves"), link = element("button", text, "link");
      link.type = "button";
      line.append(link, element("div", name, "soft"));
      return row([line, colour === 0 ? "White" : "Black", number(many(r[0] + r[1] + r[2])), ownBar(r),
                  number(inRange(value).toFixed(3) + " \u00b1 " + width.toFixed(3))],
        () => open(uci, colour));
    }), "No line has been played twice yet.");
}

// `open`: shows a line, its moves in coordinates and our colour, on the board. `meet`: shows the games against an
// opponent, by their number; without it opponents cannot be clicked.
function showOverview(data, open, meet) {
  showFacts(data);
  showCurve(data);
  table("openings", [["Opening"], ["Games", 1], ["Won / drawn / lost"], ["Score", 1], ["White", 1], ["Black", 1]],
    data.openings.map(([name, white, black]) => {
      const all = white.map((n, i) => n + black[i]);
      return row([name, number(many(all[0] + all[1] + all[2])), ownBar(all), number(score(all)), number(score(white)), number(score(black))]);
    }), "No own games yet.");
  opponentLabels.clear();
  for (const [label, , , , , id] of data.opponents) opponentLabels.set(label, id);
  table("opponents", [["Opponent"], ["Rating", 1], ["Games", 1], ["Won / drawn / lost"], ["Score", 1], ["Expected", 1]],
    data.opponents.map(([name, rating, r, expected, suspicious, id]) => {
      const who = element("span"), link = element(meet ? "button" : "span", name, meet ? "link" : "");
      if (meet) link.type = "button";
      who.append(link);
      if (suspicious) who.append(" ", element("span", "suspicious", "mark"));
      return row([who, number(rating > 0 ? String(rating) : ""), number(many(r[0] + r[1] + r[2])), ownBar(r), number(score(r)), number(percent(expected))],
        meet && (() => meet(id)));
    }), "No opponents yet.");
  for (const id of ["best", "worst"]) showLines(data, id, open);
}
