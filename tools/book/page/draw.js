// What both pages share: elements, bars, tables, light and dark.
"use strict";
const at = id => document.getElementById(id);

// Text from games enters the page as text, never as markup.
function element(tag, text, className) {
  const e = document.createElement(tag);
  if (text !== undefined && text !== null) e.textContent = text;
  if (className) e.className = className;
  return e;
}
function drawn(tag, attributes, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in attributes) e.setAttribute(name, attributes[name]);
  if (text !== undefined) e.textContent = text;
  return e;
}
// Values of moves of few games may lie outside of 0 to 1, since results are adjusted by the ratings.
const inRange = x => Math.max(0, Math.min(1, x));
// A date input changes with every digit of its year: does the work when no change has come for a while.
function whenTyped(work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, 700);
  };
}
const percent = x => (100 * inRange(x)).toFixed(0) + " %";
const many = n => n.toLocaleString("en-US");

function bar(parts, colours, title) {
  const sum = parts.reduce((a, b) => a + b, 0), e = element("div", null, "bar");
  e.title = title;
  e.setAttribute("role", "img");
  e.setAttribute("aria-label", title);
  if (sum > 0) parts.forEach((part, i) => {
    const piece = element("i");
    piece.style.width = 100 * part / sum + "%";
    piece.style.background = colours[i];
    e.append(piece);
  });
  return e;
}
const ours = ["var(--win)", "var(--draw)", "var(--loss)"], theirs = ["var(--white)", "var(--draw)", "var(--black)"];
const ownBar = r => bar(r, ours, "+" + r[0] + " =" + r[1] + " \u2212" + r[2]);

// Draws `box` anew. The focus stays on the control of the same name, or else on the box: on the page itself, and on the
// table of moves, Enter plays a move.
function redraw(box, draw) {
  const name = control => control.getAttribute("aria-label") || control.textContent;
  const focused = box.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (!focused || (focused.isConnected && !focused.disabled)) return;
  const again = [...box.querySelectorAll("button, select")].find(c => name(c) === name(focused) && !c.disabled);
  box.tabIndex = -1;
  (again || box).focus({preventScroll: true});
}
function table(id, heads, rows, none) {
  const t = at(id);
  redraw(t, () => {
    t.replaceChildren();
    if (rows.length === 0) { t.append(element("caption", none, "soft")); return; }
    const head = t.createTHead().insertRow(), body = t.createTBody();
    for (const [text, n] of heads) head.append(element("th", text, n ? "n" : ""));
    for (const row of rows) body.append(row);
  });
}
function row(cells, go) {
  const r = element("tr", null, go ? "go" : "");
  for (const cell of cells) {
    const td = element("td", null, typeof cell === "object" && !(cell instanceof Node) ? cell.c : "");
    td.append(cell instanceof Node ? cell : typeof cell === "object" ? cell.t : cell);
    r.append(td);
  }
  if (go) r.onclick = go;
  return r;
}
const number = text => ({t: text, c: "n"});
const score = r => { const n = r[0] + r[1] + r[2]; return n > 0 ? percent((r[0] + r[1] / 2) / n) : "\u2013"; };

// Light or dark: the preference of the system, until the button changes it.
function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  at("theme").textContent = dark ? "Light" : "Dark";
}
const prefers = window.matchMedia("(prefers-color-scheme: dark)");
theme(prefers.matches);
prefers.onchange = () => theme(prefers.matches);
at("theme").onclick = () => theme(document.documentElement.dataset.theme !== "dark");
