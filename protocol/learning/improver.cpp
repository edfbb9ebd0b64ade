#include "protocol/learning/improver.h"

namespace protocol {
namespace {

constexpr std::int64_t NodesPerSearch = 200'000;  // a second or less

}  // namespace

void Improver::request_work() {
    if (requested_ || no_work_left_ || searches_)
        return;
    requested_ = true;
    worker_.request_work({.nodes = NodesPerSearch});
}

void Improver::receive(const BookWorkAnswer& answer) {
    requested_ = false;
    no_work_left_ = !answer.work;
    if (answer.work)
        searches_.emplace(*answer.work, NodesPerSearch);
}

std::optional<Improver::Search> Improver::next() {
    if (!searches_)
        return std::nullopt;
    const std::optional<book::WorkSearches::Search> search = searches_->next();
    if (!search) {
        hand_in();
        return std::nullopt;
    }
    engine::Limits limits;
    limits.nodes = static_cast<std::uint64_t>(NodesPerSearch);
    limits.excluded = search->excluded;
    return Search{search->root, limits};
}

void Improver::searched(const engine::SearchResult& result) {
    if (searches_ && result.score != engine::NoScore)
        searches_->found(result.best, result.score, result.depth);
}

void Improver::stop() {
    if (searches_)
        hand_in();
}

void Improver::hand_in() {
    if (!searches_->findings().empty())
        out_.comment("book: searched " + searches_->text() + " in " +
                     searches_->work().position.fen());
    worker_.finish_work(searches_->work(), searches_->findings());
    searches_.reset();
}

}  // namespace protocol
