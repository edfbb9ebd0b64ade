#include "engine/board/cuckoo.h"

#include "engine/board/attacks.h"
#include "engine/board/zobrist.h"

#include <utility>

namespace engine {
namespace {

// A move in both directions. Its key: the difference of the keys before and after it.
struct Entry {
    Key key = 0;
    std::uint8_t from = 0, to = 0;
};

class CuckooTable {
  public:
    CuckooTable() {
        for (const Color c : {White, Black})
            for (const PieceType t : {Knight, Bishop, Rook, Queen, King})
                for (Square a = 0; a < 64; ++a)
                    for (Square b = a + 1; b < 64; ++b)
                        if ((attacks(t, a, 0) & bit(b)) != 0)
                            insert(make_piece(c, t), a, b);
    }
    // The move with this key; null if there is none.
    [[nodiscard]] const Entry* find(Key key) const {
        for (const std::size_t slot : {first_slot(key), second_slot(key)})
            if (entries_[slot].key == key)
                return &entries_[slot];
        return nullptr;
    }

  private:
    static constexpr std::size_t Slots = 8'192;
    static std::size_t first_slot(Key key) { return key % Slots; }
    static std::size_t second_slot(Key key) { return (key >> 16) % Slots; }

    void insert(Piece p, Square a, Square b) {
        Entry entry{zobrist_piece(p, a) ^ zobrist_piece(p, b) ^ zobrist_white_to_move(),
                    static_cast<std::uint8_t>(a),
                    static_cast<std::uint8_t>(b)};
        // An entry that loses its slot moves to its other one.
        for (std::size_t slot = first_slot(entry.key);;) {
            std::swap(entries_[slot], entry);
            if (entry.key == 0)
                return;
            slot = slot == first_slot(entry.key) ? second_slot(entry.key) : first_slot(entry.key);
        }
    }

    std::array<Entry, Slots> entries_{};
};

}  // namespace

bool is_one_move_away(const Position& pos, Key earlier) {
    static const CuckooTable Table;
    const Entry* move = Table.find(pos.key() ^ earlier);
    return move != nullptr && (between(move->from, move->to) & pos.pieces()) == 0;
}

}  // namespace engine
