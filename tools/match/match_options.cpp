#include "tools/match/match_options.h"

#include "tools/common/command_line.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace po = boost::program_options;

namespace tools::match {
namespace {

constexpr const char* Usage =
    "Usage: nutcracker-match --engine WORD... --engine WORD... [OPTION...]\n\n"
    "Plays a match between chess engines that speak XBoard or UCI, and prints the results with "
    "the\n"
    "Elo difference and its error.\n\nOptions";
constexpr const char* Explanation = R"(
Each engine is described by words:
  cmd=COMMAND           program and arguments, quoted as for a shell
  proto=xboard|uci      the protocol that it speaks (xboard)
  name=NAME             a name instead of the one that it reports
  dir=FOLDER            the folder that it runs in
  memory=MIB cores=N    size of its hash table, number of its threads
  option.NAME=VALUE     sets one of its own options; without =VALUE presses a button
  init=LINE             a line that is sent unchanged after the handshake
  stderr=FILE           appends its standard error to a file (default: discarded)
  restart               starts a new process for every game
  ponder                lets it think on its opponent's time
  patience=MS           time for its answers outside its thinking time (15000)
  whitepov              it reports scores from White's point of view
  tc=[MOVES/]TIME[+INC] time control, such as 10+0.1 or 40/1:00; inf with depth or nodes
  st=SECONDS            exactly this time for every move
  depth=N nodes=N       further limits for every move (nodes= with tc= or st= needs proto=uci)
  margin=MS             time by which it may exceed its limit (0; 100 with st)

The words of --each apply to all engines; the words of an engine override them. If both tc= and st=
are given, the last one applies. Several words may be put in one pair of quotation marks, such as
"tc=10 memory=16"; but if cmd=, name=, dir=, stderr=, init= or option.NAME= comes first, everything
after it is its value.

Examples:
  nutcracker-match --engine cmd=nutcracker --engine cmd='toga2' proto=uci option.OwnBook=false \
    --each tc=10+0.1 --random-plies 8 --games 200 --concurrency 2 --pgn games.pgn

Exit status: 0; 1 with --strict if an engine crashed, stalled, lost on time or broke the rules;
2 for wrong use, an engine that does not start or, with --strict, lacks an option or objects to
its value; or an interrupted match.
)";

po::options_description describe(MatchOptions& o) {
    po::options_description options(Usage);
    auto option = options.add_options();
    const auto words = [] { return po::value<std::string>()->multitoken(); };
    option("help,h", "print this help and exit");
    option("version", "print the version and exit");
    option("engine", words(), "an engine, twice or more; the first plays each of the others");
    option("each", words(), "words for all engines");
    option("games", bound(o.plan.games, 1), "games against each opponent");
    option("concurrency", bound(o.plan.concurrency, 1), "games at the same time");
    option("openings", po::value(&o.openings_file), "EPD or FEN lines, .pgn, or .tsv with moves");
    option("opening-plies", bound(o.opening_plies, 0), "plies played of each opening; 0: all");
    option("opening-start", bound(o.opening_start, 1), "number of the first opening");
    option("shuffle", po::bool_switch(&o.shuffle), "take the openings in random order");
    option("random-plies", bound(o.random_plies, 0, 40), "begin with this many random moves");
    option(
        "random-balance", bound(o.random_balance), "largest score after them, centipawns; 0: any");
    option("seed", bound(o.seed), "seed of all random choices");
    option("ponder", "let all engines think on their opponent's time");
    option("sprt", words(), "stop when decided: elo0=0 elo1=10 alpha=0.05 beta=0.05");
    option("draw", words(), "adjudicate by both scores: movenumber=40 movecount=8 score=10");
    option("resign", words(), "adjudicate by both scores: movecount=4 score=600");
    option("max-moves", bound(o.plan.rules.max_moves, 0), "a draw after this many moves; 0: never");
    option("stall-s", bound(o.stall_seconds, 1), "seconds for a move without a clock");
    option("wait-ms", bound(o.wait_milliseconds, 0), "pause between games");
    option("pgn", po::value(&o.pgn_file), "append the games to this file");
    option("event", bound(o.plan.event), "the tag Event of the games");
    option("log", po::value(&o.trace_file), "write the conversation with the engines to this file");
    option("report", bound(o.report_every, 1), "print the score after every N games");
    const auto mode = [](const char* implicit) {
        return po::value<std::string>()->implicit_value(implicit);
    };
    option("watch", mode("auto"), "show the games, one at a time: auto, board or lines");
    option("strict", mode("all"), "exit with 1 on a fault of any engine (all) or of the first");
    return options;
}

// Splits "key=value"; no value without '='.
std::pair<std::string, std::optional<std::string>> split_word(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
        return {word, std::nullopt};
    return {word.substr(0, equals), word.substr(equals + 1)};
}

// The clock or exact time that is given last replaces all of the one before.
void replace_clock(TimeControl& time, const TimeControl& given) {
    time.moves = given.moves;
    time.base = given.base;
    time.increment = given.increment;
    time.move_time = given.move_time;
}

milliseconds parse_move_time(const std::string& text) {
    const std::optional<milliseconds> value = duration(text);
    if (!value || value->count() == 0)
        throw Failure("bad time for a move (0.5, 10 or 1:00): " + text);
    return *value;
}

// `key`: "tc" or "st".
void set_clock(TimeControl& time, const std::string& key, const std::string& text) {
    replace_clock(time,
                  key == "tc" ? value_or_throw(parse_time_control(text))
                              : TimeControl{.move_time = parse_move_time(text)});
}

std::vector<std::string> parse_command(const std::string& text) {
    std::vector<std::string> words = value_or_throw(split_command(text));
    if (words.empty())
        throw Failure("no command after cmd=");
    return words;
}

std::optional<milliseconds> whole_milliseconds(const std::string& text) {
    const std::optional<int> count = number<int>(text);
    return count && *count >= 0 ? std::optional(milliseconds(*count)) : std::nullopt;
}

// False if the word is unknown or its value is not valid. Throws Failure about a bad time or
// command.
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
    const std::string text = value.value_or("");
    const auto set = [](auto& target, const auto& parsed) {
        if (parsed)
            target = *parsed;
        return parsed.has_value();
    };
    const auto at_least = [&text](auto min) {
        const auto parsed = number<decltype(min)>(text);
        return parsed && *parsed >= min ? parsed : std::nullopt;
    };
    if (key == "memory" || key == "cores")
        return set(key == "memory" ? spec.memory_mib : spec.cores, at_least(1));
    if (key == "depth")
        return set(spec.time.depth, at_least(1));
    if (key == "nodes")
        return set(spec.time.nodes, at_least(std::uint64_t{1}));
    if (key == "margin")
        return set(spec.time.margin, whole_milliseconds(text));
    if (key == "patience")
        return set(spec.patience, whole_milliseconds(text));
    if (!value)
        return false;
    if (key == "cmd") {
        spec.command.words = parse_command(text);
        return true;
    }
    if (key == "tc" || key == "st") {
        set_clock(spec.time, key, text);
        return true;
    }
    if (key == "proto") {
        spec.protocol = text == "uci" ? Protocol::Uci : Protocol::Xboard;
        return text == "uci" || text == "xboard" || text == "cecp";
    }
    if (key == "init") {
        spec.init.push_back(text);
        return true;
    }
    for (const auto& [name, target] : {std::pair("name", &spec.name),
                                       std::pair("dir", &spec.command.directory),
                                       std::pair("stderr", &spec.command.error_file)})
        if (key == name) {
            *target = text;
            return true;
        }
    return false;
}

