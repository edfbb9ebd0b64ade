#include "tools/lab/facts/pawn_results.h"

#include "tools/lab/retro/retro_run.h"
#include "tools/lab/retro/retro_solver.h"

namespace tools::facts {
namespace {

int result_of(const retro::Wins& wins, bool moves, const retro::Squares& squares) {
    return moves ? retro::sign(wins.value(engine::White, squares))
                 : -retro::sign(wins.value(engine::Black, squares));
}

}  // namespace

PawnResults::PawnResults() {
    const retro::Ending alone = *retro::Ending::from_name("KPvK"),
                        against = *retro::Ending::from_name("KPvKP");
    for (const retro::Ending& ending : retro::with_successors({against}))
        tables_.add(ending, retro::solve_wins(ending, tables_, false, {}));
    alone_ = tables_.wins(alone);
    against_ = tables_.wins(against);
}

const PawnResults& PawnResults::instance() {
    static const PawnResults results;
    return results;
}

int PawnResults::alone(bool moves,
                       engine::Square king,
                       engine::Square foe,
                       engine::Square pawn) const {
    return result_of(*alone_, moves, {king, foe, pawn});
}

int PawnResults::against(bool moves,
                         engine::Square king,
                         engine::Square foe,
                         engine::Square pawn,
                         engine::Square enemy) const {
    return result_of(*against_, moves, {king, foe, pawn, enemy});
}

}  // namespace tools::facts
