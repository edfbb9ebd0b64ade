// Imported games in packed blocks, so that an import can be forgotten: their moves inside the book,
// results, ratings, years and hashes. Throws Failure on a block that is damaged.
#pragma once

#include "book/import/sorter.h"

#include <functional>
#include <vector>

namespace book {

struct KeptGame {
    Outcome outcome = Outcome::Unknown;
    bool white = true, black = true;         // whether White's and Black's moves were imported
    int white_rating = 0, black_rating = 0;  // 0: unknown
    int year = 0;                            // 0: unknown
    int min_ply = 0;                         // moves before it were not imported
    std::int64_t hash = 0;                   // game_hash(), 0: not stored
    std::string start{};                     // FEN; "" of the usual start position
    bool white_begins = true;                // not packed: follows from `start`
    std::vector<engine::Move> moves{};
};

// Packs games one by one. A game that turns out to be a duplicate later is left out.
class KeptGames {
  public:
    // `max_bytes`: of all blocks; beyond that no games are kept, see give_up().
    explicit KeptGames(std::size_t max_bytes) : max_bytes_(max_bytes) {}
    // `number` of the game in the import and of its `file`; neither may decrease.
    void add(const KeptGame& game, std::uint64_t number, std::size_t file);
    void give_up();  // keeps nothing, as if there were too many games
    [[nodiscard]] bool gave_up() const { return gave_up_; }
    // Passes on the blocks of all files in order, with the number of moves imported from their
    // games, and removes them. `left_out`: games to leave out, by number; empty: none.
    using Take =
        std::function<void(std::size_t file, const std::string& block, std::int64_t moves)>;
    void take(const std::vector<bool>& left_out, const Take& take);

  private:
    struct Block {
        std::size_t file = 0;
        std::vector<std::pair<std::uint64_t, std::int64_t>> counts{};  // number and moves
        std::string games{};                                           // packed
    };
    void end_block();

    std::size_t max_bytes_, bytes_ = 0;
    bool gave_up_ = false;
    std::vector<Block> blocks_;
    Block open_;  // its games are not packed yet
};

void each_game(const std::string& block, const std::function<void(const KeptGame&)>& take);
// Passes on every move of the game that was imported, as it was counted.
void each_move(const KeptGame& game, const std::function<void(const Occurrence&)>& take);

// Packs a PolyGlot book's moves into a block, and back: keys, moves and draws; other counts are
// lost.
std::string pack_edges(const std::vector<KeyedEdge>& edges);
std::vector<KeyedEdge> unpack_edges(const std::string& block);

}  // namespace book
