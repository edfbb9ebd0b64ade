#include "tools/book/prefetch.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace tools {
namespace {

constexpr std::size_t BlockSize = 1 << 18;
constexpr std::size_t MostBlocks = 8;  // read ahead at most

class Ahead {
  public:
    explicit Ahead(book::PgnReader::Source source)
        : source_(std::move(source)), thread_([this] { fetch(); }) {}
    Ahead(const Ahead&) = delete;
    Ahead& operator=(const Ahead&) = delete;
    ~Ahead() {
        {
            const std::scoped_lock lock(blocks_mutex_);
            stopping_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    std::size_t read(std::span<char> to) {
        if (at_ == current_.size()) {
            std::unique_lock lock(blocks_mutex_);
            changed_.wait(lock, [this] { return !blocks_.empty() || ended_; });
            if (blocks_.empty())
                return 0;
            current_ = std::move(blocks_.front());
            blocks_.pop_front();
            at_ = 0;
            lock.unlock();
            changed_.notify_all();
        }
        const std::size_t n = std::min(to.size(), current_.size() - at_);
        std::memcpy(to.data(), current_.data() + at_, n);
        at_ += n;
        return n;
    }

  private:
    void fetch() {
        for (;;) {
            std::vector<char> block(BlockSize);
            block.resize(source_(block));
            std::unique_lock lock(blocks_mutex_);
            changed_.wait(lock, [this] { return blocks_.size() < MostBlocks || stopping_; });
            ended_ = block.empty() || stopping_;
            if (!block.empty())
                blocks_.push_back(std::move(block));
            const bool ended = ended_;
            lock.unlock();
            changed_.notify_all();
            if (ended)
                return;
        }
    }

    book::PgnReader::Source source_;
    std::vector<char> current_;
    std::size_t at_ = 0;
    std::mutex blocks_mutex_;  // guards the three below
    std::deque<std::vector<char>> blocks_;
    bool ended_ = false, stopping_ = false;
    std::condition_variable changed_;
    std::thread thread_;
};

}  // namespace

book::PgnReader::Source prefetched(book::PgnReader::Source source) {
    auto ahead = std::make_shared<Ahead>(std::move(source));
    return [ahead](std::span<char> to) { return ahead->read(to); };
}

}  // namespace tools
