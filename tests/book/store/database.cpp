// The book's file: formats of earlier versions.
#include "book/store/database.h"

#include "book/book_files.h"
#include "book/learn/audit.h"
#include "book/learn/merge.h"
#include "book/learn/user_edits.h"
#include "book/store/copies.h"
#include "book/store/failure.h"
#include "tests/book/first_format.h"
#include "tests/book/helpers.h"

#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>

using namespace book;
using helpers::record;

namespace {

constexpr int CurrentFormat = 7;

int format_of(Database& db) {
    return db.connection()->execAndGet("PRAGMA user_version").getInt();
}

// A book with one game, as the first version wrote it. (No note: there the clocks are the same.)
void write_first_format(const std::filesystem::path& file) {
    Store store(file, true);
    helpers::take(store, record("a", "e4 e5 Nf3 Nc6", 1, 4));
    helpers::to_first_format(store);
}

// A book in which Anna has won the same line four times, as format 4 had it: sums of all games, and
// no losses at exits.
void write_format_4(const std::filesystem::path& file) {
    Store store(file, true);
    for (int i = 0; i < 4; ++i) {
        GameRecord lost = record(std::to_string(i), "e4 e5 Nf3 Nc6 Bb5 a6", 0, 4);
        lost.played += i;
        lost.opponent.name = "Anna";
        helpers::take(store, lost);
    }
    SQLite::Database& db = *store.db.connection();
    db.exec("UPDATE opponent SET sn = 3.7, ss = -1.5");
    const NodeKey exit{.key = store.games.latest()->exit_key.value()};
    SQLite::Statement forget(db, "DELETE FROM opponent_line WHERE key = ?");
    forget.bind(1, static_cast<std::int64_t>(exit.key));
    forget.exec();
    db.exec("PRAGMA user_version = 4");
}

void check_whole(Store& store) {
    BOOST_TEST(format_of(store.db) == CurrentFormat);
    BOOST_TEST(store.games.count_applied() == 1);
    BOOST_TEST(store.games.find("a").has_value());
    helpers::check_verifies(store);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(database)

BOOST_AUTO_TEST_CASE(a_book_of_the_first_format_is_brought_up_to_date) {
    const helpers::Folder folder;
    write_first_format(folder / "book.db");
    Store store = open_store(folder / "book.db", true);
    check_whole(store);
}

BOOST_AUTO_TEST_CASE(readers_bring_it_up_to_date_too) {
    const helpers::Folder folder;
    write_first_format(folder / "book.db");
    Store store = open_store(folder / "book.db", false);
    BOOST_TEST(store.db.read_only());
    check_whole(store);
}

BOOST_AUTO_TEST_CASE(a_copy_of_the_older_format_is_kept) {
    const helpers::Folder folder;
    const std::filesystem::path copy = folder / "book.db.format1.bak";
    write_first_format(folder / "book.db");
    {
        std::ofstream(copy.string() + ".part") << "what a killed process left";
        const Store store(folder / "book.db", true);
    }
    {
        SQLite::Database old(copy.string());
        BOOST_TEST(old.execAndGet("PRAGMA user_version").getInt() == 1);
        BOOST_TEST(old.execAndGet("SELECT count(*) FROM game").getInt() == 1);
    }
    BOOST_TEST(!std::filesystem::exists(copy.string() + ".part"));
    BOOST_TEST((copies_of(folder / "book.db") == std::vector{copy}));
    Store store = open_store(copy, true);  // the copy is a book, too
    check_whole(store);
}

BOOST_AUTO_TEST_CASE(without_room_for_a_copy_an_older_book_is_left_as_it_is) {
    const helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    write_first_format(file);
    std::filesystem::create_directories(folder /
                                        "book.db.format1.bak.part");  // no file can be made
    const Result<Store> opened = guarded([&] { return Store(file, true); });
    BOOST_TEST_REQUIRE(!opened.has_value());
    BOOST_TEST(opened.error().what.find("was not converted, because it could not be copied") !=
               std::string::npos);
    BOOST_TEST(SQLite::Database(file.string()).execAndGet("PRAGMA user_version").getInt() == 1);
}

// tests/book/data/format2.db was written by version 0.1.0: 26 learned games, one of them unlearned,
// an imported file, a mark and four analyses.
BOOST_AUTO_TEST_CASE(a_book_of_an_earlier_version_has_equal_values) {
    const helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    std::filesystem::copy_file(std::string(TEST_DIR) + "/data/format2.db", file);
    Store store = open_store(file, true);
    helpers::check_verifies(store);
    const auto near = boost::test_tools::tolerance(1e-11);
    std::int64_t nodes = 0, visits = 0, exits = 0;
    double value = 0, evidence = 0, weights = 0, scores = 0;
    const auto add_up = [&](const NodeKey&, const Node& node) {
        ++nodes;
        visits += node.visits;
        exits += node.exits;
        value += node.value;
        evidence += node.evidence;
        weights += node.weight_sum;
        scores += node.score_sum;
    };
    store.positions.each_node(add_up);
    BOOST_TEST(nodes == 48);
    BOOST_TEST(visits == 201);
    BOOST_TEST(exits == 26);
    // By the rules since format 4: some of the games are the same.
    BOOST_TEST(value == 24.295318313309046, near);
    BOOST_TEST(evidence == 841.24846733339768, near);
    BOOST_TEST(weights == 20.801822393165, near);
    BOOST_TEST(scores == 10.692886160353, near);

    const LoggedGame game = store.games.find("game 2").value();
    BOOST_TEST(game.evidence.result == 0.838703347308394, near);
    BOOST_TEST(game.overperformance == 0.261890967459581, near);
    BOOST_TEST(game.exit_key.value() == 1180666540095889894U);
    BOOST_TEST(store.games.content_hashes()[1] == content_hash(game.record.game.start(),
                                                               game.record.game.moves(),
                                                               game.record.our_side == engine::White
                                                                   ? game.record.score
                                                                   : 1 - game.record.score));
    const Positions::Counts counts = store.positions.counts();
    BOOST_TEST(counts.occurrences == 35);
    BOOST_TEST(counts.edges == 32);
    BOOST_TEST(counts.analyses == 4);
    BOOST_TEST(store.games.was_imported(-7318797054552578502));
    const engine::Game after_e4 = helpers::play("e4");
    BOOST_TEST(store.positions.flags(after_e4.position().key(),
                                     book::store(helpers::move(after_e4, "d5"), engine::Black)) ==
               int{Avoid});
    rebuild(store);
    helpers::check_verifies(store);
}

// tests/book/data/noted.db was written by the same version: "game 0" to "game 7", each noted and,
// but for game 5, finished; after game 3 a move was marked.
BOOST_AUTO_TEST_CASE(notes_of_an_earlier_version_are_no_games_of_the_clock) {
    const helpers::Folder folder;
    for (const bool write : {true, false}) {
        const std::filesystem::path file = folder / (write ? "writer.db" : "reader.db");
        std::filesystem::copy_file(std::string(TEST_DIR) + "/data/noted.db", file);
        Store store = open_store(file, write);
        BOOST_TEST(format_of(store.db) == CurrentFormat);
        BOOST_TEST(store.clock() == 7);
        for (const auto& [game, clock] : {std::pair(0, 1), {3, 4}, {4, 5}, {5, 5}, {6, 6}, {7, 7}})
            BOOST_TEST(store.games.find("game " + std::to_string(game))->clock == clock);
        BOOST_TEST(changes(store.db, 10).at(0).clock == 4);
        helpers::check_verifies(store);
        const Store again = open_store(file, write);  // and once only
        helpers::check_verifies(store);
    }
    Store store = open_store(folder / "writer.db", true);
    for (const char* last : {"game 8", "game 7", "game 5"})
        BOOST_TEST(undo(store).starts_with(last));  // by their numbers of rows
    BOOST_TEST(undo(store).starts_with("marked d4 as avoid"));
    helpers::check_verifies(store);
}

// tests/book/data/format3.db was written by version 0.3.0: "game 0" to "game 23", of which game 3
// is unlearned and game 11 noted only; games 4, 9, 14 and 19 are the same game against Clara.
BOOST_AUTO_TEST_CASE(a_book_of_format_3_counts_repeated_games_less) {
    const helpers::Folder folder;
    for (const bool write : {true, false}) {
        const std::filesystem::path file = folder / (write ? "writer.db" : "reader.db");
        std::filesystem::copy_file(std::string(TEST_DIR) + "/data/format3.db", file);
        Store store = open_store(file, write);
        BOOST_TEST(format_of(store.db) == CurrentFormat);
        BOOST_TEST(!store.db.number(OldValuesName).has_value());
        BOOST_TEST(store.clock() == 23);
        BOOST_TEST(store.games.count_applied() == 21);
        helpers::check_verifies(store);
        const LoggedGame game = store.games.find("game 19").value();
        BOOST_TEST(store.games.repetition(game).number == 4);
        const NodeKey exit{.key = game.exit_key.value(), .side = game.record.our_side};
        const double growth = store.aging(store.model()).growth(store.clock());
        const double weight = store.positions.node(exit)->weight_sum / growth;
        BOOST_TEST(weight > 1.9);  // 1 + 1/2 + 1/3 + 1/4, less by age and difference of ratings
        BOOST_TEST(weight < 25.0 / 12);
    }
}

BOOST_AUTO_TEST_CASE(a_book_of_format_4_counts_returns_to_lost_exits) {
    const helpers::Folder folder;
    for (const bool write : {true, false}) {
        const std::filesystem::path file = folder / (write ? "writer.db" : "reader.db");
        write_format_4(file);
        Store store = open_store(file, write);
        BOOST_TEST(format_of(store.db) == CurrentFormat);
        helpers::check_verifies(store);
        BOOST_TEST(store.opponents.find({.name = "Anna"})->decayed_returns ==
                       1 + 0.96 + 0.96 * 0.96,
                   boost::test_tools::tolerance(1e-9));
        BOOST_TEST(store.opponents.losses(1, store.games.latest()->exit_key.value()) == 4);
        BOOST_TEST(
            (copies_of(file) == std::vector{folder / (file.filename().string() + ".format4.bak")}));
    }
}

// SQLite does it only if no reader has the file open. People copy the file alone.
BOOST_AUTO_TEST_CASE(a_book_is_whole_when_its_last_writer_has_closed_it) {
    const helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    { Store created(file, true); }
    const Store reader(file, false);
    {
        Store writer(file, true);
        helpers::take(writer, helpers::record("a", "e4 e5 Nf3 Nc6", 1, 2));
    }
    std::filesystem::copy_file(file, folder / "copy.db");
    BOOST_TEST(Store(folder / "copy.db", false).games.has("a"));
}

// Here because another program holds the writer's lock; so is one on a read-only file system.
BOOST_AUTO_TEST_CASE(an_older_book_that_cannot_be_written_is_read_as_it_is) {
    const helpers::Folder folder;
    write_first_format(folder / "first.db");
    std::filesystem::copy_file(std::string(TEST_DIR) + "/data/noted.db", folder / "noted.db");
    std::filesystem::copy_file(std::string(TEST_DIR) + "/data/format3.db", folder / "third.db");
    write_format_4(folder / "fourth.db");
    for (const char* name : {"first.db", "noted.db", "third.db", "fourth.db"}) {
        SQLite::Database holder((folder / name).string(), SQLite::OPEN_READWRITE);
        holder.exec("BEGIN IMMEDIATE");
        Store store = open_store(folder / name, false);
        BOOST_TEST(format_of(store.db) < CurrentFormat);
        BOOST_TEST(store.games.count_applied() > 0);
        const LoggedGame game = store.games.latest().value();
        BOOST_TEST(store.games.find(game.record.uid).has_value());
        BOOST_TEST(game.record.time_control == "");
        helpers::check_verifies(store);
        holder.exec("ROLLBACK");
        open_store(folder / name, true);
        helpers::check_verifies(store);  // its views stay right when another one migrates the file
    }
}

BOOST_AUTO_TEST_CASE(an_older_book_is_merged_and_read_beside_without_being_changed) {
    const helpers::Folder folder;
    write_first_format(folder / "first.db");
    std::filesystem::copy_file(std::string(TEST_DIR) + "/data/noted.db", folder / "noted.db");
    std::filesystem::copy_file(std::string(TEST_DIR) + "/data/format3.db", folder / "third.db");
    write_format_4(folder / "fourth.db");
    Store into(folder / "into.db", true);
    std::int64_t games = 0;
    for (const char* name : {"first.db", "noted.db", "third.db", "fourth.db"}) {
        const std::filesystem::path file = folder / name;
        BookFiles files;
        add_further_book(files, file);
        BOOST_TEST(files.layers().further_games.size() == 1U);
        BOOST_TEST(
            !files.layers().further_games[0]->db.reads_older_format());  // its values are new
        Store from(file, false, true);
        games += from.games.count_applied();
        merge(into, folder / "into.db", from, {});
        BOOST_TEST(format_of(from.db) < CurrentFormat);
        BOOST_TEST(copies_of(file).empty());
    }
    BOOST_TEST(into.games.count_applied() > 20);
    BOOST_TEST(into.games.count_applied() <= games);
    helpers::check_verifies(into);
}

BOOST_AUTO_TEST_SUITE_END()
