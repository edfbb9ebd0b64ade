#include "book/sorter.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>

#include <fcntl.h>
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

// In place: exchanges the records into buckets by the top bits, which are as good as random, then
// sorts the buckets, which fit a cache. Source: P. McIlroy, K. Bostic, M. McIlroy, "Engineering
// radix sort", 1993.
void sort_run(std::span<Packed> run) {
    constexpr int Bits = 12;
    constexpr std::size_t Few = 1 << 14;
    if (run.size() < Few) {
        std::sort(run.begin(), run.end());
        return;
    }
    constexpr std::size_t Buckets = std::size_t{1} << Bits;
    std::vector<std::size_t> begin(Buckets + 1, 0);
    for (const Packed& p : run)
        ++begin[(p.key >> (64 - Bits)) + 1];
    for (std::size_t b = 0; b < Buckets; ++b)
        begin[b + 1] += begin[b];
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t b = 0; b < Buckets; ++b)
        while (next[b] < begin[b + 1]) {
            Packed p = run[next[b]];
            for (std::size_t home = p.key >> (64 - Bits); home != b; home = p.key >> (64 - Bits))
                std::swap(p, run[next[home]++]);
            run[next[b]++] = p;
        }
    for (std::size_t b = 0; b < Buckets; ++b)
        std::sort(run.begin() + static_cast<std::ptrdiff_t>(begin[b]),
                  run.begin() + static_cast<std::ptrdiff_t>(begin[b + 1]));
}

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

Result<File> unnamed_file(const std::filesystem::path& folder) {
    std::string name = (folder / "nutcracker-import-XXXXXX").string();
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0)
        return fail("no temporary file in \"" + folder.string() + "\": " + std::strerror(errno));
    ::unlink(name.c_str());
    return File(::fdopen(descriptor, "w+b"));
}

}  // namespace

class Sorter::Runs {
  public:
    Runs(std::size_t bytes, std::filesystem::path folder) : folder_(std::move(folder)) {
        memory_.reserve(std::max<std::size_t>(bytes / sizeof(Packed), 1024));
    }

    Result<void> add(const Packed& p) {
        memory_.push_back(p);
        return memory_.size() < memory_.capacity() ? Result<void>() : spill();
    }

    Result<void> merge(const std::function<Result<void>(const KeyedEdge&)>& take) {
        sort_run(memory_);
        std::optional<Error> error;
        KeyedEdge edge;
        const auto hand_out = [&](const Packed& p) {
            const Key key = p.key ^ SignBit;
            const auto move = static_cast<StoredMove>(p.data >> MoveShift) - 65'536;
            if (edge.edge.games() > 0 && (key != edge.key || move != edge.edge.move)) {
                if (const Result<void> taken = take(edge); !taken)
                    error = taken.error();
                edge = {};
            }
            edge.key = key;
            edge.edge.move = move;
            count(edge.edge, p);
        };
        if (files_.empty()) {
            for (const Packed& p : memory_) {
                hand_out(p);
                if (error)
                    break;
            }
        } else {
            merge_files(hand_out, error);
        }
        if (!error && edge.edge.games() > 0)
            if (const Result<void> taken = take(edge); !taken)
                error = taken.error();
        memory_.clear();
        files_.clear();
        spilled_ = 0;
        return error ? Result<void>(tl::unexpected<Error>(*error)) : Result<void>();
    }

    [[nodiscard]] std::int64_t spilled() const { return spilled_; }

  private:
    struct Run {
        File file;
        std::vector<Packed> part{};
        std::size_t at = 0;
        // The next record, or nothing at the end.
        const Packed* front() {
            if (at == part.size()) {
                part.resize(part.capacity());
                part.resize(std::fread(part.data(), sizeof(Packed), part.size(), file.get()));
                at = 0;
            }
            return at < part.size() ? &part[at] : nullptr;
        }
    };

    Result<void> spill() {
        sort_run(memory_);
        Result<File> file = unnamed_file(folder_);
        if (!file)
            return tl::unexpected<Error>(file.error());
        if (std::fwrite(memory_.data(), sizeof(Packed), memory_.size(), file->get()) !=
                memory_.size() ||
            std::fflush(file->get()) != 0)
            return fail("writing to \"" + folder_.string() + "\": " + std::strerror(errno));
        spilled_ += static_cast<std::int64_t>(memory_.size() * sizeof(Packed));
        files_.push_back(std::move(*file));
        memory_.clear();
        return {};
    }

    template <typename Take>
    void merge_files(const Take& take, std::optional<Error>& error) {
        if (!memory_.empty())
            if (const Result<void> spilled = spill(); !spilled) {
                error = spilled.error();
                return;
            }
        std::vector<Run> runs;
        const std::size_t part =
            std::max<std::size_t>(memory_.capacity() / (2 * files_.size()), 1024);
        std::vector<Packed>().swap(memory_);
        using Front = std::pair<Packed, std::size_t>;
        const auto later = [](const Front& a, const Front& b) { return b.first < a.first; };
        std::priority_queue<Front, std::vector<Front>, decltype(later)> fronts(later);
        for (File& file : files_) {
            std::rewind(file.get());
            runs.push_back({.file = std::move(file)});
            runs.back().part.reserve(part);
            if (const Packed* p = runs.back().front())
                fronts.emplace(*p, runs.size() - 1);
        }
        while (!fronts.empty() && !error) {
            const auto [p, i] = fronts.top();
            fronts.pop();
            take(p);
            ++runs[i].at;
            if (const Packed* next = runs[i].front())
                fronts.emplace(*next, i);
        }
        memory_.reserve(part * 2 * files_.size());
    }

    std::filesystem::path folder_;
    std::vector<Packed> memory_;
    std::vector<File> files_;
    std::int64_t spilled_ = 0;
};

Sorter::Sorter(std::size_t bytes, std::filesystem::path folder)
    : runs_(std::make_unique<Runs>(bytes, std::move(folder))) {}
Sorter::~Sorter() = default;
Sorter::Sorter(Sorter&&) noexcept = default;
Sorter& Sorter::operator=(Sorter&&) noexcept = default;

Result<void> Sorter::add(const Occurrence& occurrence) {
    return runs_->add(pack(occurrence));
}

Result<void> Sorter::merge(const std::function<Result<void>(const KeyedEdge&)>& take) {
    return runs_->merge(take);
}

std::int64_t Sorter::spilled_bytes() const {
    return runs_->spilled();
}

}  // namespace book
