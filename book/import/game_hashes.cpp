#include "book/import/game_hashes.h"

#include <utility>

namespace book {
namespace {

constexpr std::uint64_t SignBit = 1ULL << 63;  // makes the order of records that of signed hashes
constexpr std::size_t BytesPerHashInMemory = 64, BytesPerUnsortedHash = 256;  // shares of `bytes`
constexpr std::size_t MinHashes = 256;

}  // namespace

bool HashSet::insert(std::int64_t hash) {
    if (hash == 0)
        return !std::exchange(has_zero_, true);
    if (2 * (size_ + 1) > slots_.size())
        grow();
    std::int64_t& slot = slots_[find(hash)];
    if (slot == hash)
        return false;
    slot = hash;
    ++size_;
    return true;
}

bool HashSet::contains(std::int64_t hash) const {
    return hash == 0 ? has_zero_ : slots_[find(hash)] == hash;
}

std::size_t HashSet::find(std::int64_t hash) const {
    std::size_t i = static_cast<std::size_t>(hash) & (slots_.size() - 1);
    while (slots_[i] != 0 && slots_[i] != hash)
        i = (i + 1) & (slots_.size() - 1);
    return i;
}

void HashSet::grow() {
    std::vector<std::int64_t> old(2 * slots_.size(), 0);
    old.swap(slots_);
    for (const std::int64_t hash : old)
        if (hash != 0)
            slots_[find(hash)] = hash;
}

GameHashes::GameHashes(std::size_t bytes, const std::filesystem::path& folder)
    : max_in_memory_(std::max(bytes / BytesPerHashInMemory, MinHashes)),
      max_unsorted_(std::max(bytes / BytesPerUnsortedHash, MinHashes)), file_(folder) {}

bool GameHashes::add(std::int64_t hash, std::uint64_t game) {
    const bool is_new =
        in_memory_.size() < max_in_memory_ ? in_memory_.insert(hash) : !in_memory_.contains(hash);
    if (!is_new)
        return false;
    unsorted_.push_back({.key = static_cast<std::uint64_t>(hash) ^ SignBit, .data = game});
    if (unsorted_.size() == max_unsorted_) {
        std::sort(unsorted_.begin(), unsorted_.end());
        file_.append(unsorted_);
        file_.end_run();
        unsorted_.clear();
    }
    return true;
}

void GameHashes::merge(const Take& take) {
    in_memory_ = HashSet();
    std::sort(unsorted_.begin(), unsorted_.end());
    std::vector<Run> runs;
    runs.emplace_back(
        [this](std::vector<SortRecord>& part) { part = std::exchange(unsorted_, {}); });
    for (std::size_t i = 0; i < file_.runs(); ++i)
        runs.emplace_back(file_.reader(i, max_unsorted_ * sizeof(SortRecord)));
    bool is_first = true;
    std::uint64_t last = 0;
    merge_runs(runs, [&](const SortRecord& record) {
        take(static_cast<std::int64_t>(record.key ^ SignBit),
             record.data,
             !is_first && record.key == last);
        last = record.key;
        is_first = false;
    });
    file_.clear();
}

}  // namespace book
