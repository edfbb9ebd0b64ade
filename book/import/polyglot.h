// PolyGlot's book format: 16 bytes a move, big-endian, by key: key, move, weight, learn.
// Source: "PolyGlot book format", M. van den Bergh; F. Letouzey's PolyGlot.
#pragma once

#include "book/store/store.h"

#include <filesystem>

namespace book {

// How PolyGlot packs a move: squares as ours, promotion in bits 12..14, castling as king takes
// rook.
std::uint16_t to_polyglot(Move m);
// The move in a position where it is legal, or NoMove.
Move from_polyglot(const engine::Position& pos, std::uint16_t bits);

struct PolyglotOptions {
    int min_games = 1;                // of a move
    double min_score = 0;             // 2 * wins + draws, at least
    bool experience = false;          // add own games
    bool uniform = false;             // all weights 1
    bool white = true, black = true;  // moves of these sides
};
// Weight is 2 * wins + draws of the mover, scaled down in positions where that passes 16 bits;
// moves of weight 0 are left out. Returns the number of entries. The file appears whole or not at
// all.
Result<std::int64_t>
export_polyglot(Store& store, const std::filesystem::path& file, const PolyglotOptions& options);

struct PolyglotImport {
    std::int64_t entries = 0;  // in the file, headers left out
    std::int64_t taken = 0;
    std::int64_t unreachable = 0;  // of positions that no line of the book leads to
};
// Takes a book over as games that were drawn: half its weight for each move, for weights say how
// often but not how well. Only what can be reached from the start position: a key alone does not
// tell who moves. The same file again adds nothing.
Result<PolyglotImport> import_polyglot(Store& store, const std::filesystem::path& file);

}  // namespace book
