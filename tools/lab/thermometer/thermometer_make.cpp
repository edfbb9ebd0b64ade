#include "tools/lab/thermometer/thermometer_make.h"

#include "engine/platform/file.h"
#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/common/fixed_nodes.h"
#include "tools/common/strings.h"
#include "tools/common/workers.h"
#include "tools/lab/thermometer/position_draw.h"

#include <fstream>
#include <map>
#include <mutex>

#include <fmt/format.h>

namespace tools::thermometer {
namespace {

namespace fs = std::filesystem;

constexpr int HashMib = 8;

std::string_view second_line(std::string_view text) {
    return trimmed(text.substr(text.find('\n')));
}

// The file in the making. Shared by the workers.
class Output {
  public:
    Output(const std::string& path, std::size_t games, const Conditions& conditions)
        : path_(path), games_(games), wanted_(conditions.positions) {
        std::error_code none;
        if (fs::exists(engine::platform::long_path(path), none))
            continue_file(encode(conditions));
        else
            bytes_ = encode(conditions);
        if (!complete_)
            value_or_throw(replace_file(path, bytes_));
        file_.open(engine::platform::long_path(path), std::ios::binary | std::ios::app);
    }

    // The number of the next game to value; nothing if there are enough positions.
    std::optional<std::uint64_t> next() {
        const std::lock_guard lock(mutex_);
        if (stop_ || complete_ || !file_ || next_ == games_)
            return std::nullopt;
        return next_++;
    }
    // They are written in the order of the games, however many threads there are.
    void add(std::uint64_t game, std::vector<ValuedPosition> positions) {
        const std::lock_guard lock(mutex_);
        waiting_.emplace(game, std::move(positions));
        for (auto it = waiting_.begin();
             it != waiting_.end() && it->first == to_write_ && !complete_;
             it = waiting_.erase(it), ++to_write_)
            write_game(it->second);
        if (to_write_ == games_ && !complete_)
            write_end();
    }
    void stop() {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    [[nodiscard]] std::string progress() {
        const std::lock_guard lock(mutex_);
        return fmt::format("{} of {} positions", count_, wanted_);
    }
    // After all workers: the number of positions of a complete file.
    [[nodiscard]] std::optional<std::size_t> finish() {
        const std::lock_guard lock(mutex_);
        if (!file_)
            throw Failure("cannot write " + path_);
        return complete_ ? std::optional(count_) : std::nullopt;
    }

  private:
    // The last game of an unfinished file may lack positions, so it is valued again.
    void continue_file(const std::string& begin) {
        bytes_ = value_or_throw(read_bytes(path_));
        const Contents contents = value_or_throw(decode(bytes_), path_ + ": ");
        if (contents.begin != begin)
            throw Failure(fmt::format("{}: was begun with {}", path_, second_line(contents.begin)));
        complete_ = contents.complete;
        count_ = contents.positions.size();
        if (complete_)
            return;
        next_ = to_write_ = count_ == 0 ? 0 : contents.positions.back().game;
        bytes_ = begin;
        count_ = 0;
        for (const ValuedPosition& valued : contents.positions)
            if (valued.game < next_) {
                bytes_ += encode(valued);
                ++count_;
            }
    }
    void write(const std::string& text) {
        file_.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
        bytes_ += text;
    }
    void write_game(const std::vector<ValuedPosition>& positions) {
        std::string text;
        for (const ValuedPosition& valued : positions)
            if (count_ < wanted_) {
                text += encode(valued);
                ++count_;
            }
        write(text);
        if (count_ == wanted_)
            write_end();
    }
    void write_end() {
        write(end_line(bytes_, count_));
        complete_ = true;
    }

    const std::string path_;
    const std::uint64_t games_, wanted_;
    std::mutex mutex_;  // guards all that follows
    std::ofstream file_;
    std::string bytes_;  // of the file
    std::size_t count_ = 0;
    std::uint64_t next_ = 0, to_write_ = 0;
    std::map<std::uint64_t, std::vector<ValuedPosition>> waiting_;  // for an earlier game
    bool stop_ = false, complete_ = false;
};

}  // namespace

std::optional<std::size_t> make_file(const std::string& path,
                                     const std::vector<datagen::TrainingGame>& games,
                                     const Conditions& conditions,
                                     const std::string& network,
                                     int threads,
                                     const engine::platform::Event* signals) {
    std::vector<std::unique_ptr<engine::Searcher>> searchers;
    for (int i = 0; i < threads; ++i)
        searchers.push_back(make_single_threaded(HashMib, network));
    Output output(path, games.size(), conditions);
    const auto work = [&](int i) {
        while (const auto number = output.next())
            output.add(
                *number,
                value_game(*searchers[static_cast<std::size_t>(i)], games, *number, conditions));
    };
    Supervision supervision{.signals = signals, .stop = [&output] { output.stop(); }};
    if (signals)
        supervision.progress = [&output](double /*seconds*/) { return output.progress(); };
    run_workers(threads, work, supervision);
    return output.finish();
}

}  // namespace tools::thermometer
