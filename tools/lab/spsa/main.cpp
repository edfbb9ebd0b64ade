// nutcracker-spsa: tunes the numbers of the search by games of the engine against itself.
#include "tools/common/command_line.h"
#include "tools/common/files.h"
#include "tools/common/pgn_text.h"
#include "tools/common/signals.h"
#include "tools/common/strings.h"
#include "tools/common/workers.h"
#include "tools/lab/spsa/play.h"
#include "tools/lab/spsa/tuning_file.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>

namespace {

namespace po = boost::program_options;
namespace spsa = tools::spsa;

struct Options {
    std::string parameters, output;
    double r_end = 0;
    int games = 0, threads = 1;
    spsa::Plan plan;
};

// The tuning as the playing threads share it.
class Session {
  public:
    explicit Session(spsa::State state)
        : state_(std::move(state)), before_(state_.done), next_(state_.done) {}

    // Nothing if all are played or begun, or it was stopped.
    std::optional<spsa::Trial> next_trial() {
        const std::lock_guard lock(mutex_);
        if (stop_ || next_ >= state_.plan.pairs)
            return std::nullopt;
        return make_trial(state_, next_++);
    }
    void finish(const spsa::Trial& trial, int points) {
        const std::lock_guard lock(mutex_);
        learn(state_, trial, points);
    }
    [[nodiscard]] spsa::State state() {
        const std::lock_guard lock(mutex_);
        return state_;
    }
    void stop() { stop_ = true; }
    [[nodiscard]] const std::atomic<bool>& stopped() const { return stop_; }
    [[nodiscard]] std::string report(double seconds) {
        const spsa::State now = state();
        const double pairs = now.done - before_;
        std::ostringstream text;
        text << now.done << " of " << now.plan.pairs << " pairs, " << std::fixed
             << std::setprecision(1) << 2 * pairs / seconds << " games/s, ";
        if (pairs > 0)
            text << std::setprecision(0) << std::ceil((now.plan.pairs - now.done) * seconds / pairs)
                 << " s left; ";
        text << largest_moves(now, 3);
        return text.str();
    }

  private:
    std::mutex mutex_;  // guards state_ and next_
    spsa::State state_;
    const int before_;
    int next_;
    std::atomic<bool> stop_{false};
};

int complain(const std::string& what) {
    std::cerr << "nutcracker-spsa: " << what << '\n';
    return 2;
}

std::string explanation() {
    tools::Movetext names;
    for (const spsa::Parameter& p : spsa::known_parameters(1))
        names.add(p.name);
    return "\nThe numbers are those of engine/search/params.inc that games of fixed nodes can "
           "judge:\n" +
           names.text() +
           "A file names one a line, and may add how far its versions are from the middle in the\n"
           "last pair (a 20th of the range, at least 0.5) and its --r-end: NAME [C_END [R_END]].\n";
}

// Reads the options; an exit code if there is nothing more to do.
std::optional<int> parse(const std::vector<std::string>& arguments, Options& o) {
    po::options_description words("nutcracker-spsa: tunes the numbers of the search");
    words.add_options()("help", "this text")("params",
                                             po::value(&o.parameters)->default_value("all"),
                                             "all, names with commas between, or a file")(
        "out,o", po::value(&o.output), "file of the tuning; goes on with one that exists")(
        "games", po::value(&o.games)->default_value(20'000), "to play in all, in pairs")(
        "nodes", po::value(&o.plan.nodes)->default_value(5'000), "of a move")(
        "threads", po::value(&o.threads)->default_value(1), "pairs at the same time")(
        "seed", po::value(&o.plan.seed)->default_value(1), "with one thread: equal tunings")(
        "r-end",
        po::value(&o.r_end)->default_value(0.002),
        "the last step for a won game, in parts of the distance");
    po::variables_map given;
    if (const auto code = tools::read_options(
            {.who = "nutcracker-spsa", .words = arguments, .explanation = explanation()},
            words,
            given))
        return code;
    if (o.output.empty())
        return complain("no file to write (--out)");
    if (o.games < 2 || o.games % 2 != 0 || o.plan.nodes < 1 || o.threads < 1 || o.threads > 256 ||
        !(o.r_end > 0 && o.r_end <= 1))
        return complain("a number is out of range");
    o.plan.pairs = o.games / 2;
    Result<std::vector<spsa::Parameter>> chosen =
        choose_parameters(o.parameters, spsa::known_parameters(o.r_end));
    if (!chosen)
        return complain(chosen.error().what);
    o.plan.parameters = std::move(*chosen);
    return std::nullopt;
}

// Begins, or goes on with what the file says.
Result<spsa::State> open_tuning(const Options& o) {
    std::error_code unknown;
    if (!std::filesystem::exists(o.output, unknown))
        return spsa::begin_tuning(o.plan);
    if (!std::filesystem::is_regular_file(o.output, unknown))
        return fail(o.output + " is no file");
    const Result<std::string> text = tools::read_bytes(o.output);
    if (!text)
        return fail(text.error().what);
    Result<spsa::State> state = spsa::state_from_text(*text);
    if (!state)
        return fail(o.output + ": " + state.error().what);
    if (state->plan != o.plan)
        return fail(o.output + ": was begun with other numbers or options (seed " +
                    std::to_string(state->plan.seed) + ", nodes " +
                    std::to_string(state->plan.nodes) + ", games " +
                    std::to_string(2 * state->plan.pairs) + ")");
    return state;
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    if (const auto code = parse({argv + 1, argv + argc}, o))
        return *code;
    const int signals = tools::signals_as_file();
    std::vector<std::unique_ptr<spsa::Duel>> duels;
    for (int i = 0; i < o.threads; ++i) {
        Result<std::unique_ptr<spsa::Duel>> duel = spsa::make_duel();
        if (!duel)
            return complain(duel.error().what);
        duels.push_back(std::move(*duel));
    }
    const Result<spsa::State> before = open_tuning(o);
    if (!before)
        return complain(before.error().what);
    if (const Result<void> kept = save(*before, o.output); !kept)  // rather than after hours
        return complain(kept.error().what);
    std::cerr << o.plan.parameters.size() << " numbers, " << before->done << " of " << o.plan.pairs
              << " pairs played" << std::endl;
    Session session(*before);
    const auto play = [&](int i) {
        spsa::Duel& duel = *duels[static_cast<std::size_t>(i)];
        while (const std::optional<spsa::Trial> trial = session.next_trial())
            if (const auto points = duel.play(o.plan, *trial, session.stopped()))
                session.finish(*trial, *points);
    };
    Result<void> saved;
    const auto save_now = [&](double) {
        saved = save(session.state(), o.output);
        if (!saved)  // a full disk
            session.stop();
    };
    tools::work_together(
        o.threads,
        play,
        {.signals = signals,
         .stop = [&session] { session.stop(); },
         .look = save_now,
         .report = [&session](double seconds) { return session.report(seconds); }});
    if (!saved)
        return complain(saved.error().what);
    const spsa::State after = session.state();
    std::cout << results(after);
    if (after.done < after.plan.pairs)
        std::cerr << "stopped; the same command goes on\n";
    return 0;
}
