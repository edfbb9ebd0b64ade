#include "book/store/track.h"

#include <algorithm>
#include <set>

namespace book {
namespace {

constexpr int MaxRankPly = 4095;

// Increases with every irreversible move, and between those with the ply.
int rank_of(const engine::Position& pos, std::size_t ply) {
    return progress(pos) * (MaxRankPly + 1) + std::min(static_cast<int>(ply), MaxRankPly);
}

Step step_at(const engine::Position& pos, std::size_t ply) {
    return {.key = pos.key(), .bits = check_bits(pos), .rank = rank_of(pos, ply), .move = 0};
}

bool same_step(const Step& a, const Step& b) {
    return a.key == b.key && a.move == b.move && a.rank == b.rank;
}

}  // namespace

bool same_path(const Track& a, const Track& b) {
    return a.side == b.side && a.time == b.time && a.exit.key == b.exit.key && a.cp == b.cp &&
           a.cp_depth == b.cp_depth && a.cp_at == b.cp_at &&
           std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), same_step);
}

std::optional<Track> track_of(const GameRecord& record, bool finished) {
    const engine::Game& game = record.game;
    const std::vector<Move>& moves = game.moves();
    const bool we_begin = game.start().side_to_move() == record.our_side;
    if (moves.size() < (we_begin ? 1U : 2U) && (finished || !record.exit_ply))
        return std::nullopt;
    Track track{.side = record.our_side, .time = record.time, .cp_at = record.played};
    std::size_t last = moves.size();
    if (record.exit_ply) {
        last = std::min(last, static_cast<std::size_t>(std::max(0, *record.exit_ply)));
        if (record.exit_depth != NoScore) {
            track.cp = record.exit_cp;
            track.cp_depth = record.exit_depth;
        }
    } else if (!finished || game.status() == engine::Status::Ongoing) {
        return std::nullopt;  // resigned or broken off inside the book: no evidence about the
                              // opening
    }
    // A repeated position ends the track, so that no track contains a cycle.
    std::set<Key> seen;
    engine::Position pos = game.start();
    for (std::size_t ply = 0;; ++ply) {
        Step step = step_at(pos, ply);
        seen.insert(step.key);
        if (ply == moves.size()) {
            track.exit = step;
            return track;
        }
        step.move = store(moves[ply], pos.side_to_move());
        pos.make(moves[ply]);
        if (ply == last || seen.contains(pos.key())) {
            track.exit = step;
            track.after_exit = pos.key();
            return track;
        }
        track.steps.push_back(step);
    }
}

std::vector<NodeKey> node_keys(const Track& track) {
    std::vector<NodeKey> keys;
    for (const Step& step : track.steps)
        keys.push_back({.key = step.key, .side = track.side, .time = track.time});
    keys.push_back({.key = track.exit.key, .side = track.side, .time = track.time});
    return keys;
}

}  // namespace book
