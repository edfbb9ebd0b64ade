#include "protocol/game/record.h"

#include "protocol/io/engine_name.h"
#include "protocol/io/text.h"

#include <algorithm>
#include <array>
#include <random>

#include <fmt/format.h>

namespace protocol {
namespace {

constexpr int MateCentipawns = 10'000;

using book::Termination;

struct Wording {
    std::string_view words;
    std::optional<Termination> termination;  // none: the game was adjourned
};
// How servers and clients word the endings that are not on the board, in lower case and with blanks
// for hyphens. The first of these that a comment contains decides.
constexpr auto Wordings = std::to_array<Wording>({
    {"adjourn", {}},
    {"adjourns", {}},
    {"adjourned", {}},
    {"adjournment", {}},
    {"courtesyadjourned", {}},

    {"abort", Termination::Aborted},
    {"aborts", Termination::Aborted},
    {"aborted", Termination::Aborted},
    {"courtesyaborted", Termination::Aborted},
    {"canceled", Termination::Aborted},
    {"cancelled", Termination::Aborted},
    {"cheat", Termination::Aborted},
    {"cheated", Termination::Aborted},
    {"cheating", Termination::Aborted},
    {"no start", Termination::Aborted},
    {"nostart", Termination::Aborted},
    {"unknownfinish", Termination::Aborted},
    {"variantend", Termination::Aborted},

    {"abandon", Termination::Disconnection},
    {"abandons", Termination::Disconnection},
    {"abandoned", Termination::Disconnection},
    {"connection", Termination::Disconnection},
    {"crashed", Termination::Disconnection},
    {"crashes", Termination::Disconnection},
    {"died", Termination::Disconnection},
    {"disconnect", Termination::Disconnection},
    {"disconnects", Termination::Disconnection},
    {"disconnected", Termination::Disconnection},
    {"disconnection", Termination::Disconnection},
    {"exited", Termination::Disconnection},
    {"exits", Termination::Disconnection},
    {"has left", Termination::Disconnection},
    {"leaves", Termination::Disconnection},
    {"left the game", Termination::Disconnection},

    {"by time", Termination::Flag},
    {"flag", Termination::Flag},
    {"flags", Termination::Flag},
    {"flagfall", Termination::Flag},
    {"flagged", Termination::Flag},
    {"has fallen", Termination::Flag},
    {"no time", Termination::Flag},
    {"on time", Termination::Flag},
    {"out of time", Termination::Flag},
    {"outoftime", Termination::Flag},
    {"ran out", Termination::Flag},
    {"runs out", Termination::Flag},
    {"time exceeded", Termination::Flag},
    {"time expired", Termination::Flag},
    {"time expires", Termination::Flag},
    {"time forfeit", Termination::Flag},
    {"time forfeits", Termination::Flag},
    {"time forfeiture", Termination::Flag},
    {"time is up", Termination::Flag},
    {"time limit", Termination::Flag},
    {"time loss", Termination::Flag},
    {"time out", Termination::Flag},
    {"time up", Termination::Flag},
    {"timed out", Termination::Flag},
    {"timeout", Termination::Flag},
    {"times out", Termination::Flag},
});

// The name of a player stands before these.
constexpr auto Verbs = std::to_array<std::string_view>(
    {" abandons",  " abandoned", " checkmated",  " disconnected", " disconnects",  " exited",
     " exits",     " flagged",   " forfeits by", " forfeits on",  " has ",         " leaves",
     " left the",  " loses",     " lost by",     " lost connect", " lost on time", " mated",
     " mates",     " ran out",   " resigned",    " resigns",      " runs out",     " stalemated",
     " timed out", " times out", " was ",        " wins",         " won"});

// A player may be called "Timeout". `text` and `opponent` are in lower case.
std::string without_players(std::string text, std::string_view opponent) {
    for (const std::string_view verb : Verbs) {
        const std::size_t end = text.find(verb);
        if (end == std::string::npos)
            continue;
        const std::string_view before(text.data(), end);
        const std::size_t start = !opponent.empty() && before.ends_with(opponent)
                                      ? end - opponent.size()
                                      : before.rfind(' ') + 1;  // 0 if there is no blank
        text.erase(start, end - start);
    }
    return text;
}

// Empty if the game was adjourned. A draw by a fallen flag is no draw on the board: the clock
// decided, as in a loss on time.
std::optional<Termination>
termination_of(std::string_view comment, std::string_view opponent, bool drawn) {
    std::string text = lower(comment);
    // lichess-bot calls games that the opponent left drawn, whoever won.
    if (drawn && text == "timeout")
        return Termination::Aborted;
    text = without_players(std::move(text), lower(opponent));
    std::replace(text.begin(), text.end(), '-', ' ');
    for (const Wording& wording : Wordings)
        if (contains_words(text, wording.words))
            return wording.termination;
    return Termination::Board;
}

std::string random_name() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

std::optional<Ending> parse_result(std::string_view text, std::string_view opponent) {
    const std::string_view token = text.substr(0, text.find_first_of(" \t{"));
    std::string_view comment = trimmed(text.substr(token.size()));
    if (comment.starts_with('{'))
        comment.remove_prefix(1);
    if (comment.ends_with('}'))
        comment.remove_suffix(1);
    const bool drawn = token == "1/2-1/2";
    const std::optional<Termination> termination = termination_of(comment, opponent, drawn);
    const bool aborted = token == "*" && termination == Termination::Aborted;
    if (!termination || !(token == "1-0" || token == "0-1" || drawn || aborted))
        return std::nullopt;
    return Ending{.white_score = token == "1-0"   ? 1.0
                                 : token == "0-1" ? 0.0
                                                  : 0.5,
                  .termination = *termination,
                  .comment = printable(comment)};
}

Record::Record() : run_name_(random_name()) {}

void Record::new_game() {
    record_ = {};
    unlearnable_ = false;
}

void Record::our_move(const engine::Game& game) {
    const engine::Color side = game.position().side_to_move();
    if (!record_.uid.empty() && record_.our_side != side)
        unlearnable_ = true;  // we play both sides
    record_.our_side = side;
    if (!record_.uid.empty())
        return;
    record_.resumed = game.ply() > 1;
    record_.played = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    record_.engine = EngineName;
    record_.uid = fmt::format("{}-{}-{}", run_name_, ++games_, record_.played);
}

void Record::from_book(std::string draw) {
    record_.exit_ply.reset();
    record_.exit_cp = record_.exit_depth = 0;
    if (!draw.empty())
        record_.draws.push_back(std::move(draw));
}

bool Record::searched(int ply, engine::Score score, int depth) {
    if (record_.exit_ply || record_.resumed)
        return false;
    record_.exit_ply = ply;
    record_.exit_cp = std::clamp(score, -MateCentipawns, MateCentipawns);
    record_.exit_depth = depth;
    return true;
}

std::optional<book::GameRecord> Record::in_progress(const engine::Game& game) const {
    if (unlearnable_ || record_.uid.empty() || !game.starts_normally())
        return std::nullopt;
    book::GameRecord record = record_;
    record.game = game;
    return record;
}

std::optional<book::GameRecord> Record::finished(const engine::Game& game,
                                                 const Ending& ending) const {
    std::optional<book::GameRecord> record = in_progress(game);
    if (!record)
        return record;
    record->score =
        record->our_side == engine::White ? ending.white_score : 1.0 - ending.white_score;
    record->termination = ending.termination;
    record->reason = ending.comment;
    return record;
}

}  // namespace protocol
