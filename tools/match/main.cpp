// nutcracker-match: plays a match between engines and prints the results.
#include "engine/engine.h"
#include "engine/platform/events.h"
#include "engine/platform/file.h"
#include "engine/platform/program.h"
#include "tools/common/command_line.h"
#include "tools/common/fixed_nodes.h"
#include "tools/common/terminal.h"
#include "tools/match/match_options.h"
#include "tools/match/played_game.h"
#include "tools/match/watch.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <random>
#include <set>

#include <fmt/chrono.h>

namespace {

using tools::match::MatchOptions;
using tools::match::WatchMode;

constexpr std::uint64_t BalanceNodes = 20'000;  // for judging a random opening

// A predicate: by our own search neither side is ahead by more than `balance` centipawns.
std::function<bool(const engine::Position&)> balanced_within(int balance) {
    if (balance <= 0)
        return [](const engine::Position&) { return true; };
    std::shared_ptr<engine::Searcher> searcher = engine::make_searcher();
    return [searcher, balance](const engine::Position& pos) {
        searcher->clear();
        const auto found = tools::search_nodes(*searcher, engine::Game(pos), BalanceNodes);
        return std::abs(found.score) <= balance;
    };
}

std::vector<tools::Opening> openings_for(const MatchOptions& o) {
    std::vector<tools::Opening> openings;
    if (o.openings_file.empty()) {
        openings =
            tools::random_openings((o.plan.games + 1) / 2,
                                   o.random_plies,
                                   o.seed,
                                   balanced_within(o.random_plies > 0 ? o.random_balance : 0));
        if (openings.empty())
            throw tools::Failure("no random opening is balanced enough (--random-balance)");
        return openings;
    }
    openings = tools::value_or_throw(tools::read_openings(o.openings_file, o.opening_plies));
    if (o.shuffle) {
        std::mt19937_64 random(o.seed);
        for (std::size_t i = openings.size(); i > 1; --i)
            std::swap(openings[i - 1], openings[random() % i]);
    }
    const auto first = static_cast<std::ptrdiff_t>(o.opening_start - 1) % std::ssize(openings);
    std::rotate(openings.begin(), openings.begin() + first, openings.end());
    return openings;
}

bool is_utf8_locale() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
        const char* const value = std::getenv(name);
        const std::string_view locale = value ? value : "";
        if (!locale.empty())
            return locale.find("UTF-8") != std::string_view::npos ||
                   locale.find("utf8") != std::string_view::npos;
    }
    return false;
}

std::function<void(const tools::match::View&)> watcher(WatchMode mode) {
    if (mode == WatchMode::None)
        return {};
    const bool terminal = tools::is_terminal();
    const tools::match::WatchStyle style{mode == WatchMode::Board ||
                                             (mode == WatchMode::Auto && terminal),
                                         terminal && mode != WatchMode::Lines,
                                         is_utf8_locale()};
    if (style.redraw)
        std::cout << "\033[2J";
    return [style](const tools::match::View& view) {
        std::cout << tools::match::picture(view, style) << std::flush;
    };
}

// Collects and prints the results of a match while it runs.
class Reporter {
  public:
    Reporter(const MatchOptions& o, std::ofstream* pgn)
        : options_(o), pgn_(pgn), standings_(first_names(o)) {}

    // Prints each warning once. Returns false if --strict applies to the engine.
    bool warned(std::size_t engine, const std::string& text) {
        if (engine < judged())
            return false;
        if (warnings_.insert(text).second)
            std::cerr << "nutcracker-match: " << text << std::endl;
        return true;
    }

