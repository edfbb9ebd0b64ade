// PolyGlot's format: export and import.
#include "book/import/polyglot.h"

#include "book/import/importer.h"
#include "book/learn/audit.h"
#include "book/learn/user_edits.h"
#include "book/probe/polyglot_book.h"
#include "book/probe/view.h"
#include "book/store/failure.h"
#include "tests/book/helpers.h"

#include <fstream>

using namespace book;
using helpers::must;

namespace {

struct Entry {
    Key key;
    int move, weight, learn;
    friend bool operator==(const Entry&, const Entry&) = default;
};

std::vector<Entry> entries(const std::filesystem::path& file) {
    const std::string bytes = helpers::contents(file);
    BOOST_TEST_REQUIRE(bytes.size() % 16 == 0U);
    const auto number = [&bytes](std::size_t at, std::size_t size) {
        std::uint64_t n = 0;
        for (std::size_t i = 0; i < size; ++i)
            n = n << 8 | static_cast<unsigned char>(bytes[at + i]);
        return n;
    };
    std::vector<Entry> all;
    for (std::size_t at = 0; at < bytes.size(); at += 16)
        all.push_back({number(at, 8),
                       static_cast<int>(number(at + 8, 2)),
                       static_cast<int>(number(at + 10, 2)),
                       static_cast<int>(number(at + 12, 4))});
    return all;
}

Store with(const std::string& pgn, int max_ply = 40) {
    helpers::Folder folder;
    std::ofstream(folder / "games.pgn") << pgn;
    Store store(":memory:", true);
    Importer importer(store, ":memory:", {.max_ply = max_ply, .duplicates = Duplicates::Keep}, {});
    importer.read(open_games(folder / "games.pgn"));
    importer.finish();
    return store;
}

std::string game(const std::string& moves, const std::string& result) {
    return "[Event \"E\"]\n[Result \"" + result + "\"]\n\n" + moves + " " + result + "\n\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(polyglot)

BOOST_AUTO_TEST_CASE(moves_are_packed_as_the_format_says) {
    const engine::Position start;
    BOOST_TEST(to_polyglot(Move(12, 28)) == (28 | 12 << 6));
    const engine::Position castling =
        must(engine::Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
    const Move short_castling = engine::parse_move(castling, "O-O").value();
    BOOST_TEST(to_polyglot(short_castling) == (7 | 4 << 6));  // e1h1
    BOOST_TEST((from_polyglot(castling, to_polyglot(short_castling)) == short_castling));
    const engine::Position promoting =
        must(engine::Position::from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"));
    BOOST_TEST(to_polyglot(engine::parse_move(promoting, "a8=Q").value()) ==
               (56 | 48 << 6 | 4 << 12));
    BOOST_TEST(to_polyglot(engine::parse_move(promoting, "a8=N").value()) ==
               (56 | 48 << 6 | 1 << 12));
    // e1h1 may also be an ordinary rook's move.
    const engine::Position rook =
        must(engine::Position::from_fen("3k4/8/8/8/8/8/8/K3R3 w - - 0 1"));
    BOOST_TEST((from_polyglot(rook, 7 | 4 << 6) == engine::parse_move(rook, "Rh1").value()));
    BOOST_TEST(!from_polyglot(start, 28));
}

BOOST_AUTO_TEST_CASE(weights_are_two_a_win_and_one_a_draw) {
    helpers::Folder folder;
    Store store = with(game("1. e4 e5", "1-0") + game("1. e4 e5", "1/2-1/2") +
                       game("1. e4 c5", "0-1") + game("1. d4 d5", "0-1") + game("1. c4 c5", "*"));
    BOOST_TEST(export_polyglot(store, folder / "b.bin", {}) == 6);
    const Key start = engine::Position().key();
    const std::vector<Entry> all = entries(folder / "b.bin");
    std::vector<Entry> first;
    for (const Entry& e : all)
        if (e.key == start)
            first.push_back(e);
    BOOST_TEST_REQUIRE(first.size() == 2U);  // 1.d4 only lost: weight 0
    BOOST_TEST((first[0] == Entry{start, 28 | 12 << 6, 3, 0}));
    BOOST_TEST((first[1] == Entry{start, 26 | 10 << 6, 1, 0}));  // unknown counts as drawn
    BOOST_TEST(std::is_sorted(
        all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; }));
}

BOOST_AUTO_TEST_CASE(limits_hold) {
    helpers::Folder folder;
    Store store = with(game("1. e4 e5", "1-0") + game("1. e4 e5", "1-0") + game("1. d4 d5", "0-1") +
                       game("1. d4 d5", "0-1"));
    BOOST_TEST(export_polyglot(store, folder / "b.bin", {.min_games = 3}) == 0);
    BOOST_TEST(export_polyglot(store, folder / "b.bin", {.min_games = 2}) == 2);
    BOOST_TEST(export_polyglot(store, folder / "b.bin", {.white = false}) == 1);
    BOOST_TEST(export_polyglot(store, folder / "b.bin", {.uniform = true}) == 2);
    BOOST_TEST(entries(folder / "b.bin")[0].weight == 1);
    BOOST_CHECK_THROW(export_polyglot(store, folder / "no folder" / "b.bin", {}), Failure);
}

BOOST_AUTO_TEST_CASE(a_move_marked_never_stays_out_and_nothing_makes_no_file) {
    helpers::Folder folder;
    Store store = with(game("1. e4 e5", "1/2-1/2"));
    const engine::Game start;
    mark(store, start, helpers::move(start, "e4"), Never);
    BOOST_TEST(export_polyglot(store, folder / "b.bin", {}) == 1);
    BOOST_TEST(export_polyglot(store, folder / "none.bin", {.min_games = 9}) == 0);
    BOOST_TEST(!std::filesystem::exists(folder / "none.bin"));
    BOOST_TEST(!std::filesystem::exists(folder / "none.bin.part"));
}

BOOST_AUTO_TEST_CASE(weights_are_parts_of_the_largest) {
    helpers::Folder folder;
    const Key start = engine::Position().key();
    const std::vector<WeightedMove> moves{{.key = start, .move = Move(12, 28), .weight = 0.5},
                                          {.key = start, .move = Move(11, 27), .weight = 0}};
    write_polyglot(folder / "b.bin", moves);
    const std::vector<Entry> all = entries(folder / "b.bin");
    BOOST_TEST_REQUIRE(all.size() == 2U);
    BOOST_TEST((all[0] == Entry{start, 28 | 12 << 6, 32'768, 0}));
    BOOST_TEST(all[1].weight == 1);  // the least that plays
}

BOOST_AUTO_TEST_CASE(big_counts_are_scaled_to_sixteen_bits) {
    helpers::Folder folder;
    Store store(":memory:", true);
    const Key start = engine::Position().key();
    store.positions.add_edges(
        std::vector<KeyedEdge>{{start, {.move = 26 << 6 | 10, .white = 20'000}},
                               {start, {.move = 28 << 6 | 12, .white = 100'000}}},
        true);
    export_polyglot(store, folder / "b.bin", {});
    const std::vector<Entry> all = entries(folder / "b.bin");
    BOOST_TEST_REQUIRE(all.size() == 2U);
    BOOST_TEST(all[0].weight == 65'535);
    BOOST_TEST(all[1].weight == 13'107);
}

BOOST_AUTO_TEST_CASE(own_games_go_out_only_when_asked) {
    helpers::Folder folder;
    Store store = with(game("1. d4 d5", "1-0"));
    helpers::take(store, helpers::record("x", "e4 e5 Nf3", 1, 2));
    BOOST_TEST(export_polyglot(store, folder / "b.bin", {}) == 1);
    export_polyglot(store, folder / "b.bin", {.experience = true});
    int own = 0;
    for (const Entry& e : entries(folder / "b.bin"))
        own += e.key == engine::Position().key() && e.move == (28 | 12 << 6) ? 1 : 0;
    BOOST_TEST(own == 1);
}

BOOST_AUTO_TEST_CASE(a_book_comes_in_once_and_can_be_played_from) {
    helpers::Folder folder;
    Store source = with(game("1. e4 e5 2. Nf3", "1-0") + game("1. e4 e5 2. Nf3", "1/2-1/2") +
                        game("1. e4 c5", "0-1"));
    export_polyglot(source, folder / "b.bin", {});
    Store store(":memory:", true);
    const PolyglotImport first = import_polyglot(store, folder / "b.bin");
    BOOST_TEST(first.taken == first.entries);
    BOOST_TEST(first.unreachable == 0);
    BOOST_TEST(store.positions.edges(engine::Position().key()).size() == 1U);
    const PolyglotImport again = import_polyglot(store, folder / "b.bin");
    BOOST_TEST((again.taken == 0 && again.known && !first.known));
    BOOST_TEST(verify(store).empty());
}

BOOST_AUTO_TEST_CASE(a_move_of_weight_zero_does_not_come_in) {
    helpers::Folder folder;
    Store source = with(game("1. e4", "1-0") + game("1. d4", "1-0"));
    export_polyglot(source, folder / "b.bin", {});
    const auto moves = [&folder] {
        Store store(":memory:", true);
        import_polyglot(store, folder / "b.bin");
        return store.positions.edges(engine::Position().key()).size();
    };
    BOOST_TEST(moves() == 2U);
    {
        std::fstream file(folder / "b.bin", std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(10);  // the weight of the first entry
        file.write("\0\0", 2);
    }
    BOOST_TEST(moves() == 1U);
}

BOOST_AUTO_TEST_CASE(a_book_of_one_side_comes_in) {
    helpers::Folder folder;
    Store source = with(game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1/2-1/2") +
                        game("1. e4 c5 2. Nf3 d6", "1/2-1/2") + game("1. d4 d5 2. c4", "1/2-1/2"));
    // White's: 1.e4, 1.d4, 2.Nf3 twice, 2.c4, 3.Bb5; Black's: 1...e5, 1...c5, 1...d5 and three
    // more.
    for (const bool white : {true, false}) {
        const std::filesystem::path file = folder / (white ? "white.bin" : "black.bin");
        export_polyglot(source, file, {.white = white, .black = !white});
        Store store(":memory:", true);
        const PolyglotImport done = import_polyglot(store, file);
        BOOST_TEST((done.entries == 6 && done.taken == 6 && done.unreachable == 0), done.taken);
        BOOST_TEST(store.positions.edges(engine::Position().key()).size() == (white ? 2U : 0U));
        BOOST_TEST(verify(store).empty());
    }
}

BOOST_AUTO_TEST_CASE(a_position_that_no_move_reaches_stays_out) {
    helpers::Folder folder;
    const auto key = [](const char* moves) { return helpers::play(moves).position().key(); };
    std::vector<WeightedMove> moves{{.key = key(""), .move = Move(12, 28), .weight = 1},
                                    {.key = key("e4 e5"), .move = Move(6, 21), .weight = 1},
                                    {.key = key("h4 h5 a4"), .move = Move(48, 40), .weight = 1}};
    std::sort(moves.begin(), moves.end(), [](const WeightedMove& a, const WeightedMove& b) {
        return a.key < b.key;
    });
    write_polyglot(folder / "b.bin", moves);
    Store store(":memory:", true);
    const PolyglotImport done = import_polyglot(store, folder / "b.bin");
    BOOST_TEST((done.taken == 2 && done.unreachable == 1));
}

BOOST_AUTO_TEST_CASE(what_is_no_polyglot_book_is_told) {
    helpers::Folder folder;
    std::ofstream(folder / "short.bin") << "123";
    std::ofstream(folder / "odd.bin") << std::string(40, 'x');
    Store store(":memory:", true);
    BOOST_CHECK_THROW(import_polyglot(store, folder / "short.bin"), Failure);
    BOOST_CHECK_THROW(import_polyglot(store, folder / "odd.bin"), Failure);
    BOOST_CHECK_THROW(import_polyglot(store, folder / "missing.bin"), Failure);
}

BOOST_AUTO_TEST_CASE(a_polyglot_book_is_searched_where_it_is) {
    const helpers::Folder folder;
    Store source(":memory:", true);
    engine::Game game;
    std::vector<KeyedEdge> edges;
    for (const char* san : {"e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "O-O", "a5", "a4"}) {
        const Color side = game.position().side_to_move();
        edges.push_back(
            {.key = game.position().key(),
             .edge = {.move = book::store(helpers::move(game, san), side), .draws = 6}});
        game.play(helpers::move(game, san));
    }
    std::sort(edges.begin(), edges.end(), [](const KeyedEdge& a, const KeyedEdge& b) {
        return to_sql(a.key) < to_sql(b.key);
    });
    source.positions.add_edges(edges, true);
    BOOST_TEST(export_polyglot(source, folder / "b.bin", {}) == 9);
    PolyglotBook other(folder / "b.bin");
    engine::Game again;
    for (const engine::Move move : game.moves()) {
        const auto child = children_of(again.position());
        const auto found =
            other.moves(again.position().key(), [&](StoredMove m) { return child(m).has_value(); });
        BOOST_TEST_REQUIRE(found.size() == 1U);
        BOOST_TEST((stored_move(found[0].move) == move));
        BOOST_TEST(found[0].weight == 6);
        again.play(move);
    }
    BOOST_TEST(other.moves(again.position().key(), [](StoredMove) { return true; }).empty());
}

BOOST_AUTO_TEST_SUITE_END()
