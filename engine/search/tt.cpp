#include "engine/search/tt.h"

#include <algorithm>
#include <system_error>

namespace engine {
namespace {

constexpr std::uint32_t Ages = 32;
constexpr std::size_t LargeTable = std::size_t{256} << 20;  // bytes
constexpr std::size_t Part = std::size_t{2} << 20;          // of it, a huge page

constexpr std::uint16_t check_of(Key key, std::uint64_t payload) {
    return static_cast<std::uint16_t>(key ^ payload ^ payload >> 16 ^ payload >> 32 ^
                                      payload >> 48);
}
constexpr Move move_of(std::uint64_t payload) {
    return Move::from_raw(static_cast<std::uint16_t>(payload));
}
constexpr int depth_of(std::uint64_t payload) {
    return static_cast<int>(payload >> 48 & 255);
}
constexpr std::uint32_t age_of(std::uint64_t payload) {
    return static_cast<std::uint32_t>(payload >> 59);
}
constexpr std::uint64_t low16(int value) {
    return static_cast<std::uint16_t>(value);
}
constexpr int signed16(std::uint64_t payload, int shift) {
    return static_cast<std::int16_t>(payload >> shift & 0xFFFF);
}

// A proved score counts plies from the root in the search, from the node in the table.
constexpr Score to_table(Score s, int ply) {
    return !is_proved(s) ? s : s > 0 ? s + ply : s - ply;
}
// A mate or a win of endgame tables that would come after the 50-move rule is no more than a high
// score: the table does not know how many plies went before.
constexpr Score from_table(Score s, int ply, int clock) {
    if (!is_proved(s))
        return s;
    if ((is_mate(s) ? Mate : TableWin) - std::abs(s) > 100 - clock)
        return s > 0 ? KnownWin - 1 : 1 - KnownWin;
    return s > 0 ? s - ply : s + ply;
}

}  // namespace

Result<void> TranspositionTable::resize(std::size_t mebibytes) {
    platform::Pages memory(mebibytes << 20);
    if (memory.empty())
        return fail("no memory for a hash table of " + std::to_string(mebibytes) + " MiB");
    filler_ = {};
    memory_ = std::move(memory);
    buckets_ = reinterpret_cast<Bucket*>(memory_.data());
    count_ = (mebibytes << 20) / sizeof(Bucket);
    if (memory_.size() <= LargeTable)  // to have the pages; they are zero
        clear();
    else
        fill();
    age_ = 0;
    return {};
}

// A large table is emptied by giving its pages back: the kernel gives fresh ones, which hold zeros.
// A table of ordinary size is filled with zeros here, which is usually before the clock runs.
void TranspositionTable::clear() {
    filler_ = {};
    if (memory_.size() > LargeTable && memory_.reset())
        fill();
    else
        std::for_each(buckets_, buckets_ + count_, [](Bucket& b) {
            for (std::size_t way = 0; way < Ways; ++way) {
                b.payload[way].store(0, std::memory_order_relaxed);
                b.check[way].store(0, std::memory_order_relaxed);
            }
        });
    age_ = 0;
}

// A thread takes the pages while the program goes on; otherwise the first nodes of the search
// would, and on virtual machines a page may take milliseconds. Not if the memory is short: then the
// table takes as much as it needs.
void TranspositionTable::fill() {
    if (platform::available_memory() / 4 * 3 < memory_.size())
        return;
    const auto take_pages = [this](const std::stop_token& stop) {
        for (std::size_t from = 0; from < memory_.size() && !stop.stop_requested(); from += Part)
            if (!memory_.populate(from, std::min(Part, memory_.size() - from)))
                return;
    };
    try {
        filler_ = std::jthread(take_pages);
    } catch (const std::system_error&) {  // no thread: the search takes the pages
    }
}

void TranspositionTable::new_search() {
    age_ = (age_ + 1) % Ages;
}

TtEntry TranspositionTable::probe(Key key, int ply, int clock) const {
    const Bucket& b = bucket(key);
    for (std::size_t way = 0; way < Ways; ++way) {
        const std::uint64_t payload = b.payload[way].load(std::memory_order_relaxed);
        if (payload == 0 || b.check[way].load(std::memory_order_relaxed) != check_of(key, payload))
            continue;
        return {.found = true,
                .pv = (payload >> 58 & 1) != 0,
                .bound = static_cast<Bound>(payload >> 56 & 3),
                .depth = depth_of(payload),
                .score = from_table(signed16(payload, 16), ply, clock),
                .eval = signed16(payload, 32),
                .move = move_of(payload)};
    }
    return {};
}

void TranspositionTable::store(Key key, int ply, const TtEntry& entry) {
    Bucket& b = bucket(key);
    std::size_t victim = 0;
    int lowest = 1'000'000;
    std::uint64_t old = 0;
    for (std::size_t way = 0; way < Ways; ++way) {
        const std::uint64_t payload = b.payload[way].load(std::memory_order_relaxed);
        const bool same =
            payload != 0 && b.check[way].load(std::memory_order_relaxed) == check_of(key, payload);
        const int age_distance = static_cast<int>((age_ - age_of(payload)) % Ages);
        const int replace_value = payload == 0 ? -1'000 : depth_of(payload) - 8 * age_distance;
        if (same || replace_value < lowest) {
            victim = way;
            lowest = replace_value;
            old = same ? payload : 0;
        }
        if (same)
            break;
    }
    // A much deeper entry of this search stays.
    if (old != 0 && entry.bound != Bound::Exact && age_of(old) == age_ &&
        entry.depth + 4 + 2 * entry.pv <= depth_of(old))
        return;

    const Move move = entry.move ? entry.move : move_of(old);
    const std::uint64_t payload =
        move.raw() | low16(to_table(entry.score, ply)) << 16 | low16(entry.eval) << 32 |
        static_cast<std::uint64_t>(std::clamp(entry.depth, 0, 255)) << 48 |
        static_cast<std::uint64_t>(entry.bound) << 56 | std::uint64_t{entry.pv} << 58 |
        std::uint64_t{age_} << 59;
    b.payload[victim].store(payload, std::memory_order_relaxed);
    b.check[victim].store(check_of(key, payload), std::memory_order_relaxed);
}

int TranspositionTable::permille_used() const {
    constexpr std::size_t Sample = 1'000;  // entries
    const std::size_t buckets = std::min(count_, Sample / Ways + 1);
    std::size_t used = 0;
    for (std::size_t i = 0; i < buckets; ++i)
        for (const std::atomic<std::uint64_t>& entry : buckets_[i].payload) {
            const std::uint64_t payload = entry.load(std::memory_order_relaxed);
            used += payload != 0 && age_of(payload) == age_ ? 1U : 0U;
        }
    return buckets == 0 ? 0 : static_cast<int>(used * 1'000 / (buckets * Ways));
}

}  // namespace engine
