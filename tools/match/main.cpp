// nutcracker-match: engines play each other, and what that proves.
#include "engine/engine.h"
#include "tools/common/signals.h"
#include "tools/match/match_options.h"
#include "tools/match/pgn.h"
#include "tools/match/watch.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <random>
#include <set>

#include <unistd.h>

namespace {

constexpr std::uint64_t BalanceNodes = 20'000;  // for judging a random opening

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    std::array<char, 16> text{};
    std::strftime(text.data(), text.size(), "%Y.%m.%d", &parts);
    return text.data();
}

// A predicate: our own search sees neither side ahead by more than `balance`.
std::function<bool(const engine::Position&)> balanced_within(int balance) {
    if (balance <= 0)
        return [](const engine::Position&) { return true; };
    std::shared_ptr<engine::Searcher> searcher = engine::make_searcher();
    return [searcher, balance](const engine::Position& pos) {
        engine::Limits limits;
        limits.nodes = BalanceNodes;
        searcher->clear();
        return std::abs(engine::think(*searcher, engine::Game(pos), limits).score) <= balance;
    };
}

Result<std::vector<tools::Opening>> openings_for(const tools::MatchOptions& o) {
    if (o.openings_file.empty())
        return tools::random_openings((o.plan.games + 1) / 2,
                                      o.random_plies,
                                      o.seed,
                                      balanced_within(o.random_plies > 0 ? o.random_balance : 0));
    Result<std::vector<tools::Opening>> openings =
        tools::read_openings(o.openings_file, o.opening_plies);
    if (!openings)
        return openings;
    if (o.shuffle) {
        std::mt19937_64 random(o.seed);
        for (std::size_t i = openings->size(); i > 1; --i)
            std::swap((*openings)[i - 1], (*openings)[random() % i]);
    }
    const auto first = static_cast<std::size_t>(o.opening_start - 1) % openings->size();
    std::rotate(
        openings->begin(), openings->begin() + static_cast<std::ptrdiff_t>(first), openings->end());
    return openings;
}

bool speaks_utf8() {
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

std::function<void(const tools::View&)> watcher(tools::WatchMode mode) {
    if (mode == tools::WatchMode::None)
        return {};
    const bool terminal = isatty(STDOUT_FILENO) == 1;
    const tools::WatchStyle style{mode == tools::WatchMode::Board ||
                                      (mode == tools::WatchMode::Auto && terminal),
                                  terminal && mode != tools::WatchMode::Lines,
                                  speaks_utf8()};
    if (style.redraw)
        std::cout << "\033[2J";
    return [style](const tools::View& view) {
        std::cout << tools::picture(view, style) << std::flush;
    };
}

// Keeps the books of a match while it runs.
class Reporter {
  public:
    Reporter(const tools::MatchOptions& o, std::ofstream* pgn)
        : options_(o), pgn_(pgn), standings_(first_names(o)) {}

    // False if the match is decided, or its games cannot be written.
    bool finished(const tools::FinishedGame& game) {
        const auto opponent = static_cast<std::size_t>(game.number.opponent) + 1;
        const bool reversed = game.number.reversed;
        const auto& [white, black] = game.record.names;
        standings_.rename(0, reversed ? black : white);
        standings_.rename(opponent, reversed ? white : black);
        standings_.add(game.number, game.record);
        for (const std::string& text : game.complaints)
            if (complaints_.insert(text).second)
                std::cerr << "nutcracker-match: " << text << '\n';
        if (game.record.outcome == tools::Outcome::Unfinished)
            return true;
        if (pgn_ && !(*pgn_ << tools::to_pgn(game.record) << std::flush))
            return false;
        const bool watched = options_.watch != tools::WatchMode::None;
        if (watched || tools::is_misconduct(game.record.ending))
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

    // 1 if there was a fault that the caller wanted to know of.
    [[nodiscard]] int conclude() const {
        if (options_.watch == tools::WatchMode::None || standings_.total().games() > 1)
            std::cout << standings_.table(test());
        const std::size_t judged = options_.strict         ? options_.plan.engines.size()
                                   : options_.strict_first ? 1
                                                           : 0;
        for (std::size_t i = 0; i < judged; ++i)
            if (standings_.conduct(i).faults() > 0)
                return 1;
        return 0;
    }

    // All games that were wanted have been played, or the test is decided.
    [[nodiscard]] bool complete() const {
        const tools::Tally total = standings_.total();
        const std::size_t opponents = options_.plan.engines.size() - 1;
        return decided_ || total.games() == options_.plan.games * static_cast<int>(opponents);
    }

  private:
    static std::vector<std::string> first_names(const tools::MatchOptions& o) {
        std::vector<std::string> names;
        for (const tools::EngineSpec& spec : o.plan.engines)
            names.push_back(spec.name.empty() ? spec.command.words.front() : spec.name);
        return names;
    }
    [[nodiscard]] const tools::Sprt* test() const {
        return options_.test ? &*options_.test : nullptr;
    }

    const tools::MatchOptions& options_;
    std::ofstream* pgn_;
    tools::Standings standings_;
    std::set<std::string> complaints_;
    bool decided_ = false;  // games that were under way may still take the test back over its bound
};

int complain(const std::string& what) {
    std::cerr << "nutcracker-match: " << what << '\n';
    return 2;
}

int run(const std::vector<std::string>& words) {
    Result<tools::MatchOptions> parsed = tools::parse_match_options(words);
    if (!parsed)
        return complain(parsed.error().what);
    tools::MatchOptions& o = *parsed;
    if (!o.help.empty()) {
        std::cout << o.help;
        return 0;
    }
    std::signal(SIGPIPE, SIG_IGN);
    Result<std::vector<tools::Opening>> openings = openings_for(o);
    if (!openings)
        return complain(openings.error().what);
    if (openings->empty())
        return complain("no random opening is balanced enough (--random-balance)");
    const int interrupt = tools::signals_as_file();  // so that the engines can be ended first
    o.plan.openings = std::move(*openings);
    o.plan.date = today();
    std::ofstream pgn;
    if (!o.pgn_file.empty()) {
        pgn.open(o.pgn_file, std::ios::app);
        if (!pgn)
            return complain("cannot write " + o.pgn_file);
    }
    std::unique_ptr<tools::Trace> trace;
    if (!o.trace_file.empty()) {
        Result<std::unique_ptr<tools::Trace>> opened = tools::Trace::open(o.trace_file);
        if (!opened)
            return complain(opened.error().what);
        trace = std::move(*opened);
    }
    Reporter reporter(o, o.pgn_file.empty() ? nullptr : &pgn);
    const Result<void> played = tools::play_match(
        o.plan,
        trace.get(),
        interrupt,
        [&](const tools::FinishedGame& game) { return reporter.finished(game); },
        watcher(o.watch));
    const int status = reporter.conclude();
    if (!played)
        return complain(played.error().what);
    if (!pgn)
        return complain("cannot write " + o.pgn_file);
    return reporter.complete() ? status : complain("interrupted");
}

}  // namespace

int main(int argc, char** argv) {
    return run({argv + 1, argv + argc});
}
