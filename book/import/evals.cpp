#include "book/import/evals.h"

#include "book/import/game_record.h"

namespace book {

void Evals::add(const PgnGame& game, const ImportOptions& options, std::size_t file) {
    for (const PgnComment& c : game.comments) {
        if (c.ply == 0 || static_cast<int>(c.ply) > options.max_ply ||
            static_cast<int>(c.ply) <= options.min_ply)
            continue;
        const std::size_t ply = c.ply - 1;
        const Color first = game.start.side_to_move();
        const Color mover = ply % 2 == 0 ? first : ~first;
        const std::optional<CommentScore> score = read_eval(c.text, mover);
        if (!score)
            continue;
        const std::pair key(game.keys[ply], book::store(game.moves[ply], mover));
        const int depth = score->depth > 0 ? score->depth : EvalDepth;
        const auto known = analyses_.find(key);
        if (known == analyses_.end() ? full() : known->second.analysis.depth >= depth)
            continue;
        const std::string server = server_of(game.site);
        analyses_[key] = {
            .analysis = {.move = key.second,
                         .cp = score->cp,
                         .depth = depth,
                         .at = seconds_at(game.utc_date.empty() ? game.date : game.utc_date,
                                          game.utc_time),
                         .engine = server.empty() ? "PGN" : server},
            .file = file};
    }
}

std::int64_t Evals::store(Store& store, const std::vector<std::int64_t>& sources) {
    std::int64_t entered = 0;
    for (auto& [key, eval] : analyses_) {
        eval.analysis.source = sources.at(eval.file);
        entered += store.positions.offer_analysis(key.first, eval.analysis) ? 1 : 0;
    }
    return entered;
}

}  // namespace book
