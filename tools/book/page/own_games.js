// Own games: the list with its filter, and the replay of one with the reasons for its book moves.
"use strict";

function filterOfPosition() { return {}; }
async function showGames() {}
function showReplay() {}
