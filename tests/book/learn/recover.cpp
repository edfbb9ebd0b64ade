// Books that SQLite refuses, and what can be saved of them.
#include "book/learn/recover.h"

#include "book/book.h"
#include "book/learn/audit.h"
#include "book/learn/learn.h"
#include "book/learn/user_edits.h"
#include "book/store/failure.h"
#include "book/store/spool.h"
#include "tests/book/first_format.h"
#include "tests/book/helpers.h"

#include <fstream>

using namespace book;
using helpers::contents;
using helpers::must;
using helpers::record;

namespace {

constexpr std::size_t PageBytes = 4096;
constexpr int GameCount = 60;

std::int64_t saved(const Salvaged& salvaged, const std::string& table) {
    for (const SalvagedTable& t : salvaged.tables)
        if (t.name == table)
            return t.rows;
    return -1;
}
std::int64_t lost(const Salvaged& salvaged, const std::string& table) {
    for (const SalvagedTable& t : salvaged.tables)
        if (t.name == table)
            return t.lost;
    return -1;
}

// A book with some of everything. Its long rows go on on other pages.
struct DamagedBook : helpers::Folder {
    std::filesystem::path file = *this / "book.db", target = *this / "new.db";
    std::string good;

    DamagedBook() {
        {
            Store store(file, true);
            fill(store);
            store.db.seal();
        }
        good = contents(file);
    }
    static void fill(Store& store) {
        const char* const lines[] = {"e4 e5 Nf3 Nc6 Bb5 a6", "d4 d5 c4 e6 Nc3 Nf6", "c4 c5 Nf3"};
        for (int i = 0; i < GameCount; ++i) {
            GameRecord r = record("game " + std::to_string(i), lines[i % 3], i % 3 / 2.0, 2);
            r.opponent.name = "Opponent " + std::to_string(i % 7);
            r.draws = {std::string(i % 20 == 0 ? 9000 : 150, 'd')};
            helpers::take(store, r);
        }
        mark(store, engine::Game(), helpers::move(engine::Game(), "f3"), Never);
        Transaction transaction(store.db);
        std::vector<KeyedEdge> edges;
        std::int64_t moves = 0;
        for (std::uint64_t key = 1; key <= 1500; ++key) {
            edges.push_back(
                {.key = key << 52, .edge = {.move = 900, .white = 1 + static_cast<int>(key % 2)}});
            moves += edges.back().edge.white;
        }
        store.positions.add_edges(edges, true);
        store.games.add_source({.kind = "pgn", .name = "games.pgn", .games = 9, .moves = moves});
        store.games.add_imported(std::vector<std::int64_t>{3, 5, 7});
        store.positions.set_analysis(77, {.move = 5, .cp = 12, .depth = 9, .engine = "N"});
        transaction.commit();
    }
    void write(const std::string& bytes) const { std::ofstream(file, std::ios::binary) << bytes; }
    // Recovers and checks that the new book is sound.
    [[nodiscard]] Salvaged recovered() const {
        std::filesystem::remove(target);
        const std::string before = contents(file);
        Salvaged salvaged = book::recover(file, target);
        BOOST_TEST(contents(file) == before);
        BOOST_TEST(!std::filesystem::exists(target.string() + "-wal"));
        Store store(target, true);
        helpers::check_verifies(store);
        BOOST_TEST(store.games.counts().games == saved(salvaged, "game"));
        return salvaged;
    }
    void check_everything(const Salvaged& salvaged) const {
        for (const auto& [table, rows] : {std::pair("game", std::int64_t{GameCount}),
                                          std::pair("opponent", std::int64_t{7}),
                                          std::pair("flag", std::int64_t{1}),
                                          std::pair("source", std::int64_t{1}),
                                          std::pair("imported", std::int64_t{3}),
                                          std::pair("edge", std::int64_t{1500}),
                                          std::pair("analysis", std::int64_t{1})})
            BOOST_TEST(saved(salvaged, table) == rows, table << " " << saved(salvaged, table));
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(recover, DamagedBook)

BOOST_AUTO_TEST_CASE(of_a_sound_book_all_is_saved) {
    const Salvaged salvaged = recovered();
    check_everything(salvaged);
    for (const SalvagedTable& table : salvaged.tables)
        BOOST_TEST(table.lost == 0, table.name << " " << table.lost);
    BOOST_TEST(salvaged.unreadable_pages == 0);
    Store before(file, false), after(target, false);
    BOOST_TEST(after.games.find("game 20")->record.draws.at(0).size() == 9000U);
    BOOST_TEST(after.clock() == before.clock());
    BOOST_TEST(after.opponents.all().at(3).name == before.opponents.all().at(3).name);
    BOOST_TEST(after.positions.counts().visits == before.positions.counts().visits);
}

BOOST_AUTO_TEST_CASE(any_page_may_be_overwritten) {
    std::int64_t most_lost = 0;
    for (std::size_t page = 1; page < good.size() / PageBytes; ++page) {
        std::string bad = good;
        bad.replace(page * PageBytes, PageBytes, PageBytes, '\xff');
        write(bad);
        BOOST_TEST(guarded([this] { (void)Store(file, true); }).has_value() == false);
        const Salvaged salvaged = recovered();
        const std::int64_t games = saved(salvaged, "game");
        BOOST_TEST(games + lost(salvaged, "game") == GameCount,
                   "page " << page << ": " << games << " + " << lost(salvaged, "game"));
        BOOST_TEST(games >= GameCount - 20, "page " << page << ": " << games);
        BOOST_TEST(saved(salvaged, "edge") >= 1100, "page " << page);
        most_lost = std::max(most_lost, lost(salvaged, "game"));
    }
    BOOST_TEST(most_lost > 0);
}

BOOST_AUTO_TEST_CASE(the_first_page_may_be_overwritten) {
    write(std::string(PageBytes, '\xff') + good.substr(PageBytes));
    check_everything(recovered());
    write(std::string(100, '\0') + good.substr(100));  // only the header
    check_everything(recovered());
}

BOOST_AUTO_TEST_CASE(games_removed_before_are_not_lost) {
    std::string bytes;
    {
        Store store(file, true);
        Transaction transaction(store.db);
        store.games.remove(std::vector<std::int64_t>{5, GameCount - 1, GameCount});
        rebuild_derived(store);
        transaction.commit();
        store.db.seal();
        bytes = contents(file);
    }
    write(std::string(PageBytes, '\xff') + bytes.substr(PageBytes));
    const Salvaged salvaged = recovered();
    BOOST_TEST(saved(salvaged, "game") == GameCount - 3);
    BOOST_TEST(lost(salvaged, "game") == 0);
}

BOOST_AUTO_TEST_CASE(the_end_may_be_missing) {
    for (const std::size_t pages : {std::size_t{1}, std::size_t{6}}) {
        write(good.substr(0, good.size() - pages * PageBytes - 100));
        const Salvaged salvaged = recovered();
        const std::int64_t games = saved(salvaged, "game");
        BOOST_TEST(games + lost(salvaged, "game") == GameCount, pages << ": " << games);
        BOOST_TEST(saved(salvaged, "edge") >= 1100);
    }
    // Nothing tells how much was on pages that no tree of the rest names.
    write(good.substr(0, 10 * PageBytes));
    BOOST_TEST(recovered().unreadable_pages > 0);
}

BOOST_AUTO_TEST_CASE(changed_bytes_make_no_wrong_game) {
    for (std::size_t at = 5000; at < good.size(); at += 1777) {
        std::string bad = good;
        bad.replace(at, 16, std::string(16, '\x55'));
        write(bad);
        const Salvaged salvaged = recovered();
        BOOST_TEST(saved(salvaged, "game") >= GameCount - 20, "at " << at);
    }
}

BOOST_AUTO_TEST_CASE(what_is_only_in_the_write_ahead_log_is_saved) {
    const std::filesystem::path copy = *this / "copy.db";
    {
        Store store(file, true);
        helpers::take(store, record("logged", "g3 d5 Bg2 e5", 1, 2));
        BOOST_TEST_REQUIRE(std::filesystem::file_size(file.string() + "-wal") > 0U);
        for (const char* const suffix : {"", "-wal"})
            std::filesystem::copy_file(file.string() + suffix, copy.string() + suffix);
    }
    std::string bad = contents(copy);
    bad.replace(PageBytes, PageBytes, PageBytes, '\xff');
    file = copy;
    write(bad);
    const std::string log = contents(copy.string() + "-wal");
    BOOST_TEST(saved(recovered(), "game") + lost(recovered(), "game") == GameCount + 1);
    BOOST_TEST(Store(target, false).games.find("logged").has_value());
    BOOST_TEST(contents(copy.string() + "-wal") == log);
}

BOOST_AUTO_TEST_CASE(a_book_of_the_first_format_is_brought_up_to_date) {
    {
        Store store(file, true);
        helpers::to_first_format(store);
        store.db.seal();
    }
    check_everything(recovered());
    std::string bad = contents(file);
    write(std::string(PageBytes, '\xff') + bad.substr(PageBytes));
    check_everything(recovered());
    for (const auto& entry : std::filesystem::directory_iterator(path()))
        BOOST_TEST((entry.path() == file || entry.path() == target), entry.path());
}

BOOST_AUTO_TEST_CASE(the_spool_stays_for_the_new_book) {
    append_to_spool(spool_of(file), record("spooled", "g3 d5 Bg2 e5", 1, 2));
    const std::string spooled = contents(spool_of(file));
    write(std::string(PageBytes, '\xff') + good.substr(PageBytes));
    (void)recovered();
    BOOST_TEST(contents(spool_of(file)) == spooled);
    std::filesystem::rename(target, file);
    const auto book = must(Book::open({.experience = file, .base = {}}));
    BOOST_TEST(must(book->stats()).own_games == GameCount + 1);
}

BOOST_AUTO_TEST_CASE(what_holds_nothing_of_a_book_is_refused) {
    for (const std::string& bytes : {std::string(), std::string(9000, 'x')}) {
        write(bytes);
        const Result<Salvaged> nothing = guarded([this] { return book::recover(file, target); });
        BOOST_TEST_REQUIRE(!nothing.has_value());
        BOOST_TEST(nothing.error().what.find("nothing that belongs to a book") !=
                   std::string::npos);
    }
    std::string newer = good;
    newer[63] = 9;  // the version, at bytes 60 to 63 of the header
    write(newer);
    BOOST_TEST(guarded([this] { return book::recover(file, target); })
                   .error()
                   .what.find("newer version (format 9") != std::string::npos);
    write(good);
    std::ofstream(target) << "mine";
    BOOST_TEST(!guarded([this] { return book::recover(file, target); }).has_value());
    BOOST_TEST(contents(target) == "mine");
    for (const auto& entry : std::filesystem::directory_iterator(path()))
        BOOST_TEST((entry.path() == file || entry.path() == target), entry.path());
}

BOOST_AUTO_TEST_SUITE_END()
