#include "tools/match/match_options.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include <boost/program_options.hpp>

namespace po = boost::program_options;

namespace tools {
namespace {

constexpr const char* Explanation = R"(
An engine is described by words:
  cmd=COMMAND        program and arguments, quoted as for a shell
  proto=xboard|uci   what it speaks (xboard)
  name=NAME          instead of what it calls itself
  dir=FOLDER         where it runs
  memory=MIB cores=N hash and threads, told in the way of its protocol
  option.NAME=VALUE  an option of its own; without =VALUE a button
  init=LINE          a line sent as it is after the handshake
  stderr=FILE        where its standard error goes (nowhere)
  restart            a new process for every game
  ponder             thinks on its opponent's time
  patience=MS        for its answers outside its thinking time (15000)
  whitepov           tells scores from White's side
  tc=[MOVES/]TIME[+INCREMENT]  10+0.1, 40/1:00, or inf with a depth or nodes
  st=SECONDS         exactly so much for every move
  depth=N nodes=N    limits that come on top
  margin=MS          forgiven on the clock (0; 100 with st)
--each words hold for all engines; those of an engine come after them.

  nutcracker-match --engine cmd=nutcracker --engine cmd='toga2' proto=uci option.OwnBook=false \
    --each tc=10+0.1 --random-plies 8 --games 200 --concurrency 2 --pgn games.pgn

Exit status: 0; 1 with --strict when an engine crashed, stalled, lost on time or broke the rules;
2 for wrong use, an engine that does not start, or an interrupted match.
)";

po::options_description describe(MatchOptions& o) {
    po::options_description options("nutcracker-match: engines play each other\nOptions");
    auto option = options.add_options();
    const auto words = [] { return po::value<std::string>()->multitoken(); };
    option("help,h", "show this");
    option("engine", words(), "an engine, twice or more; the first plays each of the others");
    option("each", words(), "words for all engines");
    option("games", po::value(&o.plan.games)->default_value(2), "against each opponent");
    option("concurrency", po::value(&o.plan.concurrency)->default_value(1), "games at a time");
    option("openings",
           po::value(&o.openings_file),
           "EPD or FEN lines, .pgn, or .tsv (ECO, name, moves)");
    option("opening-plies", po::value(&o.opening_plies)->default_value(0), "used of each; 0: all");
    option("opening-start", po::value(&o.opening_start)->default_value(1), "number of the first");
    option("shuffle", "openings in random order");
    option("random-plies", po::value(&o.random_plies)->default_value(0), "begin with random moves");
    option("random-balance",
           po::value(&o.random_balance)->default_value(80),
           "centipawns, by our own search, that such a beginning may be off; 0: any");
    option("seed", po::value(&o.seed)->default_value(1), "of all that is random here");
    option("ponder", "all engines think on their opponent's time");
    option("sprt", words(), "stop when decided: elo0=0 elo1=10 alpha=0.05 beta=0.05 (two engines)");
    option("draw",
           words(),
           "adjudicate: movenumber=40 movecount=8 score=10 (both engines, centipawns)");
    option("resign", words(), "adjudicate: movecount=4 score=600 (both engines agree)");
    option("max-moves", po::value(&o.plan.rules.max_moves)->default_value(0), "then it is a draw");
    option(
        "stall-s", po::value<int>()->default_value(60), "seconds for a move that no clock bounds");
    option("wait-ms", po::value<int>()->default_value(0), "pause between games");
    option("pgn", po::value(&o.pgn_file), "append the games to this file");
    option("event", po::value(&o.plan.event), "name of the match in the PGN");
    option("log", po::value(&o.trace_file), "all that is said to and by the engines");
    option("report", po::value(&o.report_every)->default_value(10), "progress after so many games");
    option("watch",
           po::value<std::string>()->implicit_value("auto"),
           "show one game: auto, board, or lines");
    option("strict",
           po::value<std::string>()->implicit_value("all"),
           "exit status 1 on a fault of any engine (all) or of the first");
    return options;
}

// Splits "key=value"; no value without '='.
std::pair<std::string, std::optional<std::string>> split_word(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
        return {word, std::nullopt};
    return {word.substr(0, equals), word.substr(equals + 1)};
}

template <typename T>
bool set_number(std::optional<std::string>& text, T& target, T lowest) {
    const std::optional<T> value = text ? number<T>(*text) : std::nullopt;
    if (!value || *value < lowest)
        return false;
    target = *value;
    return true;
}

template <typename T>
bool set_number(std::optional<std::string>& text, std::optional<T>& target, T lowest) {
    T value{};
    if (!set_number(text, value, lowest))
        return false;
    target = value;
    return true;
}

bool set_milliseconds(std::optional<std::string>& text, milliseconds& target) {
    int value = 0;
    if (!set_number(text, value, 0))
        return false;
    target = milliseconds(value);
    return true;
}

bool set_time_control(const std::string& text, TimeControl& time) {
    const Result<TimeControl> control = parse_time_control(text);
    if (!control)
        return false;
    time.moves = control->moves;
    time.base = control->base;
    time.increment = control->increment;
    time.move_time.reset();
    return true;
}

bool set_move_time(const std::string& text, TimeControl& time) {
    const std::optional<milliseconds> value = duration(text);
    if (!value || value->count() == 0)
        return false;
    time.move_time = value;
    if (time.margin.count() == 0)
        time.margin = milliseconds(100);  // an exact time is met only about
    return true;
}

bool set_command(const std::string& text, EngineSpec& spec) {
    Result<std::vector<std::string>> words = split_command(text);
    if (!words || words->empty())
        return false;
    spec.command.words = std::move(*words);
    return true;
}

// False if the word is unknown or its value is no good.
bool apply_engine_word(const std::string& word, EngineSpec& spec) {
    auto [key, value] = split_word(word);
    if (key == "restart" || key == "ponder" || key == "whitepov") {
        bool& flag = key == "restart"  ? spec.restart
                     : key == "ponder" ? spec.ponder
                                       : spec.white_view;
        flag = !value || *value == "true";
        return !value || *value == "true" || *value == "false";
    }
    if (key.starts_with("option.") && key.size() > 7) {
        spec.options.emplace_back(key.substr(7), value);
        return true;
    }
    if (key == "memory")
        return set_number(value, spec.memory_mib, 1);
    if (key == "cores")
        return set_number(value, spec.cores, 1);
    if (key == "depth")
        return set_number(value, spec.time.depth, 1);
    if (key == "nodes")
        return set_number<std::uint64_t>(value, spec.time.nodes, 1);
    if (key == "margin")
        return set_milliseconds(value, spec.time.margin);
    if (key == "patience")
        return set_milliseconds(value, spec.patience);
    if (!value)
        return false;
    if (key == "cmd")
        return set_command(*value, spec);
    if (key == "tc")
        return set_time_control(*value, spec.time);
    if (key == "st")
        return set_move_time(*value, spec.time);
    if (key == "proto") {
        spec.protocol = *value == "uci" ? Protocol::Uci : Protocol::Xboard;
        return *value == "uci" || *value == "xboard" || *value == "cecp";
    }
    if (key == "init") {
        spec.init.push_back(*value);
        return true;
    }
    std::string* const text = key == "name"     ? &spec.name
                              : key == "dir"    ? &spec.command.directory
                              : key == "stderr" ? &spec.command.error_file
                                                : nullptr;
    if (text)
        *text = *value;
    return text != nullptr;
}

// The words given after --draw, --resign and --sprt: numbers by name.
template <typename Number>
Result<void> read_numbers(const std::vector<std::string>& words,
                          const std::vector<std::pair<std::string, Number*>>& targets) {
    for (const std::string& word : words) {
        const auto [key, value] = split_word(word);
        const std::optional<Number> parsed = value ? number<Number>(*value) : std::nullopt;
        bool known = false;
        for (const auto& [name, target] : targets)
            if (name == key && parsed) {
                *target = *parsed;
                known = true;
            }
        if (!known)
            return fail("not understood: " + word);
    }
    return {};
}

// The words given with an option that takes several; nothing if it was not given.
std::optional<std::vector<std::string>> words_of(const po::parsed_options& parsed,
                                                 std::string_view name) {
    std::optional<std::vector<std::string>> words;
    for (const po::option& option : parsed.options)
        if (option.string_key == name)
            words = option.value;
    return words;
}

Result<void> read_rules(const po::parsed_options& parsed, Rules& rules) {
    if (const auto words = words_of(parsed, "draw")) {
        rules.draw_moves = 8;
        Result<void> read = read_numbers<int>(*words,
                                              {{"movenumber", &rules.draw_from_move},
                                               {"movecount", &rules.draw_moves},
                                               {"score", &rules.draw_score}});
        if (!read)
            return read;
    }
    if (const auto words = words_of(parsed, "resign")) {
        rules.resign_moves = 4;
        Result<void> read = read_numbers<int>(
            *words, {{"movecount", &rules.resign_moves}, {"score", &rules.resign_score}});
        if (!read)
            return read;
    }
    if (std::min({rules.draw_from_move,
                  rules.draw_moves,
                  rules.draw_score,
                  rules.resign_moves,
                  rules.resign_score}) < 0)
        return fail("the numbers of --draw and --resign are 0 or more");
    return {};
}

Result<void> read_test(const po::parsed_options& parsed, MatchOptions& o) {
    const auto words = words_of(parsed, "sprt");
    if (!words)
        return {};
    Sprt test;
    Result<void> read = read_numbers<double>(
        *words,
        {{"elo0", &test.elo0}, {"elo1", &test.elo1}, {"alpha", &test.alpha}, {"beta", &test.beta}});
    if (!read)
        return read;
    const auto is_risk = [](double p) { return p > 0 && p < 0.5; };
    if (!(test.elo0 < test.elo1) || !std::isfinite(test.elo0 - test.elo1) || !is_risk(test.alpha) ||
        !is_risk(test.beta))
        return fail("the test needs elo0 < elo1 and risks between 0 and 0.5");
    o.test = test;
    return {};
}

Result<void> read_modes(const po::variables_map& given, MatchOptions& o) {
    if (given.contains("watch")) {
        const auto& mode = given["watch"].as<std::string>();
        if (mode != "auto" && mode != "board" && mode != "lines")
            return fail("not understood: --watch " + mode);
        o.watch = mode == "auto"    ? WatchMode::Auto
                  : mode == "board" ? WatchMode::Board
                                    : WatchMode::Lines;
        o.plan.concurrency = 1;
        if (given["games"].defaulted())
            o.plan.games = 1;
    }
    if (given.contains("strict")) {
        const auto& who = given["strict"].as<std::string>();
        if (who != "all" && who != "first")
            return fail("not understood: --strict " + who);
        o.strict = who == "all";
        o.strict_first = who == "first";
    }
    o.shuffle = given.contains("shuffle");
    o.plan.rules.stall = std::chrono::seconds(given["stall-s"].as<int>());
    o.plan.wait = milliseconds(given["wait-ms"].as<int>());
    return {};
}

Result<void> check(const MatchOptions& o) {
    if (o.plan.engines.size() < 2)
        return fail("a match needs two engines (try --help)");
    for (const EngineSpec& spec : o.plan.engines) {
        if (spec.command.words.empty())
            return fail("an engine without cmd=");
        const TimeControl& time = spec.time;
        if (!time.has_clock() && !time.move_time && !time.depth && !time.nodes)
            return fail("no time control for " + spec.command.words.front() + " (tc=, st=, …)");
    }
    if (o.test && o.plan.engines.size() != 2)
        return fail("a test is for two engines");
    if (o.plan.games < 1 || o.plan.concurrency < 1 || o.report_every < 1 || o.opening_start < 1)
        return fail("games, concurrency, report and opening-start begin at 1");
    if (o.plan.rules.max_moves < 0 || o.plan.rules.stall.count() < 1 || o.plan.wait.count() < 0)
        return fail("max-moves and wait-ms are 0 or more, stall-s is more");
    if (o.random_plies < 0 || o.random_plies > 40 || o.opening_plies < 0)
        return fail("random-plies must be 0 to 40, opening-plies 0 or more");
    if (o.random_plies > 0 && !o.openings_file.empty())
        return fail("either openings from a file or random ones");
    return {};
}

Result<void>
read_engines(const po::parsed_options& parsed, bool ponder, std::vector<EngineSpec>& engines) {
    EngineSpec common;
    common.ponder = ponder;
    for (const po::option& option : parsed.options)
        if (option.string_key == "each")
            if (Result<void> applied = apply_engine_words(option.value, common); !applied)
                return applied;
    for (const po::option& option : parsed.options)
        if (option.string_key == "engine") {
            EngineSpec spec = common;
            if (Result<void> applied = apply_engine_words(option.value, spec); !applied)
                return applied;
            engines.push_back(std::move(spec));
        }
    return {};
}

// Those with several words are read by ourselves, each occurrence apart.
po::parsed_options without_words(po::parsed_options parsed) {
    std::erase_if(parsed.options, [](const po::option& option) {
        return std::set<std::string>{"engine", "each", "sprt", "draw", "resign"}.contains(
            option.string_key);
    });
    return parsed;
}

Result<MatchOptions> parse(const std::vector<std::string>& words) {
    MatchOptions o;
    const po::options_description options = describe(o);
    const po::parsed_options parsed = po::command_line_parser(words)
                                          .options(options)
                                          .positional(po::positional_options_description())
                                          .run();
    po::variables_map given;
    po::store(without_words(parsed), given);
    po::notify(given);
    if (given.contains("help")) {
        std::ostringstream text;
        text << options << Explanation;
        o.help = text.str();
        return o;
    }
    if (Result<void> read = read_engines(parsed, given.contains("ponder"), o.plan.engines); !read)
        return fail(read.error().what);
    for (const Result<void>& step :
         {read_rules(parsed, o.plan.rules), read_test(parsed, o), read_modes(given, o), check(o)})
        if (!step)
            return fail(step.error().what);
    return o;
}

}  // namespace

Result<void> apply_engine_words(const std::vector<std::string>& words, EngineSpec& spec) {
    for (const std::string& word : words)
        if (!apply_engine_word(word, spec))
            return fail("not understood: " + word);
    return {};
}

Result<MatchOptions> parse_match_options(const std::vector<std::string>& words) {
    try {
        return parse(words);
    } catch (const po::error& e) {
        return fail(e.what());
    }
}

}  // namespace tools
