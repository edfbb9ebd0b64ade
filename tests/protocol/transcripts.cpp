// Plays every .txt file below transcripts/. A line that begins with
//   >   is sent to the engine;   <   must be the next line it prints;   <~  must match that line;
//   :   is for the search or the book behind the protocol, see `act`.
// Nothing else may be printed: all lines must have been expected before the next > or : and at the
// end.
#include "engine/board/notation.h"
#include "tests/protocol/dialogue.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace {

std::vector<std::string> transcripts_here() {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::recursive_directory_iterator(TEST_DIR "/transcripts"))
        if (file.path().extension() == ".txt")
            names.push_back(file.path().string());
    std::sort(names.begin(), names.end());
    return names;
}

// "a=1 b=2 c": names to values, a word without "=" to "".
std::map<std::string, std::string> pairs(std::istream& in) {
    std::map<std::string, std::string> found;
    for (std::string word; in >> word;) {
        const std::size_t equals = word.find('=');
        found[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
    return found;
}

int number(const std::map<std::string, std::string>& given,
           const std::string& name,
           int otherwise) {
    return given.contains(name) ? std::stoi(given.at(name)) : otherwise;
}

// "e2e4,e7e5" from the position on.
std::vector<engine::Move> line_from(engine::Position pos, const std::string& text) {
    std::vector<engine::Move> line;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, ',');) {
        const auto move = engine::parse_move(pos, word);
        BOOST_TEST_REQUIRE(move.has_value());
        line.push_back(*move);
        pos.make(*move);
    }
    return line;
}

std::string describe(const engine::Limits& limits) {
    std::ostringstream text;
    if (limits.clock)
        text << " left=" << limits.clock->left.count() << " inc=" << limits.clock->increment.count()
             << " to_go=" << limits.clock->moves_to_go
             << " theirs=" << limits.clock->theirs.count();
    if (limits.move_time)
        text << " move_time=" << limits.move_time->count();
    if (limits.nodes_per_second)
        text << " nps=" << *limits.nodes_per_second;
    if (limits.depth)
        text << " depth=" << *limits.depth;
    if (limits.ponder)
        text << " ponder";
    if (limits.nodes)
        text << " nodes=" << *limits.nodes;
    if (limits.mate)
        text << " mate=" << *limits.mate;
    if (limits.lines > 1)
        text << " lines=" << limits.lines;
    if (limits.strength)
        text << " elo=" << limits.strength->elo
             << (limits.strength->takes_time ? " human_time" : "");
    if (!limits.excluded.empty())
        text << " excluded=" << limits.excluded.size();
    return text.str().empty() ? "" : text.str().substr(1);
}

std::string describe(const book::GameRecord& game) {
    std::ostringstream text;
    text << "plies=" << game.game.ply()
         << " side=" << (game.our_side == engine::White ? "white" : "black")
         << " score=" << game.score << " term=" << static_cast<int>(game.termination)
         << " opponent='" << game.opponent.name << "'";
    if (game.opponent.computer)
        text << " computer";
    if (game.opponent.rating != 0 || game.our_rating != 0)
        text << " ratings=" << game.our_rating << '-' << game.opponent.rating;
    if (game.exit_ply)
        text << " exit=" << *game.exit_ply << " cp=" << game.exit_cp
             << " depth=" << game.exit_depth;
    if (game.resumed)
        text << " resumed";
    if (!game.time_control.empty())
        text << " tc=" << game.time_control;
    if (!game.event.empty())
        text << " event='" << game.event << "'";
    return text.str();
}

class Transcript {
  public:
    void step(const std::string& line) {
        if (line.starts_with("> ") || line.starts_with(": "))
            nothing_unexpected();
        if (line.starts_with("> "))
            dialogue_.send(line.substr(2));
        else if (line.starts_with(": "))
            act(line.substr(2));
        else if (line.starts_with("<~ "))
            BOOST_TEST(std::regex_match(next(), std::regex(line.substr(3))));
        else if (line.starts_with("<"))
            BOOST_TEST(next() == (line.size() > 2 ? line.substr(2) : ""));
        else
            BOOST_TEST_REQUIRE((line.empty() || line.starts_with("#")));
    }

