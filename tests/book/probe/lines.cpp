// Lines of own games, and what they say about one opponent.
#include "book/probe/lines.h"

#include "book/book.h"
#include "book/book_files.h"
#include "book/probe/preparation.h"
#include "tests/book/helpers.h"

#include <cmath>

using namespace book;
using helpers::must;
using helpers::record;

namespace {

struct Played {
    helpers::Folder folder;
    std::unique_ptr<Book> book = must(Book::open({.experience = folder / "book.db", .base = {}}));
    int number = 0;

    void play(const std::string& moves,
              double score,
              int exit,
              const std::string& opponent = "",
              engine::Color side = engine::White) {
        GameRecord r = record(std::to_string(++number), moves, score, exit);
        r.opponent.name = opponent;
        r.our_side = side;
        r.exit_cp = 0;
        must(book->learn(r));
    }
    [[nodiscard]] std::vector<OwnLine> lines(const LineOptions& options) const {
        BookFiles files = open_book_files(folder / "book.db", {}, true);
        return own_lines(files.layers(), files.model(), options);
    }
    [[nodiscard]] Preparation prepared(const std::string& name,
                                       const std::vector<OpponentGame>& others = {}) const {
        BookFiles files = open_book_files(folder / "book.db", {}, true);
        const auto opponent = files.experience->opponents.find({.name = name});
        return prepare(files.layers(), files.model(), opponent ? opponent->id : 0, others);
    }
};

std::string text(const std::vector<Move>& moves) {
    engine::Position pos;
    std::string words;
    for (const Move m : moves) {
        words += (words.empty() ? "" : " ") + to_san(pos, m);
        pos.make(m);
    }
    return words;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lines, Played)

BOOST_AUTO_TEST_CASE(lines_go_as_far_as_games_went_together) {
    play("e4 e5 Nf3 Nc6 Bb5 a6 Ba4", 1, 6);
    play("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O", 1, 6);
    play("e4 c5 Nf3 d6 d4 cxd4", 0, 4);
    play("e4 c5 Nf3 d6 d4 cxd4", 0.5, 4);
    play("d4 d5 c4 e6", 0.5, 4);
    const std::vector<OwnLine> two = lines({.min_games = 2});
    BOOST_TEST_REQUIRE(two.size() == 2U);
    BOOST_TEST(text(two[0].moves) == "e4 e5 Nf3 Nc6 Bb5");
    BOOST_TEST(two[0].wins == 2);
    BOOST_TEST(two[0].value > two[1].value);
    BOOST_TEST(text(two[1].moves) == "e4 c5 Nf3 d6");
    BOOST_TEST((two[1].draws == 1 && two[1].losses == 1));
    BOOST_TEST(two[1].score() == 0.25);
    BOOST_TEST(lines({.min_games = 1}).size() == 4U);
    BOOST_TEST(lines({.min_games = 1, .side = engine::Black}).empty());
}

BOOST_AUTO_TEST_CASE(a_line_may_have_been_played_last_before_1970) {
    for (const std::int64_t played : {-2'000, -1'000, 0, -3'000}) {
        GameRecord r = record(std::to_string(++number), "e4 e5 Nf3 Nc6 Bb5 a6", 1, 6);
        r.played = played;
        must(book->learn(r));
    }
    BOOST_TEST(lines({}).at(0).last == -1'000);
}

// Wins against somebody much stronger count as more than one point each.
BOOST_AUTO_TEST_CASE(two_games_do_not_make_a_line_certain) {
    for (int i = 0; i < 2; ++i) {
        GameRecord r = record(std::to_string(++number), "e4 e5 Nf3 Nc6 Bb5 a6", 1, 6);
        r.exit_depth = NoScore;
        r.our_rating = 1500;
        r.opponent = {.name = "Anna", .rating = 2300};
        must(book->learn(r));
    }
    const std::vector<Row> rows = must(book->table(engine::Position(), {}));
    BOOST_TEST(rows.at(0).value > 0.95);
    BOOST_TEST((lines({}).at(0).value > 0.5 && lines({}).at(0).value < 0.9));
}

BOOST_AUTO_TEST_CASE(a_line_that_most_games_left_is_listed_beside_its_continuation) {
    for (int i = 0; i < 6; ++i)
        play("e4 e5 Nf3 Nc6", 1, 3);
    play("e4 e5 Nf3 Nc6 Bb5 a6", 0, 4);  // one game went on
    BOOST_TEST(lines({.min_games = 2}).size() == 1U);
    play("e4 e5 Nf3 Nc6 Bb5 a6", 0, 4);
    const std::vector<OwnLine> found = lines({.min_games = 2});
    BOOST_TEST_REQUIRE(found.size() == 2U);
    BOOST_TEST(text(found[0].moves) == "e4 e5 Nf3");
    BOOST_TEST((found[0].wins == 6 && found[0].losses == 2));
    BOOST_TEST(text(found[1].moves) == "e4 e5 Nf3 Nc6");
    BOOST_TEST((found[1].wins == 0 && found[1].losses == 2));
    BOOST_TEST(lines({.min_games = 7}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(lines_that_repeat_a_better_one_only_fill_up) {
    const auto line = [](const std::string& moves, double value, engine::Color side) {
        return OwnLine{.side = side, .moves = helpers::play(moves).moves(), .value = value};
    };
    const std::vector<OwnLine> all{line("e4 e5 Nf3 Nc6 Bb5 a6", 0.9, engine::White),
                                   line("e4 e5 Nf3 Nc6 Bb5 Nf6", 0.8, engine::White),
                                   line("e4 e5 Nf3 Nc6", 0.7, engine::White),
                                   line("e4 e5 Nf3 Nc6 Bb5 a6", 0.6, engine::Black),
                                   line("e4 e5 d4 exd4 Qxd4 Nc6", 0.5, engine::White),
                                   line("d4 d5", 0.4, engine::White)};
    const auto values = [&all](bool best, std::size_t max, bool half) {
        std::vector<int> tenths;
        for (const OwnLine& l : choose_lines(all, best, max, half))
            tenths.push_back(static_cast<int>(std::lround(10 * l.value)));
        return tenths;
    };
    using Tenths = std::vector<int>;
    BOOST_TEST((values(true, 4, false) == Tenths{9, 6, 5, 4}));
    BOOST_TEST((values(true, 5, false) == Tenths{9, 8, 6, 5, 4}));
    BOOST_TEST((values(true, 9, true) == Tenths{9, 8, 7}));
    BOOST_TEST((values(false, 2, false) == Tenths{4, 5}));
    BOOST_TEST((values(false, 9, true) == Tenths{4, 5, 6}));
}

BOOST_AUTO_TEST_CASE(no_line_is_both_good_and_bad_and_uncertain_ones_are_not_left_out) {
    const auto line = [](const std::string& moves, double value, double width) {
        return OwnLine{.moves = helpers::play(moves).moves(), .value = value, .width = width};
    };
    const std::vector<OwnLine> all{
        line("e4", 0.9, 0.6), line("d4", 0.6, 0), line("c4", 0.4, 0), line("f3", 0.1, 0.6)};
    const auto first_moves = [&all](bool best) {
        std::string text;
        for (const OwnLine& l : choose_lines(all, best, 9, true))
            text += engine::to_san(engine::Position(), l.moves[0]) + ' ';
        return text;
    };
    BOOST_TEST(first_moves(true) == "d4 e4 ");
    BOOST_TEST(first_moves(false) == "c4 f3 ");
}

BOOST_AUTO_TEST_CASE(preparation_takes_the_line_that_they_answer_badly) {
    // Anybody meets 1.e4 well; Nemesis answers it with the moves that lose.
    for (int i = 0; i < 8; ++i) {
        play("e4 e5 Nf3 Nc6 Bb5", 0, 4, "Other");
        play("d4 d5 c4 e6 Nc3", 0.5, 4, "Other");
        play("e4 f6 d4 g5 Nc3", 1, 4, "Nemesis");
        play("d4 d5 c4 e6 Nc3", 0.5, 4, "Nemesis");
        play("c4 c5 Nf3 Nc6", 0.5, 4, "Nemesis", engine::Black);
    }
    const Preparation p = prepared("nemesis");
    BOOST_TEST(p.value[engine::White] > p.usual[engine::White] + 0.05);
    BOOST_TEST_REQUIRE(!p.lines.empty());
    BOOST_TEST(text(p.lines[0].moves).starts_with("e4 f6 d4 g5"));
    BOOST_TEST(p.lines[0].reach > 0.8);
    BOOST_TEST_REQUIRE(!p.replies.empty());
    bool found = false;
    for (const OpponentReplies& r : p.replies)
        if (r.game.ply() == 1 && r.game.moves()[0] == helpers::move(engine::Game(), "e4")) {
            found = true;
            BOOST_TEST(r.games == 8);
            BOOST_TEST_REQUIRE(r.replies.size() == 1U);
            BOOST_TEST(r.replies[0].score == 1.0);
        }
    BOOST_TEST(found);
}

BOOST_AUTO_TEST_CASE(preparation_takes_their_games_against_anybody) {
    for (int i = 0; i < 8; ++i) {
        play("e4 e5 Nf3 Nc6 Bb5", 0.5, 4, "Other");
        play("e4 f6 d4 g5 Nc3", 1, 4, "Other");
    }
    const auto theirs = [](const std::string& moves, double score) {
        return OpponentGame{.moves = helpers::play(moves).moves(), .score = score};
    };
    const std::vector<OpponentGame> games{theirs("e4 f6 d4 g5 Nc3", 1),
                                          theirs("e4 f6 d4 g5 Nc3", 1),
                                          theirs("e4 f6 d4 g5 Qh5", 1),
                                          theirs("d4 d5 c4", 0)};
    const Preparation p = prepared("Unknown", games);
    BOOST_TEST(p.value[engine::White] > p.usual[engine::White]);
    BOOST_TEST_REQUIRE(p.replies.size() == 3U);  // after 1.e4, 1.d4 and 2.d4
    BOOST_TEST(p.replies[0].games == 3);
    BOOST_TEST(p.replies[0].game.ply() == 1);  // the nearest to the start comes first
    BOOST_TEST(p.replies[1].game.ply() == 3);
    BOOST_TEST(p.replies[2].games == 1);
    // A game that the log has, too, counts once.
    play("e4 f6 d4 g5 Nc3", 1, 4, "Known");
    const Preparation known = prepared("Known", {games.data(), games.data() + 1});
    BOOST_TEST_REQUIRE(!known.replies.empty());
    BOOST_TEST(known.replies[0].games == 1);
}

BOOST_AUTO_TEST_SUITE_END()
