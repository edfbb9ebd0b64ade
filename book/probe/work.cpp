#include "book/probe/work.h"

#include "engine/board/notation.h"

#include <algorithm>

#include <fmt/format.h>

namespace book {
namespace {

constexpr int MateCentipawns = 2'000;

}  // namespace

WorkSearches::WorkSearches(Work work, std::int64_t nodes) : work_(std::move(work)), nodes_(nodes) {}

std::optional<WorkSearches::Search> WorkSearches::next() {
    while (next_ < work_.candidates.size()) {
        const engine::Move m = work_.candidates[next_++];
        Search search{.root = engine::Game(work_.position)};
        search.root.play(m);
        const engine::Status status = search.root.status();
        if (status == engine::Status::Ongoing)
            return search;
        findings_.push_back({.move = m,
                             .cp = status == engine::Status::Checkmate ? MateCentipawns : 0,
                             .depth = 1,
                             .nodes = nodes_});
    }
    if (next_++ > work_.candidates.size() || !work_.deviation)
        return std::nullopt;
    return Search{.root = engine::Game(work_.position), .excluded = work_.known};
}

void WorkSearches::found(engine::Move best, int cp, int depth) {
    const bool candidate = next_ <= work_.candidates.size();
    const engine::Move m = candidate ? work_.candidates[next_ - 1] : best;
    if (work_.position.is_legal(m))
        findings_.push_back(
            {.move = m,
             .cp = std::clamp(candidate ? -cp : cp, -MateCentipawns, MateCentipawns),
             .depth = depth,
             .nodes = nodes_});
}

std::string WorkSearches::text() const {
    std::string text;
    for (const Finding& finding : findings_) {
        const bool known =
            std::find(work_.known.begin(), work_.known.end(), finding.move) != work_.known.end();
        text += fmt::format("{}{}{} {}{}",
                            text.empty() ? "" : ", ",
                            to_san(work_.position, finding.move),
                            known ? "" : "*",
                            finding.cp > 0 ? "+" : "",
                            finding.cp);
    }
    return text;
}

}  // namespace book