    // False if the match is decided, or its games cannot be written.
    bool finished(const tools::match::FinishedGame& game) {
        const auto opponent = static_cast<std::size_t>(game.number.opponent) + 1;
        const bool reversed = game.number.reversed;
        const auto& [white, black] = game.record.names;
        standings_.rename(0, reversed ? black : white);
        standings_.rename(opponent, reversed ? white : black);
        standings_.add(game.number, game.record);
        if (game.record.outcome == tools::Outcome::Unfinished)
            return true;
        if (pgn_ && !(*pgn_ << tools::match::to_pgn(game.record) << std::flush))
            return false;
        const bool watched = options_.watch != WatchMode::None;
        if (watched || tools::match::is_fault(game.record.ending))
            (watched ? std::cout : std::cerr)
                << white << " - " << black << ' ' << tools::result_text(game.record.outcome) << " {"
                << game.record.reason << "}" << std::endl;
        const int games = standings_.total().games();
        if (games % options_.report_every == 0)
            std::cerr << standings_.progress_line(test()) << std::endl;
        decided_ = decided_ || (test() && tools::verdict(standings_.total(), *test()) !=
                                              tools::Verdict::Undecided);
        return !decided_;
    }

    // Prints the table. Returns 1 if there was a fault that --strict counts.
    [[nodiscard]] int conclude() const {
        if (options_.watch == WatchMode::None || standings_.total().games() > 1)
            std::cout << standings_.table(test());
        for (std::size_t i = 0; i < judged(); ++i)
            if (standings_.faults(i).total() > 0)
                return 1;
        return 0;
    }

    // All games have been played, or the SPRT has decided.
    [[nodiscard]] bool complete() const {
        const tools::Tally total = standings_.total();
        const std::size_t opponents = options_.plan.engines.size() - 1;
        return decided_ || total.games() == options_.plan.games * static_cast<int>(opponents);
    }

  private:
    static std::vector<std::string> first_names(const MatchOptions& o) {
        std::vector<std::string> names;
        for (const tools::match::EngineSpec& spec : o.plan.engines)
            names.push_back(spec.name.empty() ? spec.command.words.front() : spec.name);
        return names;
    }
    // How many engines --strict applies to, from the first on.
    [[nodiscard]] std::size_t judged() const {
        return options_.strict ? options_.plan.engines.size() : options_.strict_first ? 1 : 0;
    }
    [[nodiscard]] const tools::Sprt* test() const {
        return options_.test ? &*options_.test : nullptr;
    }

    const MatchOptions& options_;
    std::ofstream* pgn_;
    tools::match::Standings standings_;
    std::set<std::string> warnings_;
    bool decided_ = false;  // stays true even if the last games move the LLR back
};

int run(const tools::Words& words) {
    MatchOptions o = tools::value_or_throw(tools::match::parse_match_options(words));
    if (!o.help.empty()) {
        std::cout << o.help;
        return 0;
    }
    engine::platform::ignore_broken_pipes();
    o.plan.openings = openings_for(o);
    const auto& interrupt = engine::platform::end_requests();  // the engines are to end first
    o.plan.date = fmt::format("{:%Y.%m.%d}", fmt::localtime(std::time(nullptr)));
    const auto cannot_write = [](const std::string& file) {
        return tools::Failure("cannot write " + file);
    };
    std::ofstream pgn;
    if (!o.pgn_file.empty()) {
        pgn.open(engine::platform::long_path(o.pgn_file), std::ios::binary | std::ios::app);
        if (!pgn)
            throw cannot_write(o.pgn_file);
    }
    std::unique_ptr<tools::match::Trace> trace;
    if (!o.trace_file.empty())
        trace = tools::value_or_throw(tools::match::Trace::open(o.trace_file));
    Reporter reporter(o, o.pgn_file.empty() ? nullptr : &pgn);
    o.plan.warned = [&reporter](std::size_t engine, const std::string& text) {
        return reporter.warned(engine, text);
    };
    const Result<void> played = tools::match::play_match(
        o.plan,
        trace.get(),
        &interrupt,
        [&](const tools::match::FinishedGame& game) { return reporter.finished(game); },
        watcher(o.watch));
    const int status = reporter.conclude();
    tools::value_or_throw(played);
    if (!pgn)
        throw cannot_write(o.pgn_file);
    if (trace && !trace->is_complete())
        throw cannot_write(o.trace_file);
    if (!reporter.complete())
        throw tools::Failure("interrupted");
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-match", argc, argv, run);
}
