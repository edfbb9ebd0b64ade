// One table of an ending, as a file of Syzygy holds it: win/draw/loss (.rtbw) or distance to
// zeroing (.rtbz). The file is mapped into memory and checked as a whole when it is opened.
// It must not be truncated or overwritten in place while it is mapped: reading past the new end
// kills the process (SIGBUS), which no earlier check can prevent. Replacing the file by renaming
// another one is safe.
#pragma once

#include "engine/board/position.h"
#include "engine/platform/memory.h"
#include "engine/syzygy/layout.h"
#include "engine/syzygy/pairs.h"

#include <memory>

namespace engine {

// How many pieces of each kind, for the table's stronger side and for the other one.
struct PieceCounts {
    std::array<std::array<int, 6>, 2> count{};

    // From a name like KQPvKR. Nothing if it is not the name of 3 to 7 men.
    static std::optional<PieceCounts> from_name(std::string_view name);
    static PieceCounts of(const Position& pos);  // White is the first side
    [[nodiscard]] std::uint64_t key() const;
    [[nodiscard]] PieceCounts swapped() const { return {{count[1], count[0]}}; }
    [[nodiscard]] int men() const;
    [[nodiscard]] bool symmetric() const { return count[0] == count[1]; }
};

class SyzygyTable {
  public:
    enum class Kind { Wdl, Dtz };
    // A distance, or the note that the table has only the other side to move.
    struct Found {
        bool other_side = false;  // the table holds only positions with the other side to move
        int value = 0;
    };

    // Fails on a file that cannot be this table; the error does not name it.
    static Result<std::unique_ptr<SyzygyTable>>
    open(const std::string& path, const PieceCounts& material, Kind kind);
    // `bytes` must outlive the table.
    static Result<std::unique_ptr<SyzygyTable>>
    read(Bytes bytes, const PieceCounts& material, Kind kind);

    // For positions with this material, or with colours swapped. -2 loss .. 2 win; the value is
    // arbitrary where a capture is as good. Nothing if the table is damaged there. Any thread.
    [[nodiscard]] std::optional<int> wdl(const Position& pos) const;
    // Plies to the next capture or pawn move, 1 and up, if the position's result is `wdl`, not 0.
    [[nodiscard]] std::optional<Found> dtz(const Position& pos, int wdl) const;

  private:
    static constexpr std::size_t Files = 4;  // of the leading pawn
    struct Part {                            // one side to move, one file of the leading pawn
        Layout layout;
        Pairs pairs;
        std::array<Bytes, 4> map{};  // values, by kind of result
    };
    struct Lookup {
        const Part* part;
        Squares squares;
        bool second;  // the table's weaker side is to move
    };
    explicit SyzygyTable(const PieceCounts& material) : material_(material) {}
    Result<void> read_all(Bytes bytes, Kind kind);
    bool read_layouts(ByteReader& reader);
    bool read_layout(ByteReader& reader, std::size_t file);
    [[nodiscard]] bool is_of_material(const Men& men) const;
    void read_maps(ByteReader& reader);
    [[nodiscard]] Lookup look_up(const Position& pos) const;
    template <typename Action>
    void for_parts(Action action) {
        for (auto& sides : parts_)
            for (Part& part : sides)
                action(part);
    }

    PieceCounts material_;
    platform::MappedFile file_;
    bool pawns_ = false;
    std::array<bool, 2> side_has_pawns_{};
    std::vector<std::vector<Part>> parts_;  // by file, or one; then by side to move
};

}  // namespace engine
