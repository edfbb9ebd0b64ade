// The temporary file of an external sort: sorted runs of records, one after another, and their
// merge. One file holds all runs, so that their number is not bounded by that of open files.
#pragma once

#include "engine/platform/file.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace book {

struct SortRecord {
    std::uint64_t key = 0, data = 0;
    friend bool operator<(const SortRecord& a, const SortRecord& b) {
        return a.key != b.key ? a.key < b.key : a.data < b.data;
    }
};

// Sorted records, read in parts.
class Run {
  public:
    // Replaces `part` by the next records; an empty part is the end.
    using Read = std::function<void(std::vector<SortRecord>& part)>;
    explicit Run(Read read) : read_(std::move(read)) {}
    // Null at the end.
    const SortRecord* front() {
        if (at_ == part_.size()) {
            at_ = 0;
            read_(part_);
        }
        return part_.empty() ? nullptr : &part_[at_];
    }
    void pop() { ++at_; }

  private:
    Read read_;
    std::vector<SortRecord> part_;
    std::size_t at_ = 0;
};

// The file has no name and vanishes with the process. Every function may throw Failure.
class RunFile {
  public:
    explicit RunFile(std::filesystem::path folder);
    RunFile(const RunFile&) = delete;
    RunFile& operator=(const RunFile&) = delete;

    void append(std::span<const SortRecord> sorted);  // to the present run
    void end_run();
    [[nodiscard]] std::size_t runs() const { return ends_.size(); }
    [[nodiscard]] std::int64_t bytes() const { return size_; }
    // A reader of one run. `memory`: bytes that the readers of all runs may take together; each
    // takes 4 KiB at least. The RunFile must stay where it is.
    [[nodiscard]] Run::Read reader(std::size_t run, std::size_t memory) const;
    void clear();

  private:
    std::filesystem::path folder_;
    engine::platform::File file_;
    std::int64_t size_ = 0;
    std::vector<std::int64_t> ends_;  // of the runs, in bytes
};

// Passes on the records of all runs in order.
template <typename Take>
void merge_runs(std::span<Run> runs, Take take) {
    // A heap of the runs by their first records; after each record the top run sifts down.
    struct Front {
        SortRecord record;
        Run* run;
    };
    std::vector<Front> heap;
    for (Run& run : runs)
        if (const SortRecord* record = run.front())
            heap.push_back({*record, &run});
    std::sort(heap.begin(), heap.end(), [](const Front& a, const Front& b) {
        return a.record < b.record;
    });
    while (!heap.empty()) {
        Front top = heap.front();
        take(top.record);
        top.run->pop();
        const SortRecord* const next = top.run->front();
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
}

}  // namespace book
