// The transposition table: results of positions already searched, shared by all threads without
// locks. An entry mixed from two writers fails its key check.
#pragma once

#include "engine/board/move.h"
#include "engine/board/result.h"
#include "engine/platform/memory.h"
#include "engine/score.h"

#include <array>
#include <atomic>
#include <thread>

namespace engine {

// Proved scores count from the root, as everywhere in the search; the table stores them from the
// node.
struct TtEntry {
    bool found = false;
    bool pv = false;  // the node was a PV node
    Bound bound = Bound::None;
    int depth = 0;  // plies; 0: from quiescence
    Score score = NoScore;
    Score eval = NoScore;  // static, before correction; NoScore in check
    Move move = NoMove;

    // True if the bound decides a zero-window search against beta.
    [[nodiscard]] bool allows_cutoff(Score beta) const {
        return bound == Bound::Exact ||
               (bound != Bound::None && (bound == Bound::Lower) == (score >= beta));
    }
    // The table's score where its bound shows that it is a better estimate than `estimate`.
    [[nodiscard]] Score refine(Score estimate) const {
        const bool better = bound == Bound::Exact ||
                            (bound != Bound::None && (bound == Bound::Lower) == (score > estimate));
        return better && std::abs(score) < KnownWin ? score : estimate;
    }
};

class TranspositionTable {
  public:
    // Empty and without memory until resize().
    TranspositionTable() = default;
    TranspositionTable(const TranspositionTable&) = delete;
    TranspositionTable& operator=(const TranspositionTable&) = delete;

    // Not during a search. resize() forgets everything; if there is no memory, it fails and the old
    // table stays as it was. Neither resize() nor clear() takes noticeable time, whatever the size:
    // on Linux a thread takes the pages of a large table. new_search() ages all entries.
    Result<void> resize(std::size_t mebibytes);
    void clear();
    void new_search();

    // Any thread. Rarely an entry belongs to another position with the same key bits, so its move
    // may be illegal.
    // `clock`: plies since the last capture or pawn move, for mates that the 50-move rule forbids.
    [[nodiscard]] TtEntry probe(Key key, int ply, int clock = 0) const;
    void store(Key key, int ply, const TtEntry& entry);
    // How many of a thousand entries this search has written, from a sample.
    [[nodiscard]] int permille_used() const;
    void prefetch(Key key) const { __builtin_prefetch(&bucket(key)); }

  private:
    static constexpr std::size_t Ways = 3;
    // Payload from the low bits: move 16, score 16, eval 16, depth 8, bound 2, pv 1, age 5.
    struct alignas(32) Bucket {
        std::array<std::atomic<std::uint64_t>, Ways> payload;
        std::array<std::atomic<std::uint16_t>, Ways> check;  // low key bits xor folded payload
    };
    [[nodiscard]] Bucket& bucket(Key key) const {
        __extension__ using Wide = unsigned __int128;
        return buckets_[static_cast<std::size_t>((Wide{key} * count_) >> 64)];
    }

    void fill();

    platform::Pages memory_;
    Bucket* buckets_ = nullptr;  // in memory_
    std::size_t count_ = 0;
    std::uint32_t age_ = 0;  // 0..31
    std::jthread filler_{};  // uses memory_, so it ends first
};

}  // namespace engine
