#include "book/import/sorter.h"

#include "book/import/run_file.h"
#include "book/store/failure.h"
#include "engine/platform/memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace book {
namespace {

// A record's order is that of (signed key, move). Its data, from the top: move, outcome, rating,
// year and the number of the game, counted from the first game of the run.
constexpr std::uint64_t SignBit = 1ULL << 63;
constexpr int MoveShift = 47, OutcomeShift = 45, RatingShift = 33, YearShift = 21;
constexpr std::uint64_t TwelveBits = 0xFFF, MaxGame = (1ULL << YearShift) - 1;
constexpr int BucketBits = 8;  // the top bits of the key, which select the bucket
constexpr std::size_t Buckets = std::size_t{1} << BucketBits;
constexpr std::size_t ChunkSize = 256;  // records

SortRecord pack(const Occurrence& o, std::uint64_t first_game) {
    return {.key = o.key ^ SignBit,
            .data = static_cast<std::uint64_t>(o.move + 65'536) << MoveShift |
                    static_cast<std::uint64_t>(o.outcome) << OutcomeShift |
                    (static_cast<std::uint64_t>(o.rating) & TwelveBits) << RatingShift |
                    (static_cast<std::uint64_t>(o.year) & TwelveBits) << YearShift |
                    (o.game - first_game)};
}

void count(Edge& edge, const SortRecord& p) {
    switch (static_cast<Outcome>(p.data >> OutcomeShift & 3)) {
    case Outcome::White:
        ++edge.white;
        break;
    case Outcome::Draw:
        ++edge.draws;
        break;
    case Outcome::Black:
        ++edge.black;
        break;
    case Outcome::Unknown:
        ++edge.unknown;
        break;
    }
    if (const auto rating = static_cast<std::int64_t>(p.data >> RatingShift & TwelveBits);
        rating > 0) {
        ++edge.rated;
        edge.ratings += rating;
    }
    edge.last = std::max(edge.last, static_cast<int>(p.data >> YearShift & TwelveBits));
}

void sort_few(std::span<SortRecord> records) {
    constexpr std::size_t Few = 24;
    if (records.size() > Few)
        return std::sort(records.begin(), records.end());
    for (std::size_t i = 1; i < records.size(); ++i) {
        const SortRecord p = records[i];
        std::size_t j = i;
        for (; j > 0 && p < records[j - 1]; --j)
            records[j] = records[j - 1];
        records[j] = p;
    }
}

// One block of memory in chunks, which the buckets take one by one.
class Chunks {
  public:
    explicit Chunks(std::size_t count)
        : memory_(count * ChunkSize * sizeof(SortRecord)), count_(memory_.empty() ? 0 : count) {}
    // Null if there is none left.
    SortRecord* take() {
        return used_ < count_ ? reinterpret_cast<SortRecord*>(memory_.data()) + ChunkSize * used_++
                              : nullptr;
    }
    void clear() { used_ = 0; }

  private:
    engine::platform::Pages memory_;  // huge ones: fewer and cheaper page faults
    std::size_t count_, used_ = 0;
};

// Records whose keys begin with the same bits.
struct Bucket {
    std::vector<SortRecord*> chunks;
    SortRecord *next = nullptr, *end = nullptr;  // what is free of the last chunk

    [[nodiscard]] std::size_t size() const {
        return chunks.size() * ChunkSize - static_cast<std::size_t>(end - next);
    }
    template <typename Take>
    void each(const Take& take) const {
        for (SortRecord* const chunk : chunks)
            for (const SortRecord* p = chunk;
                 p != (chunk == chunks.back() ? next : chunk + ChunkSize);
                 ++p)
                take(*p);
    }
    // Copies the records to `to` and sorts them: a counting sort by the next bits of the key,
    // enough of them that few records share the same.
    void sort_into(std::vector<SortRecord>& to) const {
        constexpr int MaxBits = 14, FewLeft = 3;
        const std::size_t n = size();
        const int bits = std::clamp(static_cast<int>(std::bit_width(n)) - FewLeft, 1, MaxBits);
        const auto place = [bits](const SortRecord& p) {
            return static_cast<std::size_t>(p.key << BucketBits >> (64 - bits));
        };
        to.resize(n);
        std::vector<std::uint32_t> ends((std::size_t{1} << bits) + 1, 0);
        each([&](const SortRecord& p) { ++ends[place(p) + 1]; });
        for (std::size_t i = 1; i < ends.size(); ++i)
            ends[i] += ends[i - 1];
        each([&](const SortRecord& p) { to[ends[place(p)]++] = p; });
        std::uint32_t first = 0;
        for (const std::uint32_t last : ends) {
            sort_few(std::span(to).subspan(first, last - first));
            first = last;
        }
    }
};

Run::Read reader(std::span<const Bucket> buckets) {
    return [buckets](std::vector<SortRecord>& part) mutable {
        part.clear();
        while (part.empty() && !buckets.empty()) {
            buckets.front().sort_into(part);
            buckets = buckets.subspan(1);
        }
    };
}

// A run without the games that are left out.
Run::Read filtered(Run::Read read, std::uint64_t first_game, const std::vector<bool>& left_out) {
    if (left_out.empty())
        return read;
    return [read = std::move(read), first_game, &left_out](std::vector<SortRecord>& part) {
        do {
            read(part);
            if (part.empty())
                return;
            std::erase_if(part, [&](const SortRecord& p) {
                return left_out[first_game + (p.data & MaxGame)];
            });
        } while (part.empty());
    };
}

// Adds up equal occurrences, which arrive in order, to edges.
class Adder {
  public:
    explicit Adder(const std::function<void(const KeyedEdge&)>& take) : take_(take) {}
    void add(const SortRecord& p) {
        if (p.key != last_.key || (p.data ^ last_.data) >> MoveShift != 0) {
            flush();
            edge_.key = p.key ^ SignBit;
            edge_.edge = {.move = static_cast<StoredMove>(p.data >> MoveShift) - 65'536};
            last_ = p;
        }
        count(edge_.edge, p);
    }
    void flush() {
        if (edge_.edge.games() > 0)
            take_(edge_);
    }

  private:
    const std::function<void(const KeyedEdge&)>& take_;
    SortRecord last_{.key = 0, .data = 0};  // no move has data 0
    KeyedEdge edge_;
};

}  // namespace

class Sorter::Runs {
  public:
    Runs(std::size_t bytes, std::filesystem::path folder)
        : bytes_(bytes), chunks_(std::max(bytes / (ChunkSize * sizeof(SortRecord)), 2 * Buckets)),
          max_bucket_(std::max<std::size_t>(bytes / sizeof(SortRecord) / 8, 2 * ChunkSize)),
          file_(std::move(folder)) {}

    void add(const Occurrence& o) {
        if (o.game - first_game_ > MaxGame)
            spill(o.game);
        Bucket& bucket = buckets_[(o.key ^ SignBit) >> (64 - BucketBits)];
        if (bucket.next == bucket.end)
            grow(bucket, o.game);
        *bucket.next++ = pack(o, first_game_);
    }

    void merge(const std::function<void(const KeyedEdge&)>& take,
               const std::vector<bool>& left_out) {
        std::vector<Run> runs;
        runs.emplace_back(filtered(reader(buckets_), first_game_, left_out));
        for (std::size_t i = 0; i < file_.runs(); ++i)
            runs.emplace_back(filtered(file_.reader(i, bytes_ / 8), first_games_[i], left_out));
        Adder adder(take);
        merge_runs(runs, [&adder](const SortRecord& p) { adder.add(p); });
        adder.flush();
        file_.clear();
        first_games_.clear();
        buckets_.fill({});
        chunks_.clear();
    }

    [[nodiscard]] std::int64_t spilled() const { return file_.bytes(); }

  private:
    void grow(Bucket& bucket, std::uint64_t game) {
        SortRecord* chunk = bucket.size() < max_bucket_ ? chunks_.take() : nullptr;
        if (chunk == nullptr) {
            spill(game);
            chunk = chunks_.take();
            if (chunk == nullptr)
                throw Failure("not enough memory for sorting");
        }
        bucket.chunks.push_back(chunk);
        bucket.next = chunk;
        bucket.end = chunk + ChunkSize;
    }

    // `next_game`: number of the game with which the next run begins.
    void spill(std::uint64_t next_game) {
        std::vector<SortRecord> sorted;
        for (Bucket& bucket : buckets_) {
            bucket.sort_into(sorted);
            if (sorted.empty())
                continue;
            file_.append(sorted);
            bucket = {};
        }
        file_.end_run();
        first_games_.push_back(std::exchange(first_game_, next_game));
        chunks_.clear();
    }

    std::size_t bytes_;
    Chunks chunks_;
    std::size_t max_bucket_;  // records
    std::array<Bucket, Buckets> buckets_{};
    RunFile file_;
    std::uint64_t first_game_ = 0;            // of the run in memory
    std::vector<std::uint64_t> first_games_;  // of the runs in the file
};

Sorter::Sorter(std::size_t bytes, std::filesystem::path folder)
    : runs_(std::make_unique<Runs>(bytes, std::move(folder))) {}
Sorter::~Sorter() = default;
Sorter::Sorter(Sorter&&) noexcept = default;
Sorter& Sorter::operator=(Sorter&&) noexcept = default;

void Sorter::add(const Occurrence& occurrence) {
    runs_->add(occurrence);
}

void Sorter::merge(const std::function<void(const KeyedEdge&)>& take,
                   const std::vector<bool>& left_out) {
    runs_->merge(take, left_out);
}

std::int64_t Sorter::spilled_bytes() const {
    return runs_->spilled();
}

}  // namespace book