// A word, or the parts of several in one pair of quotation marks, as "tc=10 memory=16".
std::vector<std::string> parts_of(const std::string& word) {
    const std::vector<std::string_view> parts = fields(word);
    return parts.size() < 2 ? std::vector{word}
                            : std::vector<std::string>(parts.begin(), parts.end());
}

// One number by its name; false if the word is something else.
template <typename Number>
bool read_number(const std::string& word,
                 const std::vector<std::pair<std::string, Number*>>& targets) {
    const auto [key, value] = split_word(word);
    const std::optional<Number> parsed = value ? number<Number>(*value) : std::nullopt;
    for (const auto& [name, target] : targets)
        if (name == key && parsed) {
            *target = *parsed;
            return true;
        }
    return false;
}

// The words given after --draw, --resign and --sprt: numbers by name.
template <typename Number>
void read_numbers(const std::vector<std::string>& words,
                  const std::vector<std::pair<std::string, Number*>>& targets) {
    for (const std::string& word : words)
        for (const std::string& part : parts_of(word))
            if (!read_number(part, targets))
                throw Failure("not understood: " + part);
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

void read_rules(const po::parsed_options& parsed, Rules& rules) {
    if (const auto words = words_of(parsed, "draw")) {
        rules.draw_moves = 8;
        read_numbers<int>(*words,
                          {{"movenumber", &rules.draw_from_move},
                           {"movecount", &rules.draw_moves},
                           {"score", &rules.draw_score}});
    }
    if (const auto words = words_of(parsed, "resign")) {
        rules.resign_moves = 4;
        read_numbers<int>(*words,
                          {{"movecount", &rules.resign_moves}, {"score", &rules.resign_score}});
    }
    if (std::min({rules.draw_from_move,
                  rules.draw_moves,
                  rules.draw_score,
                  rules.resign_moves,
                  rules.resign_score}) < 0)
        throw Failure("the numbers of --draw and --resign must be 0 or more");
}

void read_test(const po::parsed_options& parsed, MatchOptions& o) {
    const auto words = words_of(parsed, "sprt");
    if (!words)
        return;
    Sprt test;
    read_numbers<double>(
        *words,
        {{"elo0", &test.elo0}, {"elo1", &test.elo1}, {"alpha", &test.alpha}, {"beta", &test.beta}});
    const auto is_risk = [](double p) { return p > 0 && p < 0.5; };
    if (!(test.elo0 < test.elo1) || !std::isfinite(test.elo0 - test.elo1) || !is_risk(test.alpha) ||
        !is_risk(test.beta))
        throw Failure("--sprt needs elo0 < elo1, and alpha and beta between 0 and 0.5");
    o.test = test;
}

void read_modes(const po::variables_map& given, MatchOptions& o) {
    if (given.contains("watch")) {
        const auto& mode = given["watch"].as<std::string>();
        if (mode != "auto" && mode != "board" && mode != "lines")
            throw Failure("not understood: --watch " + mode);
        o.watch = mode == "auto"    ? WatchMode::Auto
                  : mode == "board" ? WatchMode::Board
                                    : WatchMode::Lines;
        if (given["games"].defaulted())
            o.plan.games = 1;
    }
    if (given.contains("strict")) {
        const auto& who = given["strict"].as<std::string>();
        if (who != "all" && who != "first")
            throw Failure("not understood: --strict " + who);
        o.strict = who == "all";
        o.strict_first = who == "first";
    }
    o.plan.rules.stall = std::chrono::seconds(o.stall_seconds);
    o.plan.wait = milliseconds(o.wait_milliseconds);
}

void require(bool holds, const std::string& otherwise) {
    if (!holds)
        throw Failure(otherwise);
}

void check_engine(const EngineSpec& spec) {
    require(!spec.command.words.empty(), "an engine has no cmd=");
    const TimeControl& time = spec.time;
    require(time.has_clock() || time.move_time || time.depth || time.nodes,
            fmt::format("no time control for {} (tc=, st=, …)", spec.command.words.front()));
    require(spec.protocol == Protocol::Uci || !time.nodes || !(time.has_clock() || time.move_time),
            fmt::format("{}: the XBoard protocol cannot combine nodes= with tc= or st=",
                        spec.command.words.front()));
}

void check(const MatchOptions& o) {
    require(o.plan.engines.size() >= 2, "a match needs two engines (try --help)");
    for (const EngineSpec& spec : o.plan.engines)
        check_engine(spec);
    require(!o.test || o.plan.engines.size() == 2, "--sprt is for two engines");
    require(o.random_plies == 0 || o.openings_file.empty(),
            "--openings and --random-plies cannot be used together");
    require(o.watch == WatchMode::None || o.plan.concurrency == 1,
            "--watch shows one game at a time: --concurrency must be 1");
}

// Whether everything after the '=' is the value, blanks included.
bool may_have_blanks(const std::string& word) {
    const auto [key, value] = split_word(word);
    return key.starts_with("option.") ||
           (value && std::set<std::string>{"cmd", "name", "dir", "stderr", "init"}.contains(key));
}

void add_engine_words(const std::vector<std::string>& words, EngineSpec& spec) {
    for (const std::string& word : words) {
        const auto parts = may_have_blanks(word) ? std::vector{word} : parts_of(word);
        if (!std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
                return apply_engine_word(part, spec);
            }))
            throw Failure("not understood: " + word +
                          (word.find('=') == std::string::npos ? "; try cmd=" + word : ""));
    }
}

