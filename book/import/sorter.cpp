#include "book/import/sorter.h"

#include "book/store/failure.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace book {
namespace {

// 16 bytes whose order as unsigned numbers is that of (signed key, move).
struct Packed {
    std::uint64_t key, data;
    friend bool operator<(const Packed& a, const Packed& b) {
        return a.key != b.key ? a.key < b.key : a.data < b.data;
    }
};

constexpr std::uint64_t SignBit = 1ULL << 63;
constexpr int MoveShift = 32, OutcomeShift = 24, RatingShift = 12;
constexpr std::uint64_t TwelveBits = 0xFFF;
constexpr int BucketBits = 8;  // the top bits of the key, which select the bucket
constexpr std::size_t Buckets = std::size_t{1} << BucketBits;
constexpr std::size_t ChunkSize = 256;       // records
constexpr std::size_t ReadAtOnce = 1 << 12;  // records of one file while merging

Packed pack(const Occurrence& o) {
    return {.key = o.key ^ SignBit,
            .data = static_cast<std::uint64_t>(o.move + 65'536) << MoveShift |
                    static_cast<std::uint64_t>(o.outcome) << OutcomeShift |
                    (static_cast<std::uint64_t>(o.rating) & TwelveBits) << RatingShift |
                    (static_cast<std::uint64_t>(o.year) & TwelveBits)};
}

void count(Edge& edge, const Packed& p) {
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
    edge.last = std::max(edge.last, static_cast<int>(p.data & TwelveBits));
}

void sort_few(std::span<Packed> records) {
    constexpr std::size_t Few = 24;
    if (records.size() > Few)
        return std::sort(records.begin(), records.end());
    for (std::size_t i = 1; i < records.size(); ++i) {
        const Packed p = records[i];
        std::size_t j = i;
        for (; j > 0 && p < records[j - 1]; --j)
            records[j] = records[j - 1];
        records[j] = p;
    }
}

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void throw_writing(const std::filesystem::path& folder) {
    throw Failure(fmt::format("writing to \"{}\": {}", folder.string(), std::strerror(errno)));
}

File unnamed_file(const std::filesystem::path& folder) {
    std::string name = (folder / "nutcracker-import-XXXXXX").string();
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0)
        throw Failure(
            fmt::format("no temporary file in \"{}\": {}", folder.string(), std::strerror(errno)));
    ::unlink(name.c_str());
    return File(::fdopen(descriptor, "w+b"));
}

// One block of memory in chunks, which the buckets take one by one.
class Chunks {
  public:
    explicit Chunks(std::size_t count)
        : count_(count), memory_(static_cast<Packed*>(std::aligned_alloc(
                             HugePage, round_up(count * ChunkSize * sizeof(Packed))))) {
        if (memory_)  // fewer and cheaper page faults, where the system supports it
            ::madvise(memory_.get(), round_up(count * ChunkSize * sizeof(Packed)), MADV_HUGEPAGE);
        else
            count_ = 0;
    }
    // Null if there is none left.
    Packed* take() { return used_ < count_ ? memory_.get() + ChunkSize * used_++ : nullptr; }
    void clear() { used_ = 0; }

  private:
    static constexpr std::size_t HugePage = std::size_t{1} << 21;
    static std::size_t round_up(std::size_t bytes) {
        return (bytes + HugePage - 1) / HugePage * HugePage;
    }
    struct Free {
        void operator()(Packed* memory) const { std::free(memory); }
    };
    std::size_t count_, used_ = 0;
    std::unique_ptr<Packed, Free> memory_;
};

// Records whose keys begin with the same bits.
struct Bucket {
    std::vector<Packed*> chunks;
    Packed *next = nullptr, *end = nullptr;  // what is free of the last chunk

    [[nodiscard]] std::size_t size() const {
        return chunks.size() * ChunkSize - static_cast<std::size_t>(end - next);
    }
    template <typename Take>
    void each(const Take& take) const {
        for (Packed* const chunk : chunks)
            for (const Packed* p = chunk; p != (chunk == chunks.back() ? next : chunk + ChunkSize);
                 ++p)
                take(*p);
    }
    // Copies the records to `to` and sorts them: a counting sort by the next bits of the key,
    // enough of them that few records share the same.
    void sort_into(std::vector<Packed>& to) const {
        constexpr int MaxBits = 14, FewLeft = 3;
        const std::size_t n = size();
        const int bits = std::clamp(static_cast<int>(std::bit_width(n)) - FewLeft, 1, MaxBits);
        const auto place = [bits](const Packed& p) {
            return static_cast<std::size_t>(p.key << BucketBits >> (64 - bits));
        };
        to.resize(n);
        std::vector<std::uint32_t> ends((std::size_t{1} << bits) + 1, 0);
        each([&](const Packed& p) { ++ends[place(p) + 1]; });
        for (std::size_t i = 1; i < ends.size(); ++i)
            ends[i] += ends[i - 1];
        each([&](const Packed& p) { to[ends[place(p)]++] = p; });
        std::uint32_t first = 0;
        for (const std::uint32_t last : ends) {
            sort_few(std::span(to).subspan(first, last - first));
            first = last;
        }
    }
};

// A sequence of sorted records, read in parts.
class Run {
  public:
    using Read = std::function<void(std::vector<Packed>& part)>;  // an empty part is the end
    explicit Run(Read read) : read_(std::move(read)) {}
    // Null at the end.
    const Packed* front() {
        if (at_ == part_.size()) {
            at_ = 0;
            read_(part_);
        }
        return part_.empty() ? nullptr : &part_[at_];
    }
    void pop() { ++at_; }

