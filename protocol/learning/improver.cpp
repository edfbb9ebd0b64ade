#include "protocol/learning/improver.h"

namespace protocol {
namespace {

constexpr std::uint64_t Nodes = 200'000;  // a search: a second or less

}  // namespace

void Improver::ask() {
    if (asked_ || sated_ || searches_)
        return;
    asked_ = true;
    books_.ask_work({.nodes = static_cast<std::int64_t>(Nodes)});
}

void Improver::take(const BookWork& answer) {
    asked_ = false;
    sated_ = !answer.work;
    if (answer.work)
        searches_.emplace(*answer.work, static_cast<std::int64_t>(Nodes));
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
    limits.nodes = Nodes;
    limits.excluded = search->excluded;
    return Search{search->root, limits};
}

void Improver::found(const engine::SearchResult& choice) {
    if (searches_ && choice.score != engine::NoScore)
        searches_->found(
            choice.best, choice.score, choice.depth, static_cast<std::int64_t>(choice.nodes));
}

void Improver::stop() {
    if (searches_)
        hand_in();
}

void Improver::hand_in() {
    if (!searches_->findings().empty())
        out_.comment("book: searched " + searches_->text() + " in " +
                     searches_->work().position.fen());
    books_.finish_work(searches_->work(), searches_->findings());
    searches_.reset();
}

}  // namespace protocol
