#include "tools/common/referee.h"

namespace tools {

std::optional<double> Referee::judge(engine::Score white, int ply) {
    const int side = white > rules_.won ? 1 : white < -rules_.won ? -1 : 0;
    won_ = side == 0 ? 0 : side == leader_ ? won_ + 1 : 1;
    leader_ = side;
    level_ = std::abs(white) < rules_.level && ply >= rules_.level_from ? level_ + 1 : 0;
    if (won_ >= rules_.won_plies)
        return leader_ > 0 ? 1 : 0;
    if (level_ >= rules_.level_plies || ply >= rules_.longest)
        return 0.5;
    return std::nullopt;
}

}  // namespace tools
