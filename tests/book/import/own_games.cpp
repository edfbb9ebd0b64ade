// Own games from PGN: whose they are, where they left the book, and each of them once.
#include "book/import/own_games.h"

#include "book/import/forget.h"
#include "book/import/game_record.h"
#include "book/learn/user_edits.h"
#include "tests/book/helpers.h"

#include <fstream>
#include <random>

using namespace book;
using helpers::check_verifies;

namespace {

struct Imported {
    OwnGamesReport report;
    std::vector<ImportTrouble> troubles;
};

Imported take(Store& store, const std::string& pgn, const ImportOptions& options = {}) {
    const Folder folder;
    const std::filesystem::path file = folder / "games.pgn";
    std::ofstream(file) << pgn;
    Imported done;
    OwnGames games(store, ":memory:", {"MyBot", "Other"}, options, {.trouble = [&](const auto& t) {
                       done.troubles.push_back(t);
                   }});
    games.read(open_games(file));
    done.report = games.finish();
    return done;
}

std::string
pgn(int day, const std::string& white, const std::string& black, const std::string& rest) {
    return "[Event \"E\"]\n[Date \"2024.05.0" + std::to_string(day) + "\"]\n[White \"" + white +
           "\"]\n[Black \"" + black + "\"]\n" + rest + "\n\n";
}

std::vector<LoggedGame> games_of(Store& store) {
    std::vector<LoggedGame> games;
    store.games.each({}, [&games](LoggedGame& g) { games.push_back(std::move(g)); });
    return games;
}

// As export --pgn writes it. `result`: of MyBot, who has White.
std::string exported(const std::string& uid, const std::string& result, GameState state) {
    LoggedGame game{.state = state};
    game.record = helpers::record(uid, "e4 e5 Nf3 Nc6", result == "1-0" ? 1 : 0.5, 2);
    game.record.played = seconds_at("2024.05.01", "20:00:00");
    game.evidence = {.weight = 1, .result = game.record.score};
    return pgn(1,
               "MyBot",
               "Anna",
               "[NutcrackerUid \"" + uid + "\"]\n[NutcrackerLog \"" + log_text(game) +
                   "\"]\n\n1. e4 e5 2. Nf3 Nc6 " + result);
}

PgnGame game_with(const std::string& site) {
    PgnGame game;
    game.site = site;
    return game;
}

// A game of three plies was noted and not finished; its end comes from a file.
Imported finish_a_noted_game(Store& store) {
    GameRecord noted = helpers::record("ours", "e4 e5 Nf3", 0.5, 2);
    noted.opponent.name = "Anna";
    noted.played = seconds_at("2024.05.01", "12:00:00");
    helpers::take(store, noted, false);
    return take(store, pgn(1, "MyBot", "Anna", "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0"));
}

void check_noted(Store& store) {
    const std::vector<LoggedGame> games = games_of(store);
    BOOST_TEST_REQUIRE(games.size() == 1U);
    BOOST_TEST((games[0].state == GameState::Pending && games[0].record.game.ply() == 3));
    check_verifies(store);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(own_games)

BOOST_AUTO_TEST_CASE(a_game_leaves_the_book_where_it_leaves_the_other_games) {
    Store store(":memory:", true);
    const Imported done = take(
        store,
        pgn(1, "MyBot", "Anna", "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0") +
            pgn(2, "MyBot(C)", "Anna", "\n1. e4 e5 2. Nf3 Nc6 3. Bc4 {+0.40/9 1s} Nf6 4. d3 0-1") +
            pgn(3, "Carl", "mybot", "\n1. e4 e5 2. Nf3 Nc6 1/2-1/2"));
    BOOST_TEST(done.report.learned == 3);
    const std::vector<LoggedGame> games = games_of(store);
    BOOST_TEST_REQUIRE(games.size() == 3U);
    BOOST_TEST(games[0].record.exit_ply.value() == 4);
    BOOST_TEST(games[0].record.exit_depth == NoScore);
    BOOST_TEST(games[1].record.exit_ply.value() == 4);
    BOOST_TEST((games[1].record.exit_cp == 40 && games[1].record.exit_depth == 9));
    BOOST_TEST(games[2].record.exit_ply.value() == 1);  // the only game with our Black
    BOOST_TEST((games[1].state == GameState::Applied && games[1].record.score == 0));
    check_verifies(store);
}

// The book of imported games ends where no other game goes on, not where this one does.
BOOST_AUTO_TEST_CASE(a_game_that_is_also_imported_leaves_the_book_all_the_same) {
    const std::string games =
        pgn(1, "MyBot", "Anna", "\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0") +
        pgn(2, "Carl", "Anna", "\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. d3 0-1");
    Store store(":memory:", true);
    const Folder folder;
    std::ofstream(folder / "games.pgn") << games;
    Importer importer(store, ":memory:", {}, {});
    importer.read(open_games(folder / "games.pgn"));
    BOOST_TEST(importer.finish().imported == 2);
    const Imported done = take(store, games);
    BOOST_TEST((done.report.learned == 1 && done.report.imported == 1));
    BOOST_TEST(games_of(store).at(0).record.exit_ply.value() == 4);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(games_of_ours_on_both_sides_or_neither_are_left_out) {
    Store store(":memory:", true);
    const Imported done =
        take(store,
             pgn(1, "MyBot", "Other", "\n1. e4 e5 1-0") + pgn(1, "Anna", "Carl", "\n1. e4 e5 1-0") +
                 pgn(1, "MyBot", "Anna", "[Termination \"Game aborted\"]\n\n1. e4 e5 1-0") +
                 pgn(1, "MyBot", "Anna", "[Termination \"adjourned\"]\n\n1. e4 e5 1-0") +
                 pgn(1,
                     "MyBot",
                     "Anna",
                     "[Site \"https://lichess.org/AbCdEfGh\"]\n"
                     "[Termination \"Rules infraction\"]\n\n1. e4 e5 1-0"));
    BOOST_TEST((done.report.learned == 0 && done.report.others == 2 && done.report.filtered == 3));
    BOOST_TEST(done.report.both == 1);
    BOOST_TEST(games_of(store).empty());
    BOOST_TEST(store.games.sources().empty());
}

BOOST_AUTO_TEST_CASE(a_noted_game_gets_its_end_from_the_server) {
    Store store(":memory:", true);
    const Imported done = finish_a_noted_game(store);
    BOOST_TEST((done.report.learned == 0 && done.report.finished == 1));
    const std::vector<LoggedGame> games = games_of(store);
    BOOST_TEST_REQUIRE(games.size() == 1U);
    BOOST_TEST((games[0].record.uid == "ours" && games[0].record.exit_ply == 2 &&
                games[0].record.score == 1 && games[0].state == GameState::Applied));
    check_verifies(store);
    undo(store);
    check_noted(store);
}

BOOST_AUTO_TEST_CASE(a_long_comment_behind_a_game_ends_with_a_whole_character) {
    Store store(":memory:", true);
    std::string comment = "x", kept = "x";
    for (int i = 0; i < 2'100; ++i)  // more than the reader keeps of a comment
        comment += "é";
    for (int i = 0; i < 99; ++i)
        kept += "é";
    take(store, pgn(1, "MyBot", "Anna", "\n1. e4 e5 {" + comment + "} 1-0"));
    take(store, pgn(2, "MyBot", "Anna", "\n1. d4 d5 {caf\xE9} 1-0"));
    BOOST_TEST(games_of(store)[0].record.reason == kept);
    BOOST_TEST(games_of(store)[1].record.reason == "café");
}

BOOST_AUTO_TEST_CASE(a_forgotten_import_reopens_the_games_that_it_finished) {
    Store store(":memory:", true);
    finish_a_noted_game(store);
    book::forget(store, ":memory:", {store.games.sources().back()});
    check_noted(store);
}

BOOST_AUTO_TEST_CASE(an_import_changes_no_order_of_what_undo_takes_back) {
    Store store(":memory:", true);
    const auto play = [&store](const char* uid, std::int64_t played) {
        GameRecord game = helpers::record(uid, "e4 e5 Nf3 Nc6", 1, 2);
        game.played = played;
        helpers::take(store, game);
    };
    play("one", 1'000);
    mark(store, engine::Game(), helpers::move(engine::Game(), "f4"), Never);
    play("two", 2'000);
    take(store, pgn(1, "MyBot", "Anna", "\n1. d4 d5 1-0"));
    BOOST_TEST(undo(store).starts_with("imported 1 own game"));
    BOOST_TEST(undo(store) == "game 2, a win with White");
    BOOST_TEST(undo(store).starts_with("marked f4 as never"));
    BOOST_TEST(undo(store) == "game 1, a win with White");
}

BOOST_AUTO_TEST_CASE(repeated_games_of_one_day_are_matched_one_to_one) {
    Store store(":memory:", true);
    GameRecord ours = helpers::record("ours", "e4 e5 Nf3 Nc6", 1, 2);
    ours.opponent.name = "Anna";
    ours.played = seconds_at("2024.05.01", "12:00:30");
    helpers::take(store, ours);
    const auto game = [](const std::string& id, const std::string& time) {
        return pgn(1,
                   "MyBot",
                   "Anna",
                   "[Site \"https://lichess.org/" + id +
                       "\"]\n[UTCDate \"2024.05.01\"]\n[UTCTime \"" + time +
                       "\"]\n[TimeControl \"60+0\"]\n\n"
                       "1. e4 e5 2. Nf3 Nc6 1-0");
    };
    const std::string both = game("aaaaaaaa", "12:00:10") + game("bbbbbbbb", "15:00:00");
    const Imported done = take(store, both);
    BOOST_TEST((done.report.learned == 1 && done.report.known == 1));
    BOOST_TEST(take(store, both).report.learned == 0);
    BOOST_TEST(games_of(store).size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_game_of_a_server_and_of_a_program_is_one) {
    const std::string moves = "\n1. e4 e5 2. Nf3 Nc6 1-0";
    const auto numbered = [&](int day, const std::string& number) {
        return pgn(day,
                   "MyBot(C)",
                   "Anna",
                   "[FICSGamesDBGameNo \"" + number + "\"]\n[Time \"10:00:00\"]\n" + moves);
    };
    const auto saved = [&](int day, const std::string& round) {
        return pgn(day, "MyBot", "anna", "[Round \"" + round + "\"]\n" + moves);
    };
    const std::string server = numbered(1, "7") + numbered(1, "8");
    const std::string program = saved(1, "1") + saved(1, "2");
    for (const bool program_first : {false, true}) {
        Store store(":memory:", true);
        BOOST_TEST(take(store, program_first ? program : server).report.learned == 2);
        const Imported other = take(store, program_first ? server : program);
        BOOST_TEST((other.report.learned == 0 && other.report.known == 2));
        // What one of them does not have is learned: a third game, other days, other opponents.
        BOOST_TEST(take(store, program + saved(1, "3")).report.learned == 1);
        BOOST_TEST(take(store, program + saved(1, "3")).report.learned == 0);
        BOOST_TEST(take(store, numbered(2, "9")).report.learned == 1);
        BOOST_TEST(take(store, pgn(2, "MyBot", "Carl", moves)).report.learned == 1);
        check_verifies(store);
    }
    const Folder folder;
    std::ofstream(folder / "server.pgn") << server;
    std::ofstream(folder / "program.pgn") << program << saved(1, "3");
    Store store(":memory:", true);
    OwnGames games(store, ":memory:", {"MyBot"}, {}, {});
    games.read(open_games(folder / "program.pgn"));
    games.read(open_games(folder / "server.pgn"));
    BOOST_TEST(games.finish().learned == 3);
    BOOST_TEST(store.games.has("fics/7"));
    BOOST_TEST(store.games.has("fics/8"));
}

// Late in the evening by the server's clock it may be tomorrow at home, or early in the morning
// still yesterday; but never the day after tomorrow.
BOOST_AUTO_TEST_CASE(a_server_and_a_program_may_be_in_different_time_zones) {
    const std::string moves = "\n1. e4 e5 2. Nf3 Nc6 1-0";
    const auto learned = [&](const std::string& time, int day_at_home) {
        Store store(":memory:", true);
        const std::string server = "[Site \"https://lichess.org/abcdefgh\"]\n[UTCDate "
                                   "\"2024.05.03\"]\n[UTCTime \"" +
                                   time + "\"]\n";
        take(store, pgn(3, "MyBot", "Anna", server + moves));
        return take(store, pgn(day_at_home, "MyBot", "Anna", moves)).report.learned;
    };
    BOOST_TEST(learned("12:00:00", 3) == 0);
    BOOST_TEST(learned("23:50:00", 4) == 0);
    BOOST_TEST(learned("02:00:00", 2) == 0);
    BOOST_TEST(learned("23:50:00", 2) == 1);
    BOOST_TEST(learned("02:00:00", 4) == 1);
    BOOST_TEST(learned("12:00:00", 5) == 1);

    // The server may tell no hours, and the program may tell its own.
    const auto known = [&](int day_at_home, const std::string& rest) {
        Store store(":memory:", true);
        take(store, pgn(3, "MyBot", "Anna", "[FICSGamesDBGameNo \"7\"]\n" + moves));
        return take(store, pgn(day_at_home, "MyBot", "Anna", rest + moves)).report.known == 1;
    };
    BOOST_TEST(known(2, ""));
    BOOST_TEST(known(4, ""));
    BOOST_TEST(!known(1, ""));
    BOOST_TEST(!known(5, ""));
    BOOST_TEST(known(3, "[Time \"23:30:00\"]\n"));
    BOOST_TEST(known(4, "[Time \"12:30:00\"]\n"));
    BOOST_TEST(!known(4, "[Time \"13:30:00\"]\n"));
    BOOST_TEST(!known(2, "[Time \"13:30:00\"]\n"));
    BOOST_TEST(known(2, "[Time \"14:30:00\"]\n"));
}

BOOST_AUTO_TEST_CASE(what_a_commentator_writes_ends_no_game) {
    Store store(":memory:", true);
    const std::string long_text = "This match had no adjournment after the first time control, "
                                  "since both players had agreed on it.";
    const auto ends = [&](const std::string& moves, const std::string& text) {
        return take(store, pgn(1, "MyBot", "Anna", "\n" + moves + " {" + text + "} 1-0"))
            .report.learned;
    };
    BOOST_TEST(ends("1. e4 e5 2. Nf3 Nc6", long_text) == 1);
    BOOST_TEST(ends("1. d4 d5 2. c4 e6", "adjourned") == 0);
}

// The same moves thrice; files without our tags have two of the games.
BOOST_AUTO_TEST_CASE(an_export_and_a_file_without_our_tags_are_matched_one_to_one) {
    const auto saved = [](const std::string& round, const std::string& result) {
        return pgn(
            1, "MyBot", "anna", "[Round \"" + round + "\"]\n\n1. e4 e5 2. Nf3 Nc6 " + result);
    };
    const std::string plain = saved("1", "1-0") + saved("2", "1-0");
    std::string ours;
    for (const char* const uid : {"ours-1", "ours-2", "ours-3"})
        ours += exported(uid, "1-0", GameState::Applied);
    for (const bool ours_first : {false, true}) {
        Store store(":memory:", true);
        BOOST_TEST(take(store, ours_first ? ours : plain).report.learned == (ours_first ? 3 : 2));
        const OwnGamesReport other = take(store, ours_first ? plain : ours).report;
        BOOST_TEST((other.learned == (ours_first ? 0 : 1) && other.known == 2));
        for (const std::string& again : {plain, ours})
            BOOST_TEST(take(store, again).report.learned == 0);
        BOOST_TEST(games_of(store).size() == 3U);
        check_verifies(store);
    }
    const Folder folder;
    std::ofstream(folder / "plain.pgn") << plain;
    std::ofstream(folder / "ours.pgn") << ours;
    Store store(":memory:", true);
    OwnGames games(store, ":memory:", {"MyBot"}, {}, {});
    games.read(open_games(folder / "plain.pgn"));
    games.read(open_games(folder / "ours.pgn"));
    BOOST_TEST(games.finish().learned == 3);
    // A game without a result is no draw with the same moves.
    BOOST_TEST(take(store, saved("3", "1/2-1/2")).report.learned == 1);
    BOOST_TEST(take(store, exported("ours-4", "*", GameState::Pending)).report.learned == 1);
}

BOOST_AUTO_TEST_CASE(a_name_in_latin_1_is_the_same_in_utf_8) {
    Store store(":memory:", true);
    const std::string moves = "\n1. e4 e5 2. Nf3 Nc6 1-0";
    const Imported done =
        take(store, pgn(1, "MyBot", "M\xFCller", moves) + pgn(2, "MyBot", "M\xC3\xBCller", moves));
    BOOST_TEST(done.report.learned == 2);
    const std::vector<LoggedGame> games = games_of(store);
    BOOST_TEST_REQUIRE(games.size() == 2U);
    BOOST_TEST(games[0].opponent_id == games[1].opponent_id);
    BOOST_TEST(store.opponents.get(games[0].opponent_id)->name == "M\xC3\xBCller");
    // Of books that were made before names were converted.
    PgnGame game;
    game.black = "M\xC3\xBCller";
    PgnGame former = game;
    former.black = "M\xFCller";
    BOOST_TEST(former_uid_of(game) == uid_of(former));
    BOOST_TEST(former_uid_of(game_with("London")) == "");
}

BOOST_AUTO_TEST_CASE(an_import_can_be_undone_and_forgotten) {
    Store store(":memory:", true);
    helpers::take(store, helpers::record("ours", "e4 c5 Nf3 d6", 1, 2));
    const std::vector<double> before{store.positions.node({.key = engine::Position().key()})->value,
                                     static_cast<double>(store.clock())};
    take(store, pgn(1, "MyBot", "Anna", "\n1. e4 e5 2. Nf3 Nc6 0-1"));
    BOOST_TEST(games_of(store).size() == 2U);
    BOOST_TEST(undo(store).starts_with("imported 1 own game from "));
    BOOST_TEST(games_of(store).size() == 1U);
    BOOST_TEST(store.positions.node({.key = engine::Position().key()})->value == before[0]);
    BOOST_TEST(static_cast<double>(store.clock()) == before[1]);
    BOOST_TEST(store.games.sources().empty());
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(a_forgotten_import_cannot_be_undone) {
    Store store(":memory:", true);
    helpers::take(store, helpers::record("ours", "e4 c5 Nf3 d6", 1, 2));
    take(store, pgn(1, "MyBot", "Anna", "\n1. e4 e5 2. Nf3 Nc6 0-1"));
    book::forget(store, ":memory:", {store.games.sources().back()});
    BOOST_CHECK_THROW(undo(store), Failure);
    BOOST_TEST(changes(store.db, 10).empty());
    BOOST_TEST(undo(store) == "game 1, a win with White");
    BOOST_TEST(undo(store) == "");
}

BOOST_AUTO_TEST_CASE(games_are_identified_by_their_server) {
    BOOST_TEST(uid_of(game_with("https://lichess.org/AbCdEfGh")) == "lichess.org/AbCdEfGh");
    BOOST_TEST(uid_of(game_with("https://lichess.org/AbCdEfGh/black")) == "lichess.org/AbCdEfGh");
    BOOST_TEST(uid_of(game_with("https://lichess.org/AbCdEfGhIjKl")) == "lichess.org/AbCdEfGh");
    BOOST_TEST(uid_of(game_with("https://lichess.org/AbCdEfGh?x#12")) == "lichess.org/AbCdEfGh");
    for (const char* const other : {"AbC",
                                    "AbCdEfGhI",
                                    "analysis",
                                    "analysis/standard",
                                    "training/AbCdEfGh",
                                    "broadcast/round-1/AbCdEfGh",
                                    "tournament/AbCdEfGh",
                                    "study/AbCdEfGh/IjKlMnOp"})
        BOOST_TEST(
            uid_of(game_with(std::string("https://lichess.org/") + other)).starts_with("pgn/"),
            other);
    PgnGame game;
    for (const char* const page : {"game/live/12?a", "live/game/12"}) {
        game.link = std::string("https://www.chess.com/") + page;
        BOOST_TEST(uid_of(game) == "chess.com/live/12");
        BOOST_TEST(former_uid_of(game) == uid_of(PgnGame()));
    }
    for (const char* const other : {"game/live/", "game/live/1x", "analysis/12", "game/12"}) {
        game.link = std::string("https://www.chess.com/") + other;
        BOOST_TEST(uid_of(game) == uid_of(PgnGame()), other);
    }
    BOOST_TEST(server_of("https://lichess.org/AbCdEfGh") == "lichess.org");
    BOOST_TEST(server_of("FICS freechess.org") == "freechess.org");
    BOOST_TEST(server_of("St. Petersburg") == "");
    BOOST_TEST(server_of("London") == "");
    BOOST_TEST(seconds_at("1970.01.02", "00:00:01") == 86'401);
    BOOST_TEST(seconds_at("????.05.??", "") == 0);
    BOOST_TEST(seconds_at("2024.1.5", "") == seconds_at("2024.01.05", ""));
    BOOST_TEST(date_number("2024.1.5") == 20240105);
    BOOST_TEST(date_number("2024/01/05 12:00") == 20240105);
    BOOST_TEST(date_number("20240105") == 20240105);
    BOOST_TEST(date_number("199?.??.??") == 19900000);
    BOOST_TEST(date_number("2024.5") == 20240500);
    BOOST_TEST(date_number("2024.13.45") == 20240000);
    BOOST_TEST(date_number("2024.12.45") == 20241200);
    BOOST_TEST(date_number("?") == 0);
}

BOOST_AUTO_TEST_CASE(a_date_without_its_day_is_the_first_that_is_possible) {
    constexpr std::int64_t Day = 86'400;
    const std::string uid = uid_of(PgnGame());
    const auto check = [&uid](const char* date, const char* first, KnownDate known) {
        const std::int64_t played = seconds_at(date, "12:00:00");
        BOOST_TEST(std::abs(played - seconds_at(first, "")) < 3, date);
        BOOST_TEST((known_date(uid, played) == known), date);
        BOOST_TEST((known_date("fics/7", played) == KnownDate::Day), date);
    };
    check("1984.??.??", "1984.01.01", KnownDate::Year);
    check("1984.05.??", "1984.05.01", KnownDate::Month);
    check("1984.1.?", "1984.01.01", KnownDate::Month);
    check("1984", "1984.01.01", KnownDate::Year);
    check("1984.02.30", "1984.02.01", KnownDate::Month);
    check("1855.??.??", "1855.01.01", KnownDate::Year);
    for (const char* const day : {"1984.01.01", "1984.05.01", "1984.05.02"})
        BOOST_TEST((known_date(uid, seconds_at(day, "")) == KnownDate::Day), day);
    const std::int64_t year = seconds_at("1855.??.??", ""), month = seconds_at("1855.05.??", "");
    const std::int64_t may = seconds_at("1855.05.31", "23:59:59");
    BOOST_TEST((is_possible_day(uid, year, may) && is_possible_day(uid, month, may)));
    BOOST_TEST((!is_possible_day(uid, month, may + 1) && is_possible_day(uid, year, may + 1)));
    BOOST_TEST((!is_possible_day(uid, year, may + 365 * Day) && !is_possible_day(uid, 0, 0)));
    BOOST_TEST((is_possible_day(uid, may - 1, may) && !is_possible_day(uid, may + 1, may)));
}

BOOST_AUTO_TEST_CASE(games_without_a_day_are_learned_in_the_order_of_their_file) {
    Store store(":memory:", true);
    std::string games;
    std::vector<std::string> order;
    const auto add = [&](const std::string& date, int number) {
        order.push_back("Player" + std::to_string(number));
        games += "[Date \"" + date + "\"]\n[White \"MyBot\"]\n[Black \"" + order.back() +
                 "\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
    };
    for (int i = 0; i < 10; ++i)
        add("????.??.??", i);
    for (int i = 10; i < 20; ++i)
        add("1984.??.??", i);
    for (int i = 20; i < 30; ++i)
        add("1984.05.??", i);
    BOOST_TEST(take(store, games).report.learned == 30);
    const auto opponents = [&store](const std::vector<LoggedGame>& of) {
        std::vector<std::string> names;
        for (const LoggedGame& g : of)
            names.push_back(store.opponents.get(g.opponent_id)->name);
        return names;
    };
    BOOST_TEST(opponents(games_of(store)) == order);
    const std::int64_t year = seconds_at("1984.01.01", "");
    BOOST_TEST(store.games.newest_first({.since = year}).size() == 20U);
    BOOST_TEST(store.games.newest_first({.before = year + 86'400}).size() == 10U);
    BOOST_TEST(take(store, games).report.learned == 0);
    check_verifies(store);
}

BOOST_AUTO_TEST_CASE(a_game_is_the_same_where_more_is_known_of_its_date) {
    const auto dated = [](const std::string& date, const std::string& opponent = "Anna") {
        return "[Date \"" + date + "\"]\n[White \"MyBot\"]\n[Black \"" + opponent +
               "\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
    };
    for (const auto& [first, second] : {std::pair("1976.08.27", "1976.??.??"),
                                        std::pair("1976.??.??", "1976.08.27"),
                                        std::pair("1976.08.??", "1976.08.27"),
                                        std::pair("1976.01.??", "1976.??.??")}) {
        Store store(":memory:", true);
        BOOST_TEST(take(store, dated(first)).report.learned == 1);
        BOOST_TEST(take(store, dated(second, "Carl")).report.learned == 1);
        const Imported other = take(store, dated(second) + dated(second));
        BOOST_TEST((other.report.learned == 0 && other.report.known == 2), first);
        BOOST_TEST(take(store, dated("1977.08.27")).report.learned == 1);
        check_verifies(store);
    }
    Store store(":memory:", true);
    GameRecord ours = helpers::record("ours", "e4 e5 Nf3", 1, 2);
    ours.opponent.name = "Anna";
    ours.played = seconds_at("2024.08.27", "12:00:00");
    helpers::take(store, ours);
    BOOST_TEST(take(store, dated("2023.??.??")).report.learned == 1);
    BOOST_TEST(take(store, dated("2024.??.??")).report.learned == 0);
}

BOOST_AUTO_TEST_CASE(a_damaged_log_tag_is_refused) {
    LoggedGame game;
    game.record = helpers::record("uid", "e4 e5", 1, 1);
    const std::string text = log_text(game);
    LoggedGame read;
    BOOST_TEST(read_log_text(text, read));
    BOOST_TEST(log_text(read) == text);
    for (const char* const bad :
         {"", "state=9", "weight=nan", "exit=-1", "score=2", "class=x", "nothing"}) {
        LoggedGame other;
        BOOST_TEST(!read_log_text(*bad == '\0' ? "" : text + ' ' + bad, other), bad);
    }
}

BOOST_AUTO_TEST_CASE(scores_in_comments_are_the_movers) {
    BOOST_TEST(read_eval("[%eval 0.31]", engine::White).value().cp == 31);
    BOOST_TEST(read_eval(" [%clk 0:01] [%eval -2.5,21]", engine::Black).value().cp == 250);
    BOOST_TEST(read_eval("[%eval -2.5,21]", engine::Black).value().depth == 21);
    BOOST_TEST(read_eval("[%eval #-3]", engine::White).value().cp == -MaxScore);
    BOOST_TEST(read_eval("[%eval 400.0]", engine::White).value().cp == MaxScore);
    for (const char* const bad :
         {"", "[%eval ]", "[%eval x]", "[%eval 1", "[%eval 1e99]", "[%eval nan]", "[%eval #]"})
        BOOST_TEST(!read_eval(bad, engine::White), bad);
    BOOST_TEST(read_search("+0.31/12 1.2s").value().cp == 31);
    BOOST_TEST(read_search("-M5/20 3s").value().cp == -MaxScore);
    BOOST_TEST(!read_search("book"));
    BOOST_TEST(!read_search("0.31"));
}

BOOST_AUTO_TEST_CASE(no_comment_breaks_the_reader_of_scores) {
    std::mt19937 random(7);
    const std::string letters = "[%eval #+-0.19,]e/M ";
    for (int i = 0; i < 20'000; ++i) {
        std::string text = i % 2 == 0 ? "[%eval " : "";
        for (std::size_t n = random() % 12; n > 0; --n)
            text += letters[random() % letters.size()];
        for (const auto& score : {read_eval(text, engine::Black), read_search(text)})
            if (score && (std::abs(score->cp) > MaxScore || score->depth < 0 ||
                          score->depth > MaxScoreDepth))
                BOOST_ERROR(text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