    void nothing_unexpected() {
        for (const std::string& line : dialogue_.said)
            BOOST_ERROR("unexpected: " << line);
        dialogue_.said.clear();
    }

  private:
    std::string next() {
        BOOST_TEST_REQUIRE(!dialogue_.said.empty());
        const std::string line = dialogue_.said.front();
        dialogue_.said.pop_front();
        BOOST_TEST_MESSAGE("said: " << line);
        return line;
    }

    void act(const std::string& text) {
        std::istringstream in(text);
        std::string word;
        in >> word;
        FakeSearcher& searcher = dialogue_.searcher;
        if (word == "idle") {  // nothing is searched
            BOOST_TEST(!searcher.root.has_value());
        } else if (word == "searching") {  // a position whose board is as given
            std::string board;
            in >> board;
            BOOST_TEST_REQUIRE(searcher.root.has_value());
            BOOST_TEST(searcher.root->position().fen().starts_with(board));
        } else if (word == "limits") {
            std::string wanted;
            std::getline(in >> std::ws, wanted);
            BOOST_TEST(describe(searcher.limits) == wanted);
        } else if (word == "thought") {
            think(pairs(in));
        } else if (word == "choose") {
            choose(in);
        } else if (word == "tables") {  // what they know from now on, of a position; "none"
            tables(pairs(in));
        } else if (word == "uci") {  // the greeting of UCI
            dialogue_.send("uci");
            BOOST_TEST_REQUIRE(!dialogue_.said.empty());
            BOOST_TEST(dialogue_.said.back() == "uciok");
            dialogue_.said.clear();
        } else if (word == "progress") {  // of the search
            progress(pairs(in));
        } else if (word == "alarm") {
            dialogue_.wait_for_alarm();
        } else if (word == "count") {  // what the searcher was asked to do
            count(pairs(in));
        } else {
            book(word, in);
        }
        dialogue_.settle();
    }

    void think(const std::map<std::string, std::string>& given) {
        BOOST_TEST_REQUIRE(dialogue_.searcher.root.has_value());
        engine::SearchInfo info{};
        info.depth = number(given, "depth", 1);
        info.score = number(given, "score", 0);
        info.bound = given.contains("lower")   ? engine::Bound::Lower
                     : given.contains("upper") ? engine::Bound::Upper
                                               : engine::Bound::Exact;
        info.spent = engine::milliseconds(number(given, "ms", 0));
        info.nodes = static_cast<std::uint64_t>(number(given, "nodes", 0));
        info.line = number(given, "line", 1);
        info.seldepth = number(given, "seldepth", 0);
        info.hash_full = number(given, "hashfull", 0);
        info.pv = line_from(dialogue_.searcher.root->position(), given.at("pv"));
        dialogue_.searcher.think(info);
    }

    void tables(const std::map<std::string, std::string>& given) {
        std::optional<engine::TableResult>& known = dialogue_.searcher.known;
        if (given.contains("none"))
            return known.reset();
        known = {.result = number(given, "result", 0),
                 .by_rule = given.contains("by_rule"),
                 .moves = {},
                 .plies = number(given, "plies", 0)};
        std::string fen = given.at("board");
        std::replace(fen.begin(), fen.end(), '_', ' ');
        const auto pos = engine::Position::from_fen(fen).value();
        std::istringstream moves(given.at("moves"));
        for (std::string move; std::getline(moves, move, ',');)
            known->moves.push_back(engine::parse_move(pos, move).value());
    }

    void progress(const std::map<std::string, std::string>& given) {
        engine::Progress& shown = dialogue_.searcher.shown;
        shown.depth = number(given, "depth", 0);
        shown.nodes = static_cast<std::uint64_t>(number(given, "nodes", 0));
        shown.spent = engine::milliseconds(number(given, "ms", 0));
        shown.moves_left = number(given, "left", 0);
        shown.moves = number(given, "moves", 0);
        shown.current = line_from(dialogue_.searcher.root->position(), given.at("move")).at(0);
    }

