// Book through its public functions: opening files, choosing, learning, reporting.
#include "book/book.h"
#include "book/learn/audit.h"
#include "book/model/choice.h"
#include "tests/book/helpers.h"

#include <fstream>
#include <set>

using namespace book;
using helpers::contents;
using helpers::must;
using helpers::play;
using helpers::record;

namespace {

std::unique_ptr<Book>
open(const std::filesystem::path& file, bool read_only = false, std::uint64_t seed = 5) {
    return must(Book::open({.experience = file, .base = {}, .read_only = read_only, .seed = seed}));
}

void learn(Book& book,
           const std::string& name,
           const std::string& moves,
           double score,
           int exit,
           int times = 1) {
    for (int i = 0; i < times; ++i)
        BOOST_TEST_REQUIRE(
            must(book.learn(record(name + std::to_string(i), moves, score, exit))).counted);
}

std::string error_of(const std::filesystem::path& file) {
    const auto opened = Book::open({.experience = file, .base = {}});
    return opened ? "" : opened.error().what;
}

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(face)

BOOST_AUTO_TEST_CASE(an_unknown_position_has_no_move) {
    const auto book = open(":memory:");
    BOOST_TEST(!must(book->choose(engine::Game(), {})).has_value());
    BOOST_TEST(must(book->table(engine::Position(), {})).empty());
}

BOOST_AUTO_TEST_CASE(what_won_is_played_again) {
    const auto book = open(":memory:");
    learn(*book, "e", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4, 8);
    learn(*book, "d", "d4 d5 c4 e6 Nc3 Nf6", 0, 4, 8);
    for (int i = 0; i < 50; ++i) {
        const std::optional<Chosen> chosen = must(book->choose(engine::Game(), {}));
        BOOST_TEST_REQUIRE(chosen.has_value());
        BOOST_TEST((chosen->move == helpers::move(engine::Game(), "e4")));
    }
    const engine::Game game = play("e4 e5");
    BOOST_TEST((must(book->choose(game, {}))->move == helpers::move(game, "Nf3")));
    const std::vector<Row> rows = must(book->table(engine::Position(), {}));
    BOOST_TEST_REQUIRE(rows.size() == 2U);
    BOOST_TEST((rows[0].move == helpers::move(engine::Game(), "e4")));
    BOOST_TEST(rows[0].visits == 8);
    BOOST_TEST(rows[0].value > rows[1].value);
}

BOOST_AUTO_TEST_CASE(the_book_is_left_where_nothing_worked) {
    const auto book = open(":memory:");
    GameRecord bad = record("x", "e4 e5 Ke2 Nc6", 0, 4);
    bad.exit_cp = -150;
    for (int i = 0; i < 12; ++i) {
        bad.uid = std::to_string(i);
        must(book->learn(bad));
    }
    BOOST_TEST(!must(book->choose(play("e4 e5"), {})).has_value());
}

BOOST_AUTO_TEST_CASE(a_repeated_position_is_left_to_the_search) {
    const auto book = open(":memory:");
    learn(*book, "e", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4, 5);
    BOOST_TEST(must(book->choose(engine::Game(), {})).has_value());
    BOOST_TEST(!must(book->choose(play("Nf3 Nf6 Ng1 Ng8"), {})).has_value());
}

BOOST_AUTO_TEST_CASE(max_ply_and_min_games_bound_the_book) {
    const auto book = open(":memory:");
    learn(*book, "e", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4, 5);
    BOOST_TEST(!must(book->choose(play("e4 e5"), {.max_ply = 2})).has_value());
    BOOST_TEST(must(book->choose(play("e4 e5"), {.max_ply = 3})).has_value());
    BOOST_TEST(must(book->choose(play("e4 e5"), {.min_games = 5})).has_value());
    BOOST_TEST(!must(book->choose(play("e4 e5"), {.min_games = 6})).has_value());
}

BOOST_AUTO_TEST_CASE(the_same_seed_plays_the_same_game) {
    helpers::Folder folder;
    {
        const auto book = open(folder / "book.db");
        learn(*book, "e", "e4 e5 Nf3 Nc6 Bb5 a6", 0.5, 4, 3);
        learn(*book, "d", "d4 d5 c4 e6 Nc3 Nf6", 0.5, 4, 3);
        learn(*book, "n", "Nf3 d5 d4 Nf6", 0.5, 4, 3);
    }
    const auto moves = [&](std::uint64_t seed) {
        const auto book = open(folder / "book.db", true, seed);
        std::string text;
        for (int i = 0; i < 20; ++i)
            text += engine::to_coordinates(must(book->choose(engine::Game(), {}))->move);
        return text;
    };
    BOOST_TEST(moves(7) == moves(7));
    BOOST_TEST(moves(7) != moves(8));
}

BOOST_AUTO_TEST_CASE(a_draw_can_be_repeated_from_the_log) {
    helpers::Folder folder;
    const auto book = open(folder / "book.db");
    learn(*book, "e", "e4 e5 Nf3 Nc6 Bb5 a6", 0.5, 4, 3);
    learn(*book, "d", "d4 d5 c4 e6 Nc3 Nf6", 0.5, 4, 3);
    const std::optional<Chosen> chosen = must(book->choose(engine::Game(), {}));
    GameRecord r = record("logged", "e4 e5 Nf3 Nc6", 1, 2);
    r.draws = {chosen->draw};
    must(book->learn(r));
    Store store(folder / "book.db", false);
    const LoggedGame logged = store.games.find("logged").value();
    BOOST_TEST_REQUIRE(logged.record.draws.size() == 1U);
    const DrawRecord draw = draw_from_text(logged.record.draws[0]).value();
    const Choice again = choose(draw.rule, draw.candidates, draw.seed);
    BOOST_TEST((stored_move(draw.candidates[again.chosen.value()].move) == chosen->move));
}

BOOST_AUTO_TEST_CASE(learning_tells_what_changed) {
    const auto book = open(":memory:");
    const Learned learned = must(book->learn(record("x", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4)));
    BOOST_TEST(learned.counted);
    BOOST_TEST_REQUIRE(learned.lines.size() == 2U);
    BOOST_TEST(learned.lines[1].starts_with("1.e4 e5 2.Nf3: value 0.5"));
    BOOST_TEST(learned.lines[1].ends_with(" after a win (1 game)"));
    BOOST_TEST(!must(book->learn(record("x", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4))).counted);
}

BOOST_AUTO_TEST_CASE(a_move_found_twice_by_search_enters_the_book) {
    const auto book = open(":memory:");
    const engine::Game exit = play("e4 e5 Nf3 Nc6");
    learn(*book, "a", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4);
    BOOST_TEST(!must(book->choose(exit, {})).has_value());
    learn(*book, "b", "e4 e5 Nf3 Nc6 Bb5 Nf6", 1, 4);
    const std::optional<Chosen> chosen = must(book->choose(exit, {}));
    BOOST_TEST_REQUIRE(chosen.has_value());
    BOOST_TEST((chosen->move == helpers::move(exit, "Bb5")));
}

BOOST_AUTO_TEST_CASE(who_beats_us_in_a_line_does_not_get_it_again) {
    const auto book = open(":memory:");
    learn(*book, "d", "d4 d5 c4 e6", 0.5, 2, 6);
    GameRecord r = record("", "e4 e5 Nf3 Nc6", 0, 2);
    r.exit_cp = 60;
    r.opponent.name = "Nemesis";
    for (int i = 0; i < 7; ++i) {
        r.uid = "lost" + std::to_string(i);
        must(book->learn(r));
        GameRecord won = record("won" + std::to_string(i), "e4 e5 Nf3 Nc6", 1, 2);
        won.exit_cp = 60;
        must(book->learn(won));
    }
    const auto share = [&](const Opponent& o) {
        int e4 = 0;
        for (int i = 0; i < 200; ++i)
            if (const auto chosen = must(book->choose(engine::Game(), {.opponent = &o})))
                e4 += chosen->move == helpers::move(engine::Game(), "e4") ? 1 : 0;
        return e4;
    };
    BOOST_TEST(share({.name = "Somebody"}) > 50);
    BOOST_TEST(share({.name = "nemesis(C)"}) == 0);
}

BOOST_AUTO_TEST_CASE(time_classes_are_told_by_the_clock) {
    using namespace std::chrono_literals;
    BOOST_TEST((time_class(1min, 0s) == TimeClass::Lightning));
    BOOST_TEST((time_class(2min, 1s) == TimeClass::Lightning));
    BOOST_TEST((time_class(2min, 2s) == TimeClass::Blitz));
    BOOST_TEST((time_class(5min, 0s) == TimeClass::Blitz));
    BOOST_TEST((time_class(15min, 0s) == TimeClass::Standard));
    BOOST_TEST((time_class(178s, 0s) == TimeClass::Blitz));  // 3+0 with an overhead of 2 s
    BOOST_TEST((time_class(10s, 100ms) == TimeClass::Lightning));
}

BOOST_AUTO_TEST_CASE(other_time_classes_count_in_part) {
    const auto book = open(":memory:");
    learn(*book, "e", "e4 e5 Nf3 Nc6", 1, 4, 10);
    const Row blitz = must(book->table(engine::Position(), {})).at(0);
    const Row standard = must(book->table(engine::Position(), {.time = TimeClass::Standard})).at(0);
    BOOST_TEST(standard.value > 0.5);
    BOOST_TEST(standard.evidence < blitz.evidence);
    BOOST_TEST(standard.visits == blitz.visits);
}

BOOST_AUTO_TEST_CASE(missing_folders_are_made) {
    helpers::Folder folder;
    const auto book = open(folder / "a" / "b" / "book.db");
    BOOST_TEST(!book->read_only());
    BOOST_TEST(book->notice() == "");
    BOOST_TEST(std::filesystem::exists(folder / "a" / "b" / "book.db"));
}

BOOST_AUTO_TEST_CASE(what_is_no_book_is_refused_and_left_alone) {
    helpers::Folder folder;
    write(folder / "text", std::string(5000, 'x'));
    BOOST_TEST(error_of(folder / "text").find("is not a book") != std::string::npos);
    BOOST_TEST(contents(folder / "text") == std::string(5000, 'x'));

    open(folder / "newer");
    std::string bytes = contents(folder / "newer");
    bytes[63] = 9;  // the version, at bytes 60 to 63 of the header
    write(folder / "newer", bytes);
    BOOST_TEST(error_of(folder / "newer").find("newer version (format 9") != std::string::npos);
    bytes[63] = 1;
    bytes[71] = 1;  // another program's number
    write(folder / "newer", bytes);
    BOOST_TEST(error_of(folder / "newer").find("another program made it") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_damaged_book_is_refused) {
    helpers::Folder folder;
    {
        const auto book = open(folder / "book.db");
        learn(*book, "e", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4, 30);
    }
    const std::string good = contents(folder / "book.db");
    for (const std::size_t size : {std::size_t{100}, good.size() / 2, good.size() - 4096}) {
        write(folder / "book.db", good.substr(0, size));
        BOOST_TEST(error_of(folder / "book.db") != "", "cut to " << size);
    }
    std::string scrambled = good;
    for (std::size_t i = 4096; i < scrambled.size(); i += 3)
        scrambled[i] = static_cast<char>(i * 7);
    write(folder / "book.db", scrambled);
    BOOST_TEST(error_of(folder / "book.db").find("damaged") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_book_that_cannot_be_created_is_none_but_to_play_on) {
    // /proc takes no files, not even from root.
    const std::filesystem::path file = "/proc/nutcracker/book.db";
    BOOST_TEST(error_of(file) != "");
    const auto book = must(Book::open({.experience = file, .base = {}, .play_on = true}));
    BOOST_TEST(book->read_only());
    BOOST_TEST(book->notice() != "");
    BOOST_TEST(!must(book->choose(engine::Game(), {})).has_value());
    const auto reader = open(file, true);
    BOOST_TEST(!must(reader->learn(record("x", "e4 e5 Nf3 Nc6", 1, 4))).counted);
    BOOST_TEST(!must(reader->choose(engine::Game(), {})).has_value());
}

BOOST_AUTO_TEST_CASE(a_reader_sees_what_a_writer_learns) {
    helpers::Folder folder;
    const auto reader = open(folder / "book.db", true);  // before the file is there
    BOOST_TEST(!must(reader->choose(engine::Game(), {})).has_value());
    const auto writer = open(folder / "book.db");
    learn(*writer, "e", "e4 e5 Nf3 Nc6", 1, 4, 3);
    BOOST_TEST(must(reader->choose(engine::Game(), {})).has_value());
    BOOST_TEST(!must(reader->learn(record("x", "e4 e5 Nf3 Nc6", 1, 4))).counted);
    learn(*writer, "f", "d4 d5 Nf3 Nf6", 1, 4, 3);
    BOOST_TEST(must(reader->table(engine::Position(), {})).size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_game_needs_a_name) {
    const auto book = open(":memory:");
    BOOST_TEST(!book->learn(record("", "e4 e5 Nf3 Nc6", 1, 4)).has_value());
    BOOST_TEST(!book->learn(record(std::string(65, 'x'), "e4 e5 Nf3 Nc6", 1, 4)).has_value());
}

BOOST_AUTO_TEST_CASE(a_locked_book_spools_and_merges_once) {
    helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    GameRecord r = record("waits", "e4 e5 Nf3 Nc6 Bb5", 1, 4);
    r.opponent = {.name = "Tab\tand \\ \"quote\"", .server = "x", .computer = true, .rating = 1800};
    r.reason = "two\nlines";
    r.draws = {"a | b", "c"};
    {
        const auto book = open(file);
        Store other(file, true);
        const std::optional<Transaction> holding = Transaction::try_begin(other.db);
        BOOST_TEST_REQUIRE(holding.has_value());
        BOOST_TEST(must(book->learn(r)).lines.at(0).ends_with("the game is kept for later"));
        BOOST_TEST(must(book->stats()).own_games == 0);
    }
    BOOST_TEST(std::filesystem::file_size(folder / "book.db.spool") > 0U);
    const std::string spooled = contents(folder / "book.db.spool");
    {
        const auto book = open(file);
        BOOST_TEST(book->notice() == "merged 1 waiting game");
        BOOST_TEST(must(book->stats()).own_games == 1);
    }
    write(folder / "book.db.spool",
          spooled + spooled + "half a li");  // as after a crash while merging
    const auto book = open(file);
    BOOST_TEST(must(book->stats()).own_games == 1);
    BOOST_TEST(must(book->verify()).empty());
    Store store(file, false);
    const GameRecord back = store.games.find("waits").value().record;
    BOOST_TEST((back.game.moves() == r.game.moves()));
    BOOST_TEST(back.reason == r.reason);
    BOOST_TEST((back.draws == r.draws));
    BOOST_TEST(back.exit_ply.value() == 4);
    BOOST_TEST(store.opponents.all().at(0).name == r.opponent.name);
}

BOOST_AUTO_TEST_CASE(a_resumed_game_counts_where_its_note_says) {
    helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    GameRecord begun = record("begun", "e4 e5 Nf3", 0.5, 2);
    begun.opponent.name = "Anna";
    begun.time_control = "300+2";
    begun.event = "rated blitz match";
    must(open(file)->note(begun));

    const auto book = open(file);  // another run
    const auto resumed = [](const std::string& uid, const std::string& moves) {
        GameRecord r = record(uid, moves, 1, 0);
        r.exit_ply.reset();
        r.time = TimeClass::Standard;  // by what was left of the clock
        r.time_control = "91+2";
        r.opponent.name = "Anna";
        r.resumed = true;
        return r;
    };
    BOOST_TEST(!must(book->learn(resumed("strange", "e4 e5 Nc3 Nc6 f4"))).counted);
    GameRecord other_side = resumed("black", "e4 e5 Nf3 Nc6 Bb5 a6");
    other_side.our_side = engine::Black;
    BOOST_TEST(!must(book->learn(other_side)).counted);
    GameRecord somebody = resumed("bert", "e4 e5 Nf3 Nc6 Bb5 a6");
    somebody.opponent.name = "Bert";
    BOOST_TEST(!must(book->learn(somebody)).counted);
    BOOST_TEST(must(book->stats()).own_games == 0);
    BOOST_TEST(must(book->learn(resumed("again", "e4 e5 Nf3 Nc6 Bb5 a6"))).counted);
    BOOST_TEST(must(book->verify()).empty());

    Store store(file, false);
    BOOST_TEST(!store.games.find("again").has_value());
    const LoggedGame whole = store.games.find("begun").value();
    BOOST_TEST((whole.state == GameState::Applied));
    BOOST_TEST(whole.record.exit_ply.value() == 2);
    BOOST_TEST((whole.record.time == TimeClass::Blitz));
    BOOST_TEST(whole.record.time_control == "300+2");
    BOOST_TEST(whole.record.event == "rated blitz match");
    BOOST_TEST(whole.record.game.ply() == 6);
    BOOST_TEST(store.games.counts().games == 1);
}

BOOST_AUTO_TEST_CASE(a_game_adjourned_in_the_book_leaves_it_after_its_resumption) {
    helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    GameRecord begun = record("begun", "e4 e5", 0.5, 0);
    begun.exit_ply.reset();
    begun.draws = {"first"};
    const auto book = open(file);
    must(book->note(begun));
    BOOST_TEST(must(book->verify()).empty());
    GameRecord again = record("again", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 4);
    again.draws = {"second"};
    again.resumed = true;
    BOOST_TEST(must(book->learn(again)).counted);
    BOOST_TEST(must(book->verify()).empty());

    Store store(file, false);
    const LoggedGame whole = store.games.find("begun").value();
    BOOST_TEST((whole.state == GameState::Applied));
    BOOST_TEST(whole.record.exit_ply.value() == 4);
    BOOST_TEST((whole.record.draws == std::vector<std::string>{"first", "second"}));
    BOOST_TEST(store.games.counts().games == 1);
}

BOOST_AUTO_TEST_CASE(a_note_without_a_name_is_no_game_of_somebody_unknown) {
    const auto book = open(":memory:");
    must(book->note(record("begun", "e4 e5 Nf3", 0.5, 2)));
    GameRecord other = record("other", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 0);
    other.exit_ply.reset();
    other.resumed = true;
    other.opponent.name = "Bob";
    BOOST_TEST(!must(book->learn(other)).counted);
    other.opponent.name.clear();
    BOOST_TEST(must(book->learn(other)).counted);
}

BOOST_AUTO_TEST_CASE(a_resumed_game_keeps_the_ratings_of_its_note) {
    helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    GameRecord begun = record("begun", "e4 e5 Nf3", 0.5, 2);
    begun.opponent = {.name = "Anna", .server = "x", .computer = true, .rating = 1558};
    begun.our_rating = 1882;
    const auto book = open(file);
    must(book->note(begun));
    GameRecord again = record("again", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 0);
    again.exit_ply.reset();
    again.opponent = {.name = "Anna", .server = "x"};  // nothing else is told on a resumption
    again.resumed = true;
    BOOST_TEST(must(book->learn(again)).counted);
    BOOST_TEST(must(book->verify()).empty());

    Store store(file, false);
    const LoggedGame whole = store.games.find("begun").value();
    BOOST_TEST(whole.record.our_rating == 1882);
    BOOST_TEST(whole.record.opponent.rating == 1558);
    BOOST_TEST(whole.evidence.weight < 0.5);
    BOOST_TEST(store.opponents.all().at(0).rating == 1558);
}

BOOST_AUTO_TEST_CASE(a_resumed_game_that_waited_counts_where_its_note_says) {
    helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    must(open(file)->note(record("begun", "e4 e5 Nf3", 0.5, 2)));
    GameRecord again = record("again", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 0);
    again.exit_ply.reset();
    again.resumed = true;
    must(keep_for_later(file, again));
    BOOST_TEST(open(file)->notice() == "merged 1 waiting game");
    Store store(file, false);
    BOOST_TEST((store.games.find("begun").value().state == GameState::Applied));
    BOOST_TEST(store.games.counts().games == 1);
}

// As when the process was killed before the game left the spool.
BOOST_AUTO_TEST_CASE(a_resumed_game_that_comes_twice_completes_one_note) {
    helpers::Folder folder;
    const std::filesystem::path file = folder / "book.db";
    must(open(file)->note(record("other", "e4 e5 Nf3", 0.5, 2)));
    must(open(file)->note(record("begun", "e4 e5 Nf3", 0.5, 2)));
    GameRecord again = record("again", "e4 e5 Nf3 Nc6 Bb5 a6", 1, 0);
    again.exit_ply.reset();
    again.resumed = true;
    for (int i = 0; i < 2; ++i) {
        must(keep_for_later(file, again));
        BOOST_TEST(open(file)->notice() == "merged 1 waiting game");
    }
    Store store(file, false);
    BOOST_TEST((store.games.find("begun").value().state == GameState::Applied));
    BOOST_TEST((store.games.find("other").value().state == GameState::Pending));
}

BOOST_AUTO_TEST_CASE(positions_have_names) {
    const auto book = open(":memory:");
    BOOST_TEST(book->opening(engine::Game()) == "");
    const std::string name = book->opening(play("e4 c5 Nf3 d6 a3 a6"));
    BOOST_TEST(name.find("Sicilian") != std::string::npos, name);
    BOOST_TEST(book->opening(play("Nf3 c5 e4 d6")) == book->opening(play("e4 c5 Nf3 d6")));
}

BOOST_AUTO_TEST_CASE(marks_hold_whatever_is_learned) {
    helpers::Folder folder;
    const auto book = open(folder / "book.db");
    learn(*book, "e", "e4 e5 Nf3 Nc6", 1, 4, 8);
    learn(*book, "d", "d4 d5 Nf3 Nf6", 0.5, 4, 8);
    Store store(folder / "book.db", true);
    const engine::Game start;
    store.positions.set_flags(
        start.position().key(), book::store(helpers::move(start, "e4"), engine::White), Never);
    for (int i = 0; i < 20; ++i)
        BOOST_TEST((must(book->choose(start, {}))->move == helpers::move(start, "d4")));
    must(book->rebuild());
    BOOST_TEST((must(book->choose(start, {}))->move == helpers::move(start, "d4")));
}

// A reader that waited would give up after its 2 s, with an error.
BOOST_AUTO_TEST_CASE(a_move_is_chosen_while_another_writes) {
    helpers::Folder folder;
    const auto book = open(folder / "book.db");
    learn(*book, "d", "d4 d5 Nf3 Nf6", 0.5, 4);
    Store writer(folder / "book.db", true);
    const Transaction transaction(writer.db);
    writer.db.set_number(SigmaName, 0.3);
    const engine::Game start;
    BOOST_TEST((must(book->choose(start, {}))->move == helpers::move(start, "d4")));
    BOOST_TEST(must(book->table(start.position(), {})).size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
