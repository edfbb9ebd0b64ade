// PolyGlot's book format: 16 bytes per move, big-endian, sorted by key: key, move, weight, learn.
// Source: "PolyGlot book format", M. van den Bergh; F. Letouzey's PolyGlot.
#pragma once

#include "book/store/store.h"

#include <filesystem>
#include <span>

namespace book {

// PolyGlot's encoding of a move: squares as ours, promotion in bits 12..14, castling as king takes
// rook.
std::uint16_t to_polyglot(Move m);
// The legal move of the position with this encoding, or NoMove.
Move from_polyglot(const engine::Position& pos, std::uint16_t bits);

struct PolyglotOptions {
    int min_games = 1;                // of a move
    double min_score = 0;             // lower bound of 2 * wins + draws
    bool experience = false;          // add own games
    bool uniform = false;             // all weights 1
    bool white = true, black = true;  // moves of these sides
};
// The weight is 2 * wins + draws of the mover, scaled down in positions where that exceeds 16 bits;
// moves of weight 0 and those marked "never" are left out. Returns the number of entries; without
// any, nothing is written. Throws Failure if the file cannot be written, or an exception of SQLite;
// then there is no new file.
std::int64_t
export_polyglot(Store& store, const std::filesystem::path& file, const PolyglotOptions& options);

struct WeightedMove {
    Key key = 0;
    Move move;
    double weight = 0;  // 0..1, as a part of the largest weight of the format
};
// Writes moves, which are in the order of the format: by key, in each position the heaviest first.
// Throws Failure if the file cannot be written; then there is no new file.
void write_polyglot(const std::filesystem::path& file, std::span<const WeightedMove> moves);

struct PolyglotImport {
    std::int64_t entries = 0;  // in the file, without headers
    std::int64_t taken = 0;
    std::int64_t unreachable = 0;  // not reached from the start position, or of weight 0
    bool known = false;            // the file was imported before, and nothing was taken
};
// Imports each move of weight above 0 as weight / 2 drawn games (at least one): a weight says how
// often a move was played, but not how well it scored. Only entries that can be reached from the
// start position are taken, because a key alone does not give the side to move: by moves of the
// file, or by any move to a position of the file. A file that was imported before adds nothing.
// Throws Failure if the file is no PolyGlot book, or an exception of SQLite.
PolyglotImport import_polyglot(Store& store, const std::filesystem::path& file);

}  // namespace book
