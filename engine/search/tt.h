// The transposition table: what is known of positions already searched, shared by all threads
// without locks. An entry torn by two writers fails its key check.
#pragma once

#include "engine/board/move.h"
#include "engine/board/result.h"
#include "engine/score.h"

#include <array>
#include <atomic>
#include <memory>

namespace engine {

// What the table says of a position; scores are seen from the node at `ply`.
struct TtEntry {
    bool found = false;
    bool pv = false;  // once part of a principal variation
    Bound bound = Bound::None;
    int depth = 0;  // plies; 0: from quiescence
    Score score = NoScore;
    Score eval = NoScore;  // static, before any correction; NoScore in check
    Move move = NoMove;

    // Whether the bound settles a search of the zero window below beta.
    [[nodiscard]] bool decides(Score beta) const {
        return bound == Bound::Exact ||
               (bound != Bound::None && (bound == Bound::Lower) == (score >= beta));
    }
    // The better estimate: the score, if its bound lies on the right side of `estimate`.
    [[nodiscard]] Score sharpen(Score estimate) const {
        const bool sharper =
            bound == Bound::Exact ||
            (bound != Bound::None && (bound == Bound::Lower) == (score > estimate));
        return sharper && std::abs(score) < KnownWin ? score : estimate;
    }
};

class TranspositionTable {
  public:
    // Empty and without memory until resize().
    TranspositionTable() = default;

    // Forgets everything. On failure (no memory) the old table stays as it was. Not during a
    // search.
    Result<void> resize(std::size_t mebibytes);
    void clear();       // not during a search
    void new_search();  // ages what is there; not during a search

    // Any thread. A found entry may, rarely, belong to another position: check the move.
    [[nodiscard]] TtEntry probe(Key key, int ply) const;
    void store(Key key, int ply, const TtEntry& entry);
    void prefetch(Key key) const { __builtin_prefetch(&bucket(key)); }

  private:
    static constexpr std::size_t Ways = 3;
    // Payload from the low bits: move 16, score 16, eval 16, depth 8, bound 2, pv 1, age 5.
    struct alignas(32) Bucket {
        std::array<std::atomic<std::uint64_t>, Ways> payload;
        std::array<std::atomic<std::uint16_t>, Ways> check;  // low key bits xor folded payload
    };
    struct Free {
        void operator()(Bucket* p) const;
    };

    [[nodiscard]] Bucket& bucket(Key key) const {
        __extension__ using Wide = unsigned __int128;
        return buckets_.get()[static_cast<std::size_t>((Wide{key} * count_) >> 64)];
    }

    std::unique_ptr<Bucket, Free> buckets_;
    std::size_t count_ = 0;
    std::uint32_t age_ = 0;  // 0..31
};

}  // namespace engine
