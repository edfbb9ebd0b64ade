// Syzygy tables: numbering, decompression, captures and en passant, on tables that the test writes;
// with the path of real ones in NUTCRACKER_SYZYGY also known positions. Damaged files do no harm.
#include "engine/syzygy/syzygy.h"

#include "engine/board/movegen.h"
#include "tests/engine/syzygy/table_writer.h"
#include "tests/folder.h"

#include <cstdlib>
#include <fstream>
#include <random>

#include <boost/test/unit_test.hpp>

using namespace engine;  // NOLINT(google-build-using-namespace)
using table_writer::Data;
using table_writer::List;

namespace {

constexpr std::uint8_t WhiteKingCode = 0x66, BlackKingCode = 0xEE, RookCode = 0x44;
constexpr int Split = 1, WithPawns = 2;
constexpr std::uint8_t PawnCode = 0x11, OtherPawnCode = 0x99;

Layout rook_layout() {
    return *Layout::make({6, 4, 14}, 3, false, true, {0, 15}, 0);
}

// Calls action(king, rook, other king) for all placements on different squares.
template <typename Action>
void for_all_placements(Action action) {
    for (Square a = 0; a < 64; ++a)
        for (Square b = 0; b < 64; ++b)
            for (Square c = 0; c < 64; ++c)
                if (a != b && a != c && b != c)
                    action(a, b, c);
}

Position position(std::string_view fen) {
    const Result<Position> pos = Position::from_fen(fen);
    BOOST_TEST_REQUIRE(pos.has_value());
    return *pos;
}

// King and rook against king, as the files of a table see it: White has the rook, unless swapped.
std::optional<Position>
rook_position(Square king, Square rook, Square other, bool white, bool swap) {
    std::string board(64, '.');
    const auto put = [&](Square s, char piece) {
        board[static_cast<std::size_t>(swap ? s : flip_rank(s))] = piece;
    };
    put(king, swap ? 'k' : 'K');
    put(rook, swap ? 'r' : 'R');
    put(other, swap ? 'K' : 'k');
    std::string fen;
    for (std::size_t i = 0; i < 64; ++i) {
        fen += board[i] == '.' ? '1' : board[i];
        if (i % 8 == 7 && i < 63)
            fen += '/';
    }
    const Result<Position> pos = Position::from_fen(fen + (white != swap ? " w - -" : " b - -"));
    return pos ? std::optional(*pos) : std::nullopt;
}

// Any value from 0 to `most`, equal for symmetric positions.
int made_up(std::uint64_t number, int most) {
    return number % 5 < 3 ? 2 : static_cast<int>(number * 0x9E37'79B9 >> 16) % (most + 1);
}

std::vector<int> made_up_values(std::uint64_t count, int most) {
    std::vector<int> values;
    for (std::uint64_t i = 0; i < count; ++i)
        values.push_back(made_up(i, most));
    return values;
}

// A table of win, draw and loss of king and rook against king, with made-up values.
Data rook_wdl() {
    const std::uint64_t size = rook_layout().size();
    std::vector<int> second = made_up_values(size, 4);
    std::reverse(second.begin(), second.end());
    return table_writer::file(true,
                              Split,
                              {{0x00, WhiteKingCode, RookCode, BlackKingCode}},
                              {List(made_up_values(size, 4)), List(second)});
}
// Distances, of positions with the rook's side to move. The maps give twice the value and 1.
Data rook_dtz() {
    Data map;
    for (int list = 0; list < 4; ++list) {
        map.push_back(64);
        for (int value = 0; value < 64; ++value)
            map.push_back(static_cast<std::uint8_t>(2 * value + 1 + 64 * (list == 2)));
    }
    return table_writer::file(
        false,
        Split,
        {{0x00, WhiteKingCode, RookCode, BlackKingCode}},
        {List(made_up_values(rook_layout().size(), 63), Pairs::Mapped | Pairs::WinPlies)},
        map);
}

void save(const std::filesystem::path& path, const Data& data) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()),
               static_cast<std::streamsize>(data.size()));
}

// Four files of a table with pawns, each with the same value for each side.
Data pawn_table(bool wdl, int flags, const Data& order, const std::vector<int>& by_side) {
    std::vector<List> lists;
    for (int file = 0; file < 4; ++file)
        for (const int value : by_side)
            lists.emplace_back(value);
    return table_writer::file(wdl, flags, {order, order, order, order}, lists);
}

