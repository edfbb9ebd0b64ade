// The board and its pieces.
"use strict";

// Squares are numbers, a1 is 0, h8 is 63.
const startBoard = "RNBQKBNRPPPPPPPP" + ".".repeat(32) + "pppppppprnbqkbnr";
const squareOf = (text, i) => text.charCodeAt(i) - 97 + 8 * (text.charCodeAt(i + 1) - 49);
function play(board, uci) {
  const from = squareOf(uci, 0), to = squareOf(uci, 2), piece = board[from], kind = piece.toLowerCase();
  if (kind === "k" && (board[to] === (piece === "K" ? "R" : "r") || Math.abs(to - from) === 2)) {
    const row = from - from % 8, short = to > from;  // castling, as king's step or king takes rook
    let rook = to;
    if (Math.abs(to - from) === 2 && board[to] === ".") rook = row + (short ? 7 : 0);
    const rookPiece = board[rook];
    board[from] = board[rook] = ".";
    board[row + (short ? 6 : 2)] = piece;
    board[row + (short ? 5 : 3)] = rookPiece;
    return;
  }
  if (kind === "p" && from % 8 !== to % 8 && board[to] === ".") board[from - from % 8 + to % 8] = ".";
  board[to] = uci.length > 4 ? (piece === "P" ? uci[4].toUpperCase() : uci[4]) : piece;
  board[from] = ".";
}

// Pieces in a square of 45 units, drawn for this page.
const foot = "M10 39.5 L10 36.5 Q10 34 13 34 L32 34 Q35 34 35 36.5 L35 39.5 Z";
const shapes = {
  p: ["M22.5 9.5 A5 5 0 0 1 26 18 L29 20 L29 22 L25.6 22 Q26 29 31 32.5 L33 36 L33 39 L12 39 L12 36 L14 32.5 Q19 29 19.4 22 L16 22 L16 20 L19 18 A5 5 0 0 1 22.5 9.5 Z"],
  r: ["M11 8 L16 8 L16 11 L20 11 L20 8 L25 8 L25 11 L29 11 L29 8 L34 8 L34 15 L30.5 18 L31.5 30.5 L34 33 L34 34.5 L11 34.5 L11 33 L13.5 30.5 L14.5 18 L11 15 Z", foot],
  n: ["M12 34.5 Q12 27 19 22.5 L14.5 24 Q12.5 26.5 10 25 Q7.5 23.5 9 20.5 L14 13 L14 7.5 L18 10 Q30 9.5 32.5 21 Q34 28 33 34.5 Z", foot],
  b: ["M22.5 5 A2.4 2.4 0 0 1 24 9.4 Q31 15 31 21.5 Q31 25.5 27.5 28.5 L29.5 31.5 L31.5 34.5 L13.5 34.5 L15.5 31.5 L17.5 28.5 Q14 25.5 14 21.5 Q14 15 21 9.4 A2.4 2.4 0 0 1 22.5 5 Z", foot],
  q: ["M8 12 A2.3 2.3 0 1 1 10.4 14.2 L15 22 L14.8 9.8 A2.3 2.3 0 1 1 17.6 10 L20.6 21 L21.6 8.8 A2.3 2.3 0 1 1 23.4 8.8 L24.4 21 L27.4 10 A2.3 2.3 0 1 1 30.2 9.8 L30 22 L34.6 14.2 A2.3 2.3 0 1 1 37 12 Q36 23 32.5 30 L33 34.5 L12 34.5 L12.5 30 Q9 23 8 12 Z", foot],
  k: ["M21 4 L24 4 L24 6.5 L26.5 6.5 L26.5 9.5 L24 9.5 L24 13 Q33 11 36 16.5 Q38.5 22 32.5 29.5 L33 34.5 L12 34.5 L12.5 29.5 Q6.5 22 9 16.5 Q12 11 21 13 L21 9.5 L18.5 9.5 L18.5 6.5 L21 6.5 Z", foot]
};
const details = {
  r: "M15 18 L30 18 M14 30.5 L31 30.5", n: "M16.5 15.5 L17.5 15.5 M24 13 Q29.5 17 29 29", b: "M22.5 14.5 L22.5 22 M19 18 L26 18 M17.5 28.5 L27.5 28.5",
  q: "M12.5 30 Q22.5 26.5 32.5 30", k: "M22.5 13 Q21 19 22.5 25 Q24 19 22.5 13 M12.5 29.5 Q22.5 26 32.5 29.5"
};
function drawPiece(piece, x, y) {
  const white = piece === piece.toUpperCase(), kind = piece.toLowerCase();
  const g = drawn("g", {transform: "translate(" + x + " " + y + ")", "data-piece": piece});
  for (const d of shapes[kind])
    g.append(drawn("path", {d, fill: white ? "#fbf8f2" : "#38332d", stroke: white ? "#38332d" : "#15120f", "stroke-width": 1.4, "stroke-linejoin": "round"}));
  if (details[kind])
    g.append(drawn("path", {d: details[kind], fill: "none", stroke: white ? "#38332d" : "#e9e2d5", "stroke-width": 1.4, "stroke-linecap": "round"}));
  return g;
}

// `turned`: Black is below; `marked`: squares to highlight.
function drawBoard(svg, board, turned, marked) {
  svg.replaceChildren();
  for (let square = 0; square < 64; ++square) {
    const file = square % 8, rank = square >> 3;
    const x = 45 * (turned ? 7 - file : file), y = 45 * (turned ? rank : 7 - rank);
    const light = (file + rank) % 2 === 1;
    svg.append(drawn("rect", {x, y, width: 45, height: 45, fill: light ? "var(--light)" : "var(--dark)"}));
    if (marked.includes(square))
      svg.append(drawn("rect", {x, y, width: 45, height: 45, fill: "var(--mark)", opacity: 0.45}));
    const edge = {class: light ? "edge on-light" : "edge on-dark"};
    if (y === 315) svg.append(drawn("text", Object.assign({x: x + 38, y: y + 42}, edge), "abcdefgh"[file]));
    if (x === 0) svg.append(drawn("text", Object.assign({x: 2, y: y + 9}, edge), String(rank + 1)));
    if (board[square] !== ".") svg.append(drawPiece(board[square], x, y));
  }
}
