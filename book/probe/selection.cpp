#include "book/probe/selection.h"

namespace book {
namespace {

// Whether the moves known here were played often enough, and the search was asked seldom enough.
bool is_look_due(const Model& model, const PositionView& view) {
    std::int64_t played = 0, exits = 0;
    for (const BookMove& s : view.moves) {
        played += s.visits;
        exits += s.exits;
    }
    return exits < model.looks && played >= model.look_after * (exits + 1);
}

}  // namespace

Result<Selection>
select(const Layers& layers, const Model& model, const BookQuery& asked, const Terms& terms) {
    const Result<PositionView> seen = view(layers, model, asked);
    if (!seen)
        return tl::unexpected<Error>(seen.error());
    const std::vector<const BookMove*> moves = candidates(*seen, terms.min_games);
    Selection selection;
    DrawRecord& record = selection.record;
    record = {.ply = terms.ply,
              .seed = terms.seed,
              .rule = rule_of(model, terms.match, terms.spent),
              .candidates = {}};
    if (!terms.may_leave) {
        record.rule.leave_below = -1;
        record.rule.least_evidence = 0;
    } else if (!terms.match && is_look_due(model, *seen)) {
        record.rule.leave_below = model.look_below;
        record.rule.pessimism = 0;
    }
    for (const BookMove* s : moves)
        record.candidates.push_back({.move = s->move,
                                     .mean = s->mean,
                                     .evidence = s->belief.evidence,
                                     .guard = s->guard,
                                     .flags = s->flags});
    round_for_record(record.candidates);
    Decision decision = decide(record.rule, record.candidates, record.seed);
    selection.left_because = std::move(decision.left_because);
    selection.loss = decision.loss;
    if (decision.chosen)
        selection.chosen = *moves[*decision.chosen];
    return selection;
}

}  // namespace book
