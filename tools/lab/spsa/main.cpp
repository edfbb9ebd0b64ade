// nutcracker-spsa: tunes the parameters of the search by games of the engine against itself.
#include "engine/platform/events.h"
#include "engine/platform/file.h"
#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/common/pgn_text.h"
#include "tools/common/workers.h"
#include "tools/lab/spsa/play.h"
#include "tools/lab/spsa/tuning_file.h"
#include "tools/match/time_control.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <mutex>

#include <fmt/format.h>

namespace {

namespace po = boost::program_options;
namespace spsa = tools::spsa;
using tools::bound;
using tools::Failure;
using tools::value_or_throw;

struct Options {
    std::string parameters = "all", output;
    double r_end = 0.002;
    int games = 20'000, threads = 1;
    spsa::Plan plan{.nodes = 5'000};
};

// The state of the tuning. Shared by the workers.
class Session {
  public:
    explicit Session(spsa::State state)
        : state_(std::move(state)), before_(state_.done), next_(state_.done) {}

    // The next iteration; nothing if all have begun, or after stop().
    std::optional<spsa::Trial> next_trial() {
        const std::lock_guard lock(mutex_);
        if (stop_ || next_ >= state_.plan.pairs)
            return std::nullopt;
        return make_trial(state_, next_++);
    }
    void finish(const spsa::Trial& trial, int points) {
        const std::lock_guard lock(mutex_);
        update(state_, trial, points);
    }
    [[nodiscard]] spsa::State state() {
        const std::lock_guard lock(mutex_);
        return state_;
    }
    void stop() { stop_ = true; }
    [[nodiscard]] const std::atomic<bool>& stopped() const { return stop_; }
    [[nodiscard]] std::string progress(double seconds) {
        const spsa::State now = state();
        const double pairs = now.done - before_;
        const std::string left =
            pairs > 0 ? fmt::format("{:.0f} s left; ",
                                    std::ceil((now.plan.pairs - now.done) * seconds / pairs))
                      : "";
        return fmt::format("{} of {} pairs, {:.1f} games/s, {}{}",
                           now.done,
                           now.plan.pairs,
                           2 * pairs / seconds,
                           left,
                           largest_changes(now, 3));
    }

  private:
    std::mutex mutex_;  // guards state_ and next_
    spsa::State state_;
    const int before_;
    int next_;
    std::atomic<bool> stop_{false};
};

std::string explanation() {
    tools::Movetext names;
    for (const spsa::Parameter& p : spsa::known_parameters(1, true))
        names.add(p.name);
    return "\nThe parameters are those of engine/search/params.inc, with a clock also those of "
           "time management:\n" +
           names.text() +
           "A file of parameters has one in each line, NAME [C_END [R_END]]. C_END is the\n"
           "perturbation in the last iteration (a 20th of the range, at least 0.5), R_END its "
           "--r-end.\n";
}

Options parse(const tools::Words& words) {
    Options o;
    po::options_description options("Usage: nutcracker-spsa --out FILE [OPTION...]\n\n"
                                    "Tunes parameters of the search by SPSA: pairs of games "
                                    "between two versions of the engine\n"
                                    "whose parameters differ a little. Prints the lines for "
                                    "engine/search/params.inc.\n\nOptions");
    auto option = options.add_options();
    option("params", bound(o.parameters), "all, names separated by commas, or a file");
    option("out,o", po::value(&o.output), "file of the tuning; an existing one is continued");
    option("games", bound(o.games, 2), "games in all, an even number");
    option("nodes",
           bound(o.plan.nodes, 1),
           "nodes of a move; with --clock, nodes that count as a second");
    option("clock",
           bound(o.plan.clock),
           "clock of a side, run by nodes, such as 4+0.04; inf: every move has --nodes");
    option("threads", bound(o.threads, 1, 256), "pairs of games at the same time");
    option("seed", bound(o.plan.seed), "with one thread, equal seeds give equal tunings");
    option("r-end", bound(o.r_end), "last step for a won game, as a share of the perturbation");
    tools::parse_options({.who = "nutcracker-spsa", .words = words, .explanation = explanation()},
                         options);
    if (o.output.empty())
        throw Failure("no file to write (--out)");
    if (o.games % 2 != 0)
        throw Failure("--games must be even");
    if (!(o.r_end > 0 && o.r_end <= 1))
        throw Failure("--r-end must be above 0 and at most 1");
    o.plan.pairs = o.games / 2;
    const bool by_clock =
        value_or_throw(tools::match::parse_time_control(o.plan.clock)).has_clock();
    o.plan.parameters =
        value_or_throw(choose_parameters(o.parameters, spsa::known_parameters(o.r_end, by_clock)));
    return o;
}

// Keeps other programs from the tuning. Locks OUT.lock, since save() replaces the file itself.
class TuningLock {
  public:
    explicit TuningLock(const std::string& output)
        : path_(value_or_throw(tools::file_to_replace(output)) + ".lock") {
        do {
            file_ = File(path_, File::Mode::Create);
            if (!file_.is_open())
                throw Failure("cannot write " + output);
            if (!file_.try_lock())
                throw Failure(output + " is in use by another program");
        } while (!file_.is_at(path_));  // removed by the program that had it
    }
    TuningLock(const TuningLock&) = delete;
    TuningLock& operator=(const TuningLock&) = delete;
    ~TuningLock() { (void)engine::platform::remove_open(path_); }