std::shared_ptr<const Syzygy> opened(const Folder& folder) {
    Result<std::shared_ptr<const Syzygy>> tables = Syzygy::open(folder.path().string());
    BOOST_TEST_REQUIRE(tables.has_value());
    return *tables;
}

std::string error_of(const Result<std::unique_ptr<SyzygyTable>>& table) {
    return table ? "none" : table.error().what;
}

// Probes everything: values, or none, but nothing else.
void probe_all(const SyzygyTable& table) {
    for (Square king = 0; king < 64; king += 3)
        for (Square other = 1; other < 64; other += 5)
            for (const bool white : {true, false})
                if (const auto pos = rook_position(king, (king + 22) % 64, other, white, false);
                    pos && popcount(pos->pieces()) == 3) {
                    const std::optional<int> wdl = table.wdl(*pos);
                    BOOST_REQUIRE(!wdl || (-2 <= *wdl && *wdl <= 2));
                    for (const int result : {-2, -1, 1, 2})
                        (void)table.dtz(*pos, result);
                }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(syzygy)

BOOST_AUTO_TEST_CASE(positions_have_the_same_number_if_and_only_if_they_are_symmetric) {
    const Layout layout = rook_layout();
    BOOST_TEST(layout.size() == 31'332U);
    std::vector<int> used(31'332);
    bool same = true;
    for_all_placements([&](Square a, Square b, Square c) {
        const std::uint64_t number = layout.number({a, b, c});
        ++used.at(number);
        same = same && number == layout.number({a ^ 7, b ^ 7, c ^ 7}) &&
               number == layout.number({a ^ 56, b ^ 56, c ^ 56});
    });
    BOOST_TEST(same);
    // Eight placements each, and four where all three stand on a diagonal.
    BOOST_TEST(std::count(used.begin(), used.end(), 8) == 31'332 - 4 * 7 * 6);
    BOOST_TEST(std::count(used.begin(), used.end(), 4) == 4 * 7 * 6);
}

BOOST_AUTO_TEST_CASE(two_pawns_are_numbered_by_the_leading_one_without_a_gap) {
    std::uint64_t all = 0;
    for (int file = 0; file < 4; ++file) {
        const Layout layout = *Layout::make({1, 1, 6, 14}, 4, true, false, {0, 15}, file);
        std::vector<int> used(layout.size() / (62 * 61));
        for (Square a = 8; a < 56; ++a)
            for (Square b = 8; b < a; ++b) {
                Squares squares{a, b, 0, 7};
                const int lead = Layout::lead(squares, 2);
                if (lead == file || lead == 7 - file)
                    ++used.at(layout.number(squares) % used.size());
            }
        BOOST_TEST(std::count(used.begin(), used.end(), 0) == 0);
        all += used.size();
    }
    BOOST_TEST(all == (48U * 47 / 2 + 24) / 2);  // mirror images count once
}

BOOST_AUTO_TEST_CASE(every_value_of_a_table_is_found_with_either_colour) {
    const PieceCounts material = *PieceCounts::from_name("KRvK");
    const Data wdl = rook_wdl(), dtz = rook_dtz();
    const auto wdl_table = SyzygyTable::read(wdl, material, SyzygyTable::Kind::Wdl);
    const auto dtz_table = SyzygyTable::read(dtz, material, SyzygyTable::Kind::Dtz);
    BOOST_TEST_REQUIRE(error_of(wdl_table) == "none");
    BOOST_TEST_REQUIRE(error_of(dtz_table) == "none");
    const Layout layout = rook_layout();
    int wrong = 0, probed = 0;
    for_all_placements([&](Square king, Square rook, Square other) {
        if ((king + 3 * rook + 7 * other) % 11 != 0)
            return;
        const std::uint64_t number = layout.number({king, rook, other});
        for (const bool swap : {false, true}) {
            if (const auto pos = rook_position(king, rook, other, true, swap)) {
                const int value = made_up(number, 63);
                const auto win = (*dtz_table)->dtz(*pos, 2), cursed = (*dtz_table)->dtz(*pos, 1);
                wrong += (*wdl_table)->wdl(*pos) != made_up(number, 4) - 2;
                wrong += !win || win->other_side || win->value != 2 * value + 2;
                wrong += !cursed || cursed->value != 2 * (2 * value + 65) + 1;
                ++probed;
            }
            if (const auto pos = rook_position(king, rook, other, false, swap)) {
                wrong += (*wdl_table)->wdl(*pos) != made_up(layout.size() - 1 - number, 4) - 2;
                wrong += !(*dtz_table)->dtz(*pos, -2)->other_side;
                ++probed;
            }
        }
    });
    BOOST_TEST(probed > 30'000);
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(captures_and_en_passant_decide_before_the_table) {
    const Folder folder;
    // King and pawn against king: won by the pawn's side. Both with a pawn: the side to move loses.
    save(folder / "KPvK.rtbw",
         pawn_table(
             true, Split | WithPawns, {0x00, PawnCode, WhiteKingCode, BlackKingCode}, {4, 0}));
    save(folder / "KPvKP.rtbw",
         pawn_table(true,
                    WithPawns,
                    {0x00, 0x11, PawnCode, OtherPawnCode, WhiteKingCode, BlackKingCode},
                    {0}));
    const auto tables = opened(folder);
    BOOST_TEST(tables->max_men() == 4);
    const auto value = [&](std::string_view fen) { return tables->wdl(position(fen)); };
    BOOST_TEST((value("8/8/8/8/8/3k4/3P4/3K4 w - -") == Wdl::Win));
    BOOST_TEST((value("8/8/8/8/8/3k4/3P4/K7 b - -") == Wdl::Drawn));  // takes
    BOOST_TEST((value("8/8/3k4/8/8/8/3P4/3K4 b - -") == Wdl::Loss));
    BOOST_TEST((value("3k4/3p4/8/8/8/8/8/3K4 b - -") == Wdl::Win));  // colours swapped
    BOOST_TEST((value("3k4/3p4/8/8/8/8/3P4/3K4 w - -") == Wdl::Loss));
    BOOST_TEST((value("3k4/8/8/8/3pP3/8/8/3K4 b - e3") == Wdl::Win));  // en passant
    BOOST_TEST((value("3k4/8/8/8/3pP3/8/8/3K4 b - -") == Wdl::Loss));
    BOOST_TEST((value("8/8/8/8/8/8/8/k1K5 w - -") == Wdl::Drawn));  // bare kings
    BOOST_TEST(!value("4k3/8/8/8/8/8/8/R3K3 w Q -"));               // castling
    BOOST_TEST(!value("4k3/8/8/8/8/8/8/R3K3 w - -"));               // no such table
    BOOST_TEST(!value("4k3/3pp3/8/8/8/8/8/R3K3 w - -"));            // too many men
}

BOOST_AUTO_TEST_CASE(a_pawn_move_or_capture_that_wins_has_distance_one) {
    const Folder folder;
    save(folder / "KPvK.rtbw",
         pawn_table(
             true, Split | WithPawns, {0x00, PawnCode, WhiteKingCode, BlackKingCode}, {4, 0}));
    save(folder / "KPvK.rtbz",
         pawn_table(false, Split | WithPawns, {0x00, PawnCode, WhiteKingCode, BlackKingCode}, {6}));
    const auto tables = opened(folder);
    const auto distance = [&](std::string_view fen) { return tables->dtz(position(fen)); };
    BOOST_TEST((distance("8/8/3k4/8/8/8/3P4/3K4 w - -") == 1));
    BOOST_TEST(
        (distance("8/8/3k4/8/8/3K4/3P4/8 w - -") == 13));  // blocked: doubled, counted from 1
    BOOST_TEST((distance("8/8/8/8/8/3k4/3P4/K7 b - -") == 0));
    // The table has the other side to move: one move more than after the longest defence.
    BOOST_TEST((distance("8/8/3k4/8/8/3K4/3P4/8 b - -") == -14));
}

BOOST_AUTO_TEST_CASE(unsuitable_files_are_refused_with_a_reason) {
    const PieceCounts material = *PieceCounts::from_name("KRvK");
    const auto refusal = [&](const Data& data, SyzygyTable::Kind kind) {
        return error_of(SyzygyTable::read(data, material, kind));
    };
    constexpr auto Wdl = SyzygyTable::Kind::Wdl;
    Data data = rook_wdl();
    BOOST_TEST(refusal(data, Wdl) == "none");
    BOOST_TEST(refusal(data, SyzygyTable::Kind::Dtz).find("first bytes") != std::string::npos);
    BOOST_TEST(refusal({}, Wdl).find("cut short") != std::string::npos);
    BOOST_TEST(error_of(SyzygyTable::read(data, *PieceCounts::from_name("KPvK"), Wdl))
                   .find("another material") != std::string::npos);
    BOOST_TEST(error_of(SyzygyTable::read(data, *PieceCounts::from_name("KQvK"), Wdl))
                   .find("order of pieces") != std::string::npos);
    data.resize(data.size() - 1);
    BOOST_TEST(refusal(data, Wdl).find("cut short") != std::string::npos);
    data.resize(16 + 64 * 20);
    BOOST_TEST(refusal(data, Wdl).find("longer than the file") != std::string::npos);
    for (const std::string_view name : {"KvK", "KRvKK", "KRK", "KXvK", "KQQQQvKQQ", "krvk", ""})
        BOOST_TEST(!PieceCounts::from_name(name));
}

BOOST_AUTO_TEST_CASE(a_damaged_file_does_not_hide_the_good_ones) {
    const Folder folder;
    BOOST_TEST(Syzygy::open(folder.path().string()).error().what.find("no Syzygy tables") == 0U);
    BOOST_TEST(Syzygy::open((folder / "none").string()).error().what.find("no tables") == 0U);
    Data damaged = rook_wdl();
    damaged.resize(damaged.size() / 2);
    save(folder / "KQvK.rtbw", damaged);
    BOOST_TEST(Syzygy::open(folder.path().string()).error().what.find("KQvK.rtbw") !=
               std::string::npos);
    save(folder / "KRvK.rtbw", rook_wdl());
    save(folder / "readme.txt", {});
    const auto tables = opened(folder);
    BOOST_TEST(tables->count() == 1U);
    BOOST_TEST(tables->refused().size() == 1U);
    BOOST_TEST(tables->wdl(position("4k3/8/8/8/8/8/8/R3K3 w - -")).has_value());
}

BOOST_AUTO_TEST_CASE(random_damage_is_refused_or_read_but_never_harms) {
    const PieceCounts material = *PieceCounts::from_name("KRvK");
    std::mt19937 random(1);
    int refused = 0;
    for (const auto kind : {SyzygyTable::Kind::Wdl, SyzygyTable::Kind::Dtz}) {
        const Data good = kind == SyzygyTable::Kind::Wdl ? rook_wdl() : rook_dtz();
        for (int round = 0; round < 400; ++round) {
            Data data = good;
            // Mostly in the headers, the rest anywhere.
            for (unsigned i = 0; i <= random() % 3; ++i)
                data[random() % (round % 4 == 0 ? data.size() : 500)] =
                    static_cast<std::uint8_t>(random());
            if (round % 7 == 0)
                data.resize(random() % (data.size() / 64) * 64 + 16);
            const auto table = SyzygyTable::read(data, material, kind);
            refused += !table;
            if (table)
                probe_all(**table);
        }
    }
    BOOST_TEST(refused > 50);
    BOOST_TEST(refused < 700);
}

// Facts about endings; the tables are those in public, of three and four men.
BOOST_AUTO_TEST_CASE(real_tables_know_the_known_endings) {
    const char* const path = std::getenv("NUTCRACKER_SYZYGY");  // NOLINT(concurrency-mt-unsafe)
    if (path == nullptr) {
        BOOST_TEST_MESSAGE("skipped: NUTCRACKER_SYZYGY does not name a folder with tables");
        return;
    }
    const auto tables = Syzygy::open(path);
    BOOST_TEST_REQUIRE(tables.has_value());
    const struct {
        std::string_view fen;
        Wdl wdl;
        int dtz;
    } all[] = {
        {"8/8/8/8/5k2/8/8/KQ6 w - -", Wdl::Win, 17},
        {"8/8/8/8/5k2/8/8/KQ6 b - -", Wdl::Loss, -18},
        {"8/8/4k3/8/8/8/4P3/4K3 w - -", Wdl::Drawn, 0},
        {"8/8/8/8/8/k1K5/8/NB6 w - -", Wdl::Win, 30},
        {"8/8/8/8/8/k1K5/8/NB6 b - -", Wdl::Loss, -35},
        {"8/8/1k6/8/8/8/8/KBB5 b - -", Wdl::Loss, -33},
        {"1k1K4/8/8/pP6/8/8/8/8 w - a6", Wdl::Drawn, 0},
    };
    for (const auto& known : all) {
        const Position pos = position(known.fen);
        BOOST_TEST(((*tables)->wdl(pos) == known.wdl), known.fen);
        BOOST_TEST((*tables)->dtz(pos).value_or(999) == known.dtz, known.fen);
    }
}

BOOST_AUTO_TEST_SUITE_END()
