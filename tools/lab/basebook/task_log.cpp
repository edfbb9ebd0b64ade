#include "tools/lab/basebook/task_log.h"

#include "book/model/key.h"
#include "engine/board/notation.h"
#include "tools/common/errors.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

namespace tools::basebook {
namespace {

using engine::platform::File;

constexpr std::int64_t SyncInterval = 5;  // seconds

std::int64_t now() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

template <typename T>
bool parse_hex(std::string_view text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc() && end == text.data() + text.size();
}

std::optional<std::pair<TaskKey, TaskResult>> parse(std::string_view line) {
    const auto words = fields(line);
    TaskKey name;
    if (words.size() != 8 || !parse_hex(words[0], name.key) || !parse_hex(words[1], name.bits))
        return std::nullopt;
    const auto limit = number<std::uint64_t>(words[2]), nodes = number<std::uint64_t>(words[7]);
    const auto cp = number<int>(words[5]), depth = number<int>(words[6]);
    if (!limit || !nodes || !cp || !depth)
        return std::nullopt;
    name.nodes = *limit;
    name.excluded = words[3];
    return std::pair(
        name,
        TaskResult{.move = std::string(words[4]), .cp = *cp, .depth = *depth, .nodes = *nodes});
}

}  // namespace

std::string to_text(const std::vector<engine::Move>& moves) {
    std::vector<std::string> words;
    for (const engine::Move m : moves)
        words.push_back(engine::to_coordinates(m));
    std::sort(words.begin(), words.end());
    return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ","));
}

Task make_task(const engine::Position& pos,
               std::vector<engine::Move> excluded,
               std::uint64_t nodes) {
    TaskKey name{.key = pos.key(),
                 .bits = book::check_bits(pos),
                 .nodes = nodes,
                 .excluded = to_text(excluded)};
    return {.name = std::move(name), .position = pos, .excluded = std::move(excluded)};
}

std::string line_of(const TaskKey& name, const TaskResult& result) {
    return fmt::format("{:016x} {:08x} {} {} {} {} {} {}\n",
                       name.key,
                       name.bits,
                       name.nodes,
                       name.excluded,
                       result.move,
                       result.cp,
                       result.depth,
                       result.nodes);
}

std::string engine_name(int hash_mib) {
    return fmt::format(
        "bench {} net {} hash {}", NUTCRACKER_BENCH, NUTCRACKER_NETWORK_DIGEST, hash_mib);
}

TaskLog::TaskLog(const std::string& path, const std::string& engine)
    : file_(path, File::Mode::EditEnd) {
    if (!file_.is_open())
        throw Failure(
            fmt::format("\"{}\" cannot be written: {}", path, engine::platform::error_text()));
    if (!file_.try_lock())
        throw Failure(fmt::format("\"{}\" is in use by another program", path));
    load(path, "nutcracker-basebook 1 " + engine);
}

TaskLog::~TaskLog() {
    (void)file_.sync();
}

void TaskLog::load(const std::string& path, const std::string& head) {
    const std::optional<std::string> read = file_.read_all();
    if (!read)
        throw Failure(
            fmt::format("\"{}\" cannot be read: {}", path, engine::platform::error_text()));
    const std::string& text = *read;
    const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    if (whole < text.size() && !file_.truncate(static_cast<std::int64_t>(whole)))
        throw Failure(fmt::format("cannot cut the last line of \"{}\"", path));
    if (whole == 0)
        return write(head + "\n");
    std::size_t number = 0;
    for (std::size_t from = 0; from < whole; from = text.find('\n', from) + 1) {
        const std::string_view line(text.data() + from, text.find('\n', from) - from);
        if (++number == 1) {
            if (line != head)
                throw Failure(fmt::format(
                    "\"{}\" was made by another search: \"{}\", not \"{}\"", path, line, head));
            continue;
        }
        if (auto entry = parse(line))
            results_.insert(std::move(*entry));
        else
            throw Failure(fmt::format("\"{}\" line {}: not a task: {}", path, number, line));
    }
}

std::optional<TaskResult> TaskLog::find(const TaskKey& name) const {
    const std::scoped_lock lock(mutex_);
    const auto found = results_.find(name);
    return found == results_.end() ? std::nullopt : std::optional(found->second);
}

void TaskLog::add(const TaskKey& name, const TaskResult& result) {
    const std::scoped_lock lock(mutex_);
    write(line_of(name, result));
    results_.emplace(name, result);
    if (now() >= synced_at_ + SyncInterval) {
        (void)file_.sync();
        synced_at_ = now();
    }
}

void TaskLog::write(std::string_view text) {
    if (!file_.write(text))
        throw Failure(fmt::format("the log cannot be written: {}", engine::platform::error_text()),
                      1);
}

void TaskLog::sync() {
    const std::scoped_lock lock(mutex_);
    (void)file_.sync();
    synced_at_ = now();
}

std::size_t TaskLog::size() const {
    const std::scoped_lock lock(mutex_);
    return results_.size();
}

}  // namespace tools::basebook
