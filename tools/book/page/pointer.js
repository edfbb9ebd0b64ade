// Moves made on the board: a piece is dragged, or clicked and then its square.
"use strict";

let picked = null;  // the square of the piece in hand, or null
let held = null;    // its picture

function boardOfFen(fen) {
  const board = Array(64).fill(".");
  let square = 56;
  for (const c of fen.split(" ")[0]) {
    if (c === "/") square -= 16;
    else if (c >= "1" && c <= "8") square += Number(c);
    else board[square++] = c;
  }
  return board;
}

const squareName = square => "abcdefgh"[square % 8] + (1 + (square >> 3));
const movesFrom = square => state.position.legal.map(move => move[0]).filter(uci => uci.startsWith(squareName(square)));

function cornerOf(square) {
  const file = square % 8, rank = square >> 3;
  return [45 * (state.turned ? 7 - file : file), 45 * (state.turned ? rank : 7 - rank)];
}

function drawLive() {
  const path = state.position.path, last = path.length > 0 ? path[path.length - 1][0] : null;
  const marked = last ? [squareOf(last, 0), squareOf(last, 2)] : [];
  if (picked !== null) marked.push(picked);
  drawBoard(at("board"), boardOfFen(state.position.fen), state.turned, marked);
  held = null;
  if (picked === null) return;
  held = at("board").querySelector("[transform=\"translate(" + cornerOf(picked).join(" ") + ")\"]");
  for (const square of new Set(movesFrom(picked).map(uci => squareOf(uci, 2)))) {
    const [x, y] = cornerOf(square);
    at("board").append(drawn("circle", {cx: x + 22.5, cy: y + 22.5, r: 7, class: "target"}));
  }
}

function squareAt(event) {
  const box = at("board").getBoundingClientRect();
  const x = Math.floor(8 * (event.clientX - box.left) / box.width), y = Math.floor(8 * (event.clientY - box.top) / box.height);
  if (x < 0 || x > 7 || y < 0 || y > 7) return null;
  return state.turned ? 7 - x + 8 * y : x + 8 * (7 - y);
}

function pick(square) {
  picked = square;
  at("promotion").hidden = true;
  drawLive();
}

// Plays the move between two squares, after asking for the piece of a promotion. False if there is none.
function playBetween(from, to) {
  const moves = movesFrom(from).filter(uci => squareOf(uci, 2) === to);
  if (moves.length === 0) return false;
  pick(null);
  if (moves.length === 1) {
    goOn(moves[0]);
    return true;
  }
  const names = {q: "Queen", r: "Rook", b: "Bishop", n: "Knight"};
  at("promotion").replaceChildren(...moves.map(uci => {
    const b = element("button", names[uci[4]]);
    b.type = "button";
    b.onclick = () => {
      at("promotion").hidden = true;
      focusMoves();
      goOn(uci);
    };
    return b;
  }));
  at("promotion").hidden = false;
  at("promotion").firstChild.focus();
  return true;
}

at("board").onpointerdown = event => {
  const square = squareAt(event);
  if (!state.position || square === null || event.button !== 0) return;
  if (picked !== null && picked !== square && playBetween(picked, square)) return;
  const same = picked === square;
  pick(!same && movesFrom(square).length > 0 ? square : null);
  if (picked !== null) {
    event.preventDefault();
    at("board").setPointerCapture(event.pointerId);
  }
};
at("board").onpointermove = event => {
  if (picked === null || !held || event.buttons === 0) return;
  const box = at("board").getBoundingClientRect(), scale = 360 / box.width;
  const x = scale * (event.clientX - box.left) - 22.5, y = scale * (event.clientY - box.top) - 22.5;
  held.setAttribute("transform", "translate(" + x + " " + y + ")");
  at("board").append(held);
};
at("board").onpointerup = event => {
  const square = squareAt(event);
  if (picked === null || square === picked) return;
  if (square === null || !playBetween(picked, square)) pick(null);
};
