// Sorting and adding up moves in little memory.
#include "book/import/sorter.h"

#include "book/store/failure.h"
#include "tests/book/helpers.h"
#include "tests/system.h"

using namespace book;

namespace {

std::vector<KeyedEdge> sorted(std::size_t bytes, int count, std::int64_t* spilled = nullptr) {
    Sorter sorter(bytes, std::filesystem::temp_directory_path());
    std::uint64_t state = 99;
    const auto roll = [&state](std::uint64_t n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state >> 20) % n;
    };
    for (int i = 0; i < count; ++i) {
        const Key key = roll(3) == 0 ? 5 : roll(500) * 0x9E37'79B9'7F4A'7C15;
        sorter.add({.key = key,
                    .move = store(Move::from_raw(static_cast<std::uint16_t>(roll(4))),
                                  roll(2) == 0 ? engine::White : engine::Black),
                    .outcome = static_cast<Outcome>(roll(4)),
                    .rating = roll(2) == 0 ? 0 : 2000,
                    .year = static_cast<int>(1990 + roll(20))});
    }
    if (spilled)
        *spilled = sorter.spilled_bytes();
    std::vector<KeyedEdge> edges;
    sorter.merge([&edges](const KeyedEdge& e) { edges.push_back(e); });
    return edges;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sorter)

BOOST_AUTO_TEST_CASE(edges_come_once_and_in_order) {
    const std::vector<KeyedEdge> edges = sorted(1 << 24, 50'000);
    std::int64_t games = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        games += edges[i].edge.games();
        BOOST_TEST_REQUIRE(edges[i].edge.ratings == 2000 * edges[i].edge.rated);
        BOOST_TEST_REQUIRE((1990 <= edges[i].edge.last && edges[i].edge.last < 2010));
        if (i > 0) {
            const auto name = [&](std::size_t j) {
                return std::pair(to_sql(edges[j].key), edges[j].edge.move);
            };
            BOOST_TEST_REQUIRE((name(i - 1) < name(i)));
        }
    }
    BOOST_TEST(games == 50'000);
}

BOOST_AUTO_TEST_CASE(little_memory_gives_the_same) {
    std::int64_t spilled = 0;
    const std::vector<KeyedEdge> much = sorted(1 << 24, 60'000),
                                 little = sorted(1 << 15, 60'000, &spilled);
    BOOST_TEST(spilled > 500'000);
    BOOST_TEST_REQUIRE(much.size() == little.size());
    for (std::size_t i = 0; i < much.size(); ++i) {
        BOOST_TEST_REQUIRE(much[i].key == little[i].key);
        BOOST_TEST_REQUIRE(much[i].edge.move == little[i].edge.move);
        BOOST_TEST_REQUIRE(much[i].edge.white == little[i].edge.white);
        BOOST_TEST_REQUIRE(much[i].edge.unknown == little[i].edge.unknown);
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_nothing) {
    BOOST_TEST(sorted(1 << 16, 0).empty());
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_there_is_told_at_once) {
    BOOST_CHECK_THROW(Sorter(1 << 14, "/nowhere"), Failure);
}

BOOST_AUTO_TEST_CASE(little_memory_needs_few_open_files, *test_system::needs_posix()) {
    const std::vector<KeyedEdge> much = sorted(1 << 24, 100'000);
    test_system::limit_open_files(3);
    std::vector<KeyedEdge> little;
    BOOST_CHECK_NO_THROW(little = sorted(1 << 15, 100'000));
    test_system::limit_open_files(std::nullopt);
    BOOST_TEST(little.size() == much.size());
}

BOOST_AUTO_TEST_CASE(a_temporary_file_that_has_lost_its_end_is_told, *test_system::needs_posix()) {
    Sorter sorter(1 << 14, std::filesystem::temp_directory_path());
    for (std::uint64_t i = 0; i < 300'000; ++i)
        sorter.add({.key = i * 0x9E37'79B9'7F4A'7C15, .move = 1});
    BOOST_TEST_REQUIRE(sorter.spilled_bytes() > 1'000'000);
    test_system::cut_temporary_files();
    BOOST_CHECK_THROW(sorter.merge([](const KeyedEdge&) {}), Failure);
}

BOOST_AUTO_TEST_SUITE_END()