  private:
    Read read_;
    std::vector<Packed> part_;
    std::size_t at_ = 0;
};

Run run_of(std::FILE* file) {
    std::rewind(file);
    return Run([file](std::vector<Packed>& part) {
        part.resize(ReadAtOnce);
        part.resize(std::fread(part.data(), sizeof(Packed), part.size(), file));
        if (std::ferror(file) != 0)
            throw Failure(fmt::format("reading a temporary file: {}", std::strerror(errno)));
    });
}

Run run_of(std::span<const Bucket> buckets) {
    return Run([buckets](std::vector<Packed>& part) mutable {
        part.clear();
        while (part.empty() && !buckets.empty()) {
            buckets.front().sort_into(part);
            buckets = buckets.subspan(1);
        }
    });
}

// Adds up equal occurrences, which arrive in order, to edges.
class Adder {
  public:
    explicit Adder(const std::function<void(const KeyedEdge&)>& take) : take_(take) {}
    void add(const Packed& p) {
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
    Packed last_{.key = 0, .data = 0};  // no move has data 0
    KeyedEdge edge_;
};

}  // namespace

class Sorter::Runs {
  public:
    Runs(std::size_t bytes, std::filesystem::path folder)
        : folder_(std::move(folder)),
          chunks_(std::max(bytes / (ChunkSize * sizeof(Packed)), 2 * Buckets)),
          max_bucket_(std::max<std::size_t>(bytes / sizeof(Packed) / 8, 2 * ChunkSize)) {}

    void add(const Packed& p) {
        Bucket& bucket = buckets_[p.key >> (64 - BucketBits)];
        if (bucket.next == bucket.end)
            grow(bucket);
        *bucket.next++ = p;
    }

    void merge(const std::function<void(const KeyedEdge&)>& take) {
        std::vector<Run> runs;
        runs.push_back(run_of(buckets_));
        for (const File& file : files_)
            runs.push_back(run_of(file.get()));
        Adder adder(take);
        merge_runs(runs, adder);
        files_.clear();
        for (Bucket& bucket : buckets_)
            bucket = {};
        chunks_.clear();
        spilled_ = 0;
    }

    [[nodiscard]] std::int64_t spilled() const { return spilled_; }

  private:
    void grow(Bucket& bucket) {
        Packed* chunk = bucket.size() < max_bucket_ ? chunks_.take() : nullptr;
        if (chunk == nullptr) {
            spill();
            chunk = chunks_.take();
            if (chunk == nullptr)
                throw Failure("not enough memory for sorting");
        }
        bucket.chunks.push_back(chunk);
        bucket.next = chunk;
        bucket.end = chunk + ChunkSize;
    }

    void spill() {
        File file = unnamed_file(folder_);
        std::vector<Packed> sorted;
        for (Bucket& bucket : buckets_) {
            bucket.sort_into(sorted);
            if (sorted.empty())
                continue;
            if (std::fwrite(sorted.data(), sizeof(Packed), sorted.size(), file.get()) !=
                sorted.size())
                throw_writing(folder_);
            spilled_ += static_cast<std::int64_t>(sorted.size() * sizeof(Packed));
            bucket = {};
        }
        if (std::fflush(file.get()) != 0)
            throw_writing(folder_);
        files_.push_back(std::move(file));
        chunks_.clear();
    }

    // A heap of the runs by their first records; after each record the top run sifts down.
    static void merge_runs(std::span<Run> runs, Adder& adder) {
        struct Front {
            Packed record;
            Run* run;
        };
        std::vector<Front> heap;
        for (Run& run : runs)
            if (const Packed* p = run.front())
                heap.push_back({*p, &run});
        std::sort(heap.begin(), heap.end(), [](const Front& a, const Front& b) {
            return a.record < b.record;
        });
        while (!heap.empty()) {
            Front top = heap.front();
            adder.add(top.record);
            top.run->pop();
            const Packed* const next = top.run->front();
            if (next != nullptr) {
                top.record = *next;
            } else {
                top = heap.back();
                heap.pop_back();
            }
            std::size_t at = 0;
            for (std::size_t child = 1; child < heap.size(); child = 2 * at + 1) {
                if (child + 1 < heap.size() && heap[child + 1].record < heap[child].record)
                    ++child;
                if (!(heap[child].record < top.record))
                    break;
                heap[at] = heap[child];
                at = child;
            }
            if (!heap.empty())
                heap[at] = top;
        }
        adder.flush();
    }

    std::filesystem::path folder_;
    Chunks chunks_;
    std::size_t max_bucket_;  // records
    std::array<Bucket, Buckets> buckets_{};
    std::vector<File> files_;
    std::int64_t spilled_ = 0;
};

Sorter::Sorter(std::size_t bytes, std::filesystem::path folder)
    : runs_(std::make_unique<Runs>(bytes, std::move(folder))) {}
Sorter::~Sorter() = default;
Sorter::Sorter(Sorter&&) noexcept = default;
Sorter& Sorter::operator=(Sorter&&) noexcept = default;

void Sorter::add(const Occurrence& occurrence) {
    runs_->add(pack(occurrence));
}

void Sorter::merge(const std::function<void(const KeyedEdge&)>& take) {
    runs_->merge(take);
}

std::int64_t Sorter::spilled_bytes() const {
    return runs_->spilled();
}

}  // namespace book