  private:
    using File = engine::platform::File;
    std::filesystem::path path_;
    File file_;
};

// Begins a tuning, or continues that of the file.
spsa::State open_tuning(const Options& o) {
    std::error_code none;
    if (!std::filesystem::exists(o.output, none))
        return spsa::begin_tuning(o.plan);
    const std::string text = value_or_throw(tools::read_bytes(o.output));
    spsa::State state = value_or_throw(spsa::state_from_text(text), o.output + ": ");
    if (state.plan != o.plan)
        throw Failure(fmt::format("{}: was begun with other parameters or options (seed {}, nodes "
                                  "{}, clock {}, games {})",
                                  o.output,
                                  state.plan.seed,
                                  state.plan.nodes,
                                  state.plan.clock,
                                  2 * state.plan.pairs));
    return state;
}

int run(const tools::Words& words) {
    Options o = parse(words);
    const auto& signals = engine::platform::end_requests();
    std::vector<std::unique_ptr<spsa::Duel>> duels;
    duels.reserve(static_cast<std::size_t>(o.threads));
    for (int i = 0; i < o.threads; ++i)
        duels.push_back(value_or_throw(spsa::make_duel()));
    const TuningLock lock(o.output);
    const spsa::State before = open_tuning(o);
    value_or_throw(save(before, o.output));  // tested now rather than after hours
    std::cerr << fmt::format("{} parameters, {} of {} pairs played\n",
                             o.plan.parameters.size(),
                             before.done,
                             o.plan.pairs);
    Session session(before);
    const auto play = [&](int i) {
        spsa::Duel& duel = *duels[static_cast<std::size_t>(i)];
        while (const std::optional<spsa::Trial> trial = session.next_trial())
            if (const auto points = duel.play(o.plan, *trial, session.stopped()))
                session.finish(*trial, *points);
    };
    Result<void> saved;
    const auto save_now = [&](double) {
        saved = save(session.state(), o.output);
        if (!saved)  // for example, the disk is full
            session.stop();
    };
    tools::run_workers(
        o.threads,
        play,
        {.signals = &signals,
         .stop = [&session] { session.stop(); },
         .every_second = save_now,
         .progress = [&session](double seconds) { return session.progress(seconds); }});
    value_or_throw(saved);
    const spsa::State after = session.state();
    std::cout << results(after);
    if (after.done == after.plan.pairs)
        return 0;
    std::cerr << "stopped; the same command continues the tuning\n";
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    return tools::run_tool("nutcracker-spsa", argc, argv, run);
}