std::vector<EngineSpec> read_engines(const po::parsed_options& parsed, bool ponder) {
    EngineSpec common;
    common.ponder = ponder;
    for (const po::option& option : parsed.options)
        if (option.string_key == "each")
            add_engine_words(option.value, common);
    std::vector<EngineSpec> engines;
    for (const po::option& option : parsed.options)
        if (option.string_key == "engine")
            add_engine_words(option.value, engines.emplace_back(common));
    return engines;
}

// Boost would join the words of all --engine options; read_engines() and words_of() keep them
// apart.
po::parsed_options without_words(po::parsed_options parsed) {
    std::erase_if(parsed.options, [](const po::option& option) {
        return std::set<std::string>{"engine", "each", "sprt", "draw", "resign"}.contains(
            option.string_key);
    });
    return parsed;
}

MatchOptions parse(const std::vector<std::string>& words) {
    MatchOptions o;
    const po::options_description options = describe(o);
    const po::parsed_options parsed = po::command_line_parser(words)
                                          .options(options)
                                          .positional(po::positional_options_description())
                                          .run();
    refuse_negatives(parsed, options);
    po::variables_map given;
    po::store(without_words(parsed), given);
    po::notify(given);
    if (given.contains("help")) {
        std::ostringstream text;
        text << options << Explanation;
        o.help = text.str();
        return o;
    }
    if (given.contains("version")) {
        o.help = "nutcracker-match " NUTCRACKER_VERSION "\n";
        return o;
    }
    o.plan.engines = read_engines(parsed, given.contains("ponder"));
    read_rules(parsed, o.plan.rules);
    read_test(parsed, o);
    read_modes(given, o);
    check(o);
    return o;
}

}  // namespace

Result<MatchOptions> parse_match_options(const std::vector<std::string>& words) {
    try {
        return to_result([&words] { return parse(words); });
    } catch (const po::error& e) {
        return fail(e.what());
    }
}

Result<EngineSpec> parse_engine(const std::vector<std::string>& words) {
    return to_result([&words] {
        EngineSpec spec;
        add_engine_words(words, spec);
        check_engine(spec);
        return spec;
    });
}

}  // namespace tools::match