    void choose(std::istream& in) {
        BOOST_TEST_REQUIRE(dialogue_.searcher.root.has_value());
        std::string moves;
        in >> moves;
        if (moves.empty())
            return dialogue_.searcher.choose({});
        const auto line = line_from(dialogue_.searcher.root->position(), moves);
        const auto given = pairs(in);
        engine::SearchResult result;
        result.best = line.at(0);
        result.ponder = line.size() > 1 ? line[1] : engine::NoMove;
        result.score = number(given, "score", 0);
        result.depth = number(given, "depth", 10);
        result.nodes = static_cast<std::uint64_t>(number(given, "nodes", 0));
        dialogue_.searcher.choose(result);
    }

    void count(const std::map<std::string, std::string>& wanted) {
        const FakeSearcher& searcher = dialogue_.searcher;
        const std::map<std::string, int> counted = {
            {"starts", searcher.starts},
            {"hits", searcher.hits},
            {"cleared", searcher.cleared},
            {"hash", searcher.hash},
            {"threads", searcher.threads},
            {"benches", searcher.benches},
            {"networks", searcher.networks},
            {"overhead", static_cast<int>(searcher.overhead.count())}};
        for (const auto& [name, value] : wanted)
            BOOST_TEST(counted.at(name) == std::stoi(value), name << " is " << counted.at(name));
    }

    void book(const std::string& word, std::istream& in) {
        std::string rest;
        std::getline(in >> std::ws, rest);
        if (word == "book") {  // knows this line
            dialogue_.book_data.line = line_from(engine::Position(), rest);
        } else if (word == "effort") {  // nodes behind each book move
            dialogue_.book_data.effort = std::stoll(rest);
        } else if (word == "tried") {  // a score to beat, and the book's move that did badly
            std::istringstream words(rest);
            std::string move;
            book::TriedMoves& tried = dialogue_.book_data.tried;
            words >> tried.to_beat >> move;
            tried.moves = line_from(engine::Position(), move);
            tried.best = tried.moves.at(0);
        } else if (word == "fault") {
            const std::lock_guard lock(dialogue_.book_data.games_mutex);
            dialogue_.book_data.fault = rest;
        } else if (word == "news") {
            dialogue_.wait_for_book();
        } else if (word == "learned" || word == "noted") {  // how many games, and what of the last
            dialogue_.finish();
            const auto& games =
                word == "noted" ? dialogue_.book_data.noted : dialogue_.book_data.learned;
            std::string text = std::to_string(games.size());
            if (!games.empty())
                text += ' ' + describe(games.back());
            BOOST_TEST(text == rest);
        } else if (word == "ended") {
            BOOST_TEST(!dialogue_.alive);
        } else {
            BOOST_ERROR("no such directive: " << word);
        }
    }

    Dialogue dialogue_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(transcripts, *boost::unit_test::label("threads"))

BOOST_DATA_TEST_CASE(answers_as_written, transcripts_here(), path) {
    Transcript transcript;
    std::ifstream in(path);
    int line_number = 0;
    for (std::string line; std::getline(in, line);)
        BOOST_TEST_CONTEXT(path << ':' << ++line_number << ": " << line)
    transcript.step(line);
    BOOST_TEST_CONTEXT(path << ": the end")
    transcript.nothing_unexpected();
}

// A file that is moved away or misnamed would otherwise be skipped without notice.
BOOST_AUTO_TEST_CASE(every_transcript_is_played) {
    constexpr std::size_t min_transcripts = 120;
    BOOST_TEST(transcripts_here().size() >= min_transcripts);
    for (const auto& file : std::filesystem::recursive_directory_iterator(TEST_DIR "/transcripts"))
        BOOST_TEST((file.is_directory() || file.path().extension() == ".txt"), file.path());
}

BOOST_AUTO_TEST_SUITE_END()
