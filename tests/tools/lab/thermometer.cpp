// The thermometer: its file, whatever interrupts or damages it, and the error of networks.
#include "tests/tools/lab/some_games.h"
#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/lab/thermometer/network_error.h"
#include "tools/lab/thermometer/position_draw.h"
#include "tools/lab/thermometer/thermometer_make.h"
#include "tools/lab/train/model.h"

#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include <boost/test/unit_test.hpp>

using namespace tools::thermometer;  // NOLINT(google-build-using-namespace)
using tools::datagen::TrainingGame;
using tools::train::Model;
using tools::train::QuantisedModel;

namespace {

Conditions small_conditions() {
    Conditions c;
    c.positions = 16;
    c.per_game = 3;
    c.nodes = 100;
    c.scale = 158;
    return c;
}

std::string made(const Folder& folder, int threads = 1, const Conditions& c = small_conditions()) {
    const std::string path = (folder / "made").string();
    BOOST_TEST_REQUIRE(make_file(path, games(), c, "", threads, nullptr).has_value());
    return tools::read_bytes(path).value();
}

void write(const Folder& folder, std::string_view bytes) {
    std::ofstream(folder / "made", std::ios::binary) << bytes;
}

std::string error_of(std::string_view bytes) {
    const auto contents = decode(bytes);
    return contents ? "" : contents.error().what;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(thermometer, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(positions_are_quiet_and_few_of_a_game) {
    const Folder folder;
    const auto contents = decode(made(folder));
    BOOST_TEST_REQUIRE(contents.has_value());
    BOOST_TEST(contents->complete);
    BOOST_TEST(contents->scale == 158);
    BOOST_TEST_REQUIRE(contents->positions.size() == 16U);
    std::map<std::uint64_t, int> of_game;
    std::set<std::string> different;
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    for (const ValuedPosition& valued : contents->positions) {
        BOOST_TEST(++of_game[valued.game] <= 3);
        different.insert(valued.pos.fen());
        searcher->clear();
        const auto scored = tools::datagen::search_score(*searcher, valued.pos, 100);
        BOOST_TEST_REQUIRE(scored.has_value());
        BOOST_TEST(scored->score == valued.score);
        BOOST_TEST(!valued.pos.in_check());
        BOOST_TEST(!valued.pos.is_capture(scored->move));
        const TrainingGame& game = games()[valued.game];
        engine::Position pos = game.start;
        bool met = false;
        for (const auto& ply : game.plies) {
            met = met || pos.fen() == valued.pos.fen();
            pos.make(ply.move);
        }
        BOOST_TEST(met);
    }
    BOOST_TEST(different.size() == 16U);
    BOOST_TEST(of_game.size() >= 6U);
}

BOOST_AUTO_TEST_CASE(the_seed_decides_and_not_the_number_of_threads) {
    const Folder first, second, third;
    Conditions other = small_conditions();
    other.seed = 2;
    const std::string bytes = made(first);
    BOOST_TEST(made(second, 3) == bytes);
    BOOST_TEST(made(third, 1, other) != bytes);
}

BOOST_AUTO_TEST_CASE(an_interrupted_file_becomes_the_same) {
    const Folder whole, cut;
    const std::string bytes = made(whole);
    const std::size_t begin = encode(small_conditions()).size();
    for (std::size_t size = begin; size < bytes.size(); size += 57) {
        write(cut, bytes.substr(0, size));
        BOOST_TEST(made(cut) == bytes);
    }
    BOOST_TEST(made(whole) == bytes);  // nothing is left to do
}

BOOST_AUTO_TEST_CASE(other_conditions_do_not_continue_a_file) {
    const Folder folder;
    const std::string bytes = made(folder).substr(0, 400);
    write(folder, bytes);
    Conditions other = small_conditions();
    other.nodes = 101;
    const std::string path = (folder / "made").string();
    BOOST_CHECK_THROW(make_file(path, games(), other, "", 1, nullptr), tools::Failure);
    BOOST_TEST(tools::read_bytes(path).value() == bytes);
    write(folder, "my games");
    BOOST_CHECK_THROW(make_file(path, games(), other, "", 1, nullptr), tools::Failure);
    BOOST_TEST(tools::read_bytes(path).value() == "my games");
}

BOOST_AUTO_TEST_CASE(too_few_games_give_what_they_have) {
    const Folder folder;
    Conditions many = small_conditions();
    many.positions = 1'000;
    const auto contents = decode(made(folder, 2, many));
    BOOST_TEST_REQUIRE(contents.has_value());
    BOOST_TEST(contents->complete);
    BOOST_TEST(contents->positions.size() <= 3 * games().size());
    BOOST_TEST(contents->positions.size() > 16U);
}

BOOST_AUTO_TEST_CASE(no_damage_goes_unseen) {
    const Folder folder;
    const std::string bytes = made(folder);
    BOOST_TEST(error_of(bytes).empty());
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        const auto contents = decode(damaged);
        BOOST_TEST(!(contents.has_value() && contents->complete), at);
    }
    BOOST_TEST(error_of("") == "not a thermometer");
    BOOST_TEST(error_of("NUTGAME1 and more\n") == "not a thermometer");
    BOOST_TEST(error_of("nutcracker-thermometer 9\n") == "a thermometer of version 9, not of 1");
    BOOST_TEST(error_of(bytes + "more") == "a damaged thermometer: its checksum is wrong");
    BOOST_TEST(!decode(bytes.substr(0, bytes.size() - 1))->complete);
}

BOOST_AUTO_TEST_CASE(games_are_drawn_from_all_files) {
    const Folder folder;
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < games().size(); ++i) {
        paths.push_back((folder / ("games" + std::to_string(i))).string());
        TrainingGame child = games()[i];
        child.result = tools::datagen::GameResult::Unknown;
        std::ofstream(paths.back(), std::ios::binary)
            << tools::datagen::encode(tools::datagen::GamesHeader{})
            << tools::datagen::encode(games()[i]) << tools::datagen::encode(child);
    }
    Conditions c = small_conditions();
    const std::uint64_t all = checksum(draw_games(paths, c));
    BOOST_TEST(draw_games(paths, c).size() == games().size());
    BOOST_TEST(checksum(draw_games(paths, c)) == all);
    c.seed = 2;
    BOOST_TEST(checksum(draw_games(paths, c)) != all);
    BOOST_TEST(fitted_scale(games()).has_value());
    BOOST_CHECK_THROW(draw_games({(folder / "none").string()}, c), tools::Failure);
}

BOOST_AUTO_TEST_CASE(the_error_is_that_of_the_win_probability) {
    const Folder folder;
    std::vector<ValuedPosition> positions = decode(made(folder))->positions;
    const QuantisedModel network(Model(16, 3));
    for (ValuedPosition& valued : positions)
        valued.score = network.evaluate(
            tools::train::make_sample(valued.pos, 0, tools::train::GameResult::Unknown));
    const std::string file = network.file("test");
    const auto none = measure(file, positions, 158);
    BOOST_TEST_REQUIRE(none.has_value());
    BOOST_TEST(none->all.mean == 0);
    BOOST_TEST(none->all.positions == positions.size());
    BOOST_TEST(measure(QuantisedModel(Model(32, 4)).file("test"), positions, 158)->all.mean > 0);

    // One position whose true score is far above the network's, 1 against about 1/2.
    positions.resize(1);
    const int value = positions[0].score;
    positions[0].score = 30'000;
    const double difference = 1 - 1 / (1 + std::exp(-value / 158.0));
    const auto error = measure(file, positions, 158);
    BOOST_TEST(error->all.mean == difference * difference, boost::test_tools::tolerance(1e-9));
    const std::size_t at = class_of(engine::popcount(positions[0].pos.pieces()));
    BOOST_TEST(error->by_pieces[at].mean == error->all.mean);
    BOOST_TEST(error->by_pieces[at].positions == 1U);
    BOOST_TEST(error->by_pieces[(at + 1) % 7].positions == 0U);
}

BOOST_AUTO_TEST_CASE(pieces_fall_into_seven_classes) {
    BOOST_TEST(class_of(3) == 0U);
    BOOST_TEST(class_of(6) == 0U);
    BOOST_TEST(class_of(7) == 1U);
    BOOST_TEST(class_of(26) == 5U);
    BOOST_TEST(class_of(27) == 6U);
    BOOST_TEST(class_of(32) == 6U);
}

BOOST_AUTO_TEST_CASE(networks_of_another_format_are_refused) {
    const auto refused = [](std::string_view bytes) {
        const auto error = measure(bytes, {}, 158);
        return error ? "" : error.error().what;
    };
    const std::string file = QuantisedModel(Model(16, 3)).file("test");
    BOOST_TEST(refused(file).empty());
    BOOST_TEST(refused("NUTGAME1") == "not a network of this program");
    std::string damaged = file;
    damaged[1'000] = static_cast<char>(damaged[1'000] + 1);
    BOOST_TEST(refused(damaged) == "a damaged network: its hash is wrong");
    std::string other = file;
    for (const char hidden : {'\x11', '\x40'}) {
        other[8] = hidden;  // it is not in the hash
        BOOST_TEST(refused(other) == "a network with more or fewer weights than it should have");
    }
    other[11] = 127;
    BOOST_TEST(refused(other).find("neurons a side") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
