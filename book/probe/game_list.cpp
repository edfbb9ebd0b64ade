#include "book/probe/game_list.h"

#include "book/probe/opening_search.h"
#include "engine/board/notation.h"

#include <algorithm>

namespace book {
namespace {

GameSummary summary_of(Store& store, const OpeningNames& names, std::int64_t id) {
    const auto is_needed = [&names](const engine::Game& game) {
        return names.may_follow(game.position());
    };
    GameSummary summary{.game = store.games.get(id, is_needed).value()};
    summary.opening = names.of(summary.game.record.game);
    return summary;
}

// Also reads on to the move played in the filter's position.
void add_exit_and_opponent(Store& store, GameSummary& summary) {
    LoggedGame& g = summary.game;
    summary.opponent = store.opponents.get(g.opponent_id).value_or(OpponentRecord());
    const int exit = g.record.exit_ply.value_or(g.plies);
    const int needed = std::max(exit < g.plies ? exit + 1 : 0,
                                summary.ply ? std::min(*summary.ply + 1, g.plies) : 0);
    if (g.record.game.ply() < needed)
        g = store.games.get(g.id, [needed](const auto& game) { return game.ply() < needed; })
                .value();
    if (exit >= g.plies)
        return;
    engine::Position pos = g.record.game.start();
    const auto moves = std::span(g.record.game.moves());
    for (const Move m : moves.first(static_cast<std::size_t>(exit)))
        pos.make(m);
    summary.exit_move = engine::to_san(pos, moves[static_cast<std::size_t>(exit)]);
}

}  // namespace

std::optional<int> first_ply_at(Store& store, std::int64_t id, const engine::Position& wanted) {
    std::optional<int> ply;
    const int last = progress(wanted);
    const auto look = [&](const engine::Game& game) {
        if (game.position().key() == wanted.key())
            ply = game.ply();
        return !ply && progress(game.position()) <= last;  // it can no longer arise
    };
    if (const auto read = store.games.get(id, look); read && !ply)
        look(read->record.game);
    return ply;
}

GamePage list_games(Store& store,
                    const OpeningNames& names,
                    const GameListFilter& filter,
                    std::size_t first,
                    std::size_t number) {
    const ReadTransaction reading(store.db);
    GamePage page;
    std::vector<std::int64_t> ids = store.games.newest_first(filter.game);
    if (filter.only)
        std::erase_if(ids, [&only = *filter.only](auto id) { return !only.contains(id); });
    const OpeningPattern opening(filter.opening);
    const bool all_match = filter.opening.empty() && !filter.position;
    if (all_match)
        page.total = static_cast<std::int64_t>(ids.size());
    std::size_t matching = all_match ? std::min(first, ids.size()) : 0;
    for (std::size_t i = matching; i < ids.size(); ++i) {
        std::optional<int> ply;
        if (filter.position && !(ply = first_ply_at(store, ids[i], *filter.position)))
            continue;
        GameSummary summary = summary_of(store, names, ids[i]);
        if (!opening.matches(summary.opening) || matching++ < first)
            continue;
        if (number > 0 && page.games.size() == number) {
            page.more = true;
            break;
        }
        summary.ply = ply;
        add_exit_and_opponent(store, summary);
        page.games.push_back(std::move(summary));
    }
    return page;
}

}  // namespace book
