#include "tools/lab/train/samples.h"

#include "engine/eval/network.h"
#include "engine/eval/threats.h"
#include "tools/common/adjudicator.h"

#include <algorithm>
#include <cmath>

namespace tools::train {

using datagen::HeldOutInterval;
using datagen::ScoredMove;

Inputs inputs_of(const Sample& sample) {
    using namespace engine;  // NOLINT(google-build-using-namespace)
    const std::array<bool, 2> mirrored{is_mirrored(sample.own_king),
                                       is_mirrored(sample.other_king)};
    BySquare<Piece> board;
    PieceSets pieces{};
    Inputs inputs;
    inputs.count = inputs.threat_count = 0;
    for (Bitboard rest = sample.occupied; rest != 0; ++inputs.count) {
        const Square s = pop_lowest(rest);
        const unsigned both = sample.pieces[inputs.count / 2];
        const auto piece = static_cast<Piece>(inputs.count % 2 == 0 ? both & 15U : both >> 4U);
        board[s] = piece;
        pieces[color_of(piece)][type_of(piece)] |= bit(s);
        for (const Color side : {White, Black})
            inputs.features[side][inputs.count] =
                static_cast<std::uint16_t>(feature(side, mirrored[side], piece, s));
    }
    const PieceSets attacked = attacked_pieces(pieces);
    for (const Color attacker : {White, Black})
        for (int by = Pawn; by <= King; ++by)
            for (Bitboard rest = attacked[attacker][static_cast<std::size_t>(by)]; rest != 0;
                 ++inputs.threat_count) {
                const Square s = pop_lowest(rest);
                for (const Color side : {White, Black})
                    inputs.threats[side]
                                  [inputs.threat_count] = static_cast<std::uint16_t>(threat_feature(
                        side, mirrored[side], attacker, static_cast<PieceType>(by), board[s], s));
            }
    return inputs;
}

Sample make_sample(const engine::Position& pos, int score, GameResult result) {
    const engine::Color us = pos.side_to_move();
    Sample sample{};
    for (engine::Bitboard rest = pos.pieces(); rest != 0;)
        sample.occupied |= engine::bit(engine::relative(us, engine::pop_lowest(rest)));
    std::size_t nibble = 0;
    for (engine::Bitboard rest = sample.occupied; rest != 0; ++nibble) {
        const engine::Piece p = pos.piece_on(engine::relative(us, engine::pop_lowest(rest)));
        const unsigned seen = us == engine::White ? unsigned{p} : p ^ 8U;
        const unsigned known = sample.pieces[nibble / 2];
        sample.pieces[nibble / 2] = static_cast<std::uint8_t>(known | seen << (nibble % 2 * 4));
    }
    sample.score = static_cast<std::int16_t>(score);
    const auto points = static_cast<std::uint8_t>(result);
    sample.result = result == GameResult::Unknown ? UnknownResult
                    : us == engine::White         ? points
                                                  : static_cast<std::uint8_t>(2 - points);
    sample.own_king = static_cast<std::uint8_t>(engine::relative(us, pos.king(us)));
    sample.other_king = static_cast<std::uint8_t>(engine::relative(us, pos.king(~us)));
    return sample;
}

Result<void>
for_each_game(const std::string& path,
              SampleSet& set,
              const std::function<void(const TrainingGame&, std::vector<Sample>&)>& take) {
    return datagen::for_each_game(path, [&](const TrainingGame& game) {
        set.plies += game.plies.size();
        const bool child = game.result == GameResult::Unknown;
        const bool held_out = !child && set.games % HeldOutInterval == 0;
        ++(child ? set.children : set.games);
        take(game, held_out ? set.held_out : set.training);
    });
}

namespace {

constexpr int WonScore = 1'500;  // beyond it no search's score is used either

// Requires at most four men.
Sample known_sample(const engine::Position& pos, SampleSet& set) {
    engine::solve_ending(pos, false, set.endings);
    const int result = engine::probe(set.endings, pos).result;
    Sample sample = make_sample(pos, result * WonScore, GameResult::Drawn);
    sample.result = static_cast<std::uint8_t>(1 + result);
    ++set.known;
    return sample;
}

}  // namespace

std::vector<std::int16_t> smoothed_scores(const TrainingGame& game, double lambda) {
    constexpr double Scale = 130;  // of the expected score; training fits its own, not far from it
    std::vector<std::int16_t> scores(game.plies.size());
    bool white = (game.plies.size() % 2 == 0) == (game.start.side_to_move() == engine::White);
    double expected = static_cast<double>(game.result) / 2;  // of White
    if (!white)
        expected = 1 - expected;
    for (std::size_t i = game.plies.size(); i-- > 0;) {
        expected = 1 - expected;
        if (const int score = game.plies[i].score; score != datagen::NotForTraining)
            expected = (1 - lambda) / (1 + std::exp(-score / Scale)) + lambda * expected;
        const double limit = 1 / (1 + std::exp(WonScore / Scale));
        const double inside = std::clamp(expected, limit, 1 - limit);
        scores[i] = static_cast<std::int16_t>(std::lround(Scale * std::log(inside / (1 - inside))));
    }
    return scores;
}

Result<void> add_samples(const std::string& path, double td_lambda, SampleSet& set) {
    constexpr int FewMen = 4;
    return for_each_game(path, set, [&](const TrainingGame& game, std::vector<Sample>& samples) {
        const bool smooth = td_lambda > 0 && game.result != GameResult::Unknown;
        const auto smoothed =
            smooth ? smoothed_scores(game, td_lambda) : std::vector<std::int16_t>();
        engine::Position pos = game.start;
        for (std::size_t i = 0; i < game.plies.size(); ++i) {
            const ScoredMove& ply = game.plies[i];
            if (is_usable(pos, ply, game_ply(pos)))
                samples.push_back(
                    engine::popcount(pos.pieces()) <= FewMen && pos.castling_rights() == 0
                        ? known_sample(pos, set)
                        : make_sample(pos, smooth ? smoothed[i] : ply.score, game.result));
            pos.make(ply.move);
        }
    });
}

}  // namespace tools::train
