// Packed files of games: exact, small, and damage is found.
#include "tools/lab/datagen/packed_games.h"

#include "engine/board/movegen.h"
#include "tests/folder.h"
#include "tools/lab/datagen/block_coder.h"
#include "tools/lab/datagen/rescore.h"
#include "tools/lab/datagen/training_game.h"
#include "tools/lab/train/samples.h"

#include <algorithm>
#include <fstream>

#include <boost/test/unit_test.hpp>

using namespace tools::datagen;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t HeaderSize = 96, BlockHeaderSize = 24;

std::string file_of(const std::vector<TrainingGame>& games) {
    std::string bytes = encode(GamesHeader{7, 40, "note"});
    for (const TrainingGame& game : games)
        bytes += encode(game);
    return bytes;
}

// Games of random moves and scores, which do not depend on the engine.
std::vector<TrainingGame> random_games(int count, int plies) {
    std::mt19937_64 random(5);
    std::vector<TrainingGame> games;
    for (int i = 0; i < count; ++i) {
        TrainingGame game{{}, static_cast<GameResult>(random() % 4), {}};
        engine::Position pos;
        for (int ply = 0; ply < plies; ++ply) {
            const engine::MoveList legal = engine::legal_moves(pos);
            if (legal.empty())
                break;
            std::vector<std::uint16_t> moves;
            for (const engine::Move m : legal)
                moves.push_back(m.raw());
            std::sort(moves.begin(), moves.end());
            const auto move = engine::Move::from_raw(moves[random() % moves.size()]);
            const auto score = static_cast<std::int16_t>(random() % 4 == 0   ? random()
                                                         : random() % 4 == 0 ? NotForTraining
                                                                             : random() % 50);
            game.plies.push_back({move, score});
            pos.make(move);
        }
        games.push_back(std::move(game));
    }
    return games;
}

std::string packed(const std::string& file, std::size_t block_size = BlockSize) {
    const Result<std::string> bytes = pack_games(file, block_size);
    BOOST_REQUIRE_MESSAGE(bytes.has_value(), (bytes ? "" : bytes.error().what));
    return *bytes;
}

void check_exact(const std::string& file) {
    const Result<UnpackedGames> unpacked = unpack_games(packed(file));
    BOOST_REQUIRE_MESSAGE(unpacked.has_value(), (unpacked ? "" : unpacked.error().what));
    BOOST_TEST((unpacked->file == file));
    BOOST_TEST(unpacked->skipped == 0U);
}

std::string error_of(const Result<std::string>& result) {
    return result ? "" : result.error().what;
}

std::string error_of(const Result<UnpackedGames>& result) {
    return result ? "" : result.error().what;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(packed_games, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(unpacking_gives_the_same_bytes) {
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    std::vector<TrainingGame> played, rescored;
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        played.push_back(play_training_game(*searcher, {.soft_nodes = 40}, seed));
    for (const TrainingGame& game : played)
        rescored.push_back(rescore(*searcher, game, 60));
    check_exact(file_of(played));
    check_exact(file_of(rescored));
    check_exact(file_of(label_children(*searcher, played, {.nodes = 60}, 1)));
    check_exact(file_of(random_games(20, 300)));
    check_exact(file_of({}));
    check_exact(file_of({TrainingGame{}, TrainingGame{}}));
}

BOOST_AUTO_TEST_CASE(fields_that_reading_corrects_are_kept) {
    std::string file = file_of(random_games(2, 40));
    file[GamesHeaderSize + 27] = 20;  // an en passant square where no pawn can take
    check_exact(file);
}

BOOST_AUTO_TEST_CASE(extreme_scores_are_kept) {
    TrainingGame game;
    engine::Position pos;
    for (const int score :
         {0, 32'766, -32'768, 32'767, 32'766, -32'768, 1, -1, 0, 31'990, -31'989}) {
        const engine::Move move = engine::legal_moves(pos)[0];
        game.plies.push_back({move, static_cast<std::int16_t>(score)});
        pos.make(move);
    }
    check_exact(file_of({game}));
}

BOOST_AUTO_TEST_CASE(a_ply_takes_few_bytes_even_in_sixty_games) {
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    std::vector<TrainingGame> games;
    std::size_t plies = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        games.push_back(play_training_game(*searcher, {.soft_nodes = 40}, seed));
        plies += games.back().plies.size();
    }
    const std::size_t size = packed(file_of(games)).size();
    BOOST_TEST_MESSAGE("bytes a ply: " << static_cast<double>(size) / static_cast<double>(plies));
    BOOST_TEST(static_cast<double>(size) / static_cast<double>(plies) < 1.6);
}

// Otherwise the files that exist could not be read any more: give a changed format a new number.
BOOST_AUTO_TEST_CASE(the_format_stays_as_it_is) {
    const std::string bytes = packed(file_of(random_games(8, 200)), 2'000);
    std::uint64_t sum = 0;
    for (const char c : bytes)
        sum = sum * 1'000'003 + static_cast<unsigned char>(c);
    BOOST_TEST(bytes.size() == 3'187U);
    BOOST_TEST(sum == 1'651'382'503'271'851'064U);
}

BOOST_AUTO_TEST_CASE(any_changed_byte_is_found) {
    const std::string good = packed(file_of(random_games(6, 60)), 500);
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ static_cast<char>(at % 255 + 1));
        const std::string error = error_of(unpack_games(bad));
        BOOST_TEST(!error.empty(), "byte " << at);
    }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_off_or_too_long_is_refused) {
    const std::string good = packed(file_of(random_games(6, 60)), 500);
    for (std::size_t size = 0; size < good.size(); ++size)
        BOOST_TEST(!error_of(unpack_games(good.substr(0, size))).empty(), size << " bytes");
    BOOST_TEST(!error_of(unpack_games(good + "x")).empty());
    BOOST_TEST(!error_of(unpack_games(good + good.substr(HeaderSize))).empty());
    const std::string cut = error_of(unpack_games(good.substr(0, good.size() - 1)));
    BOOST_TEST(cut.find("cut off after 5 of 6 games") != std::string::npos, cut);
    const std::string foreign = error_of(unpack_games(file_of({})));
    BOOST_TEST(foreign == "not a packed file of games");
    std::string newer = good;
    newer[7] = '2';
    BOOST_TEST(error_of(unpack_games(newer)).find("format") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_damaged_block_loses_only_itself) {
    const std::vector<TrainingGame> games = random_games(6, 60);
    const std::string good = packed(file_of(games), 1);  // a block for each game
    const std::vector<TrainingGame> others{games[0], games[2], games[3], games[4], games[5]};
    const std::size_t second = good.find("NPBK", HeaderSize + 1);
    for (const std::size_t at : {second, second + 5, second + 13, second + BlockHeaderSize + 9}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 64);
        BOOST_TEST(error_of(unpack_games(bad)).find("after 1 of 6") != std::string::npos);
        const Result<UnpackedGames> rest = unpack_games(bad, Damage::Skip);
        BOOST_REQUIRE(rest.has_value());
        BOOST_TEST((rest->file == file_of(others)));
        BOOST_TEST(rest->skipped == 1U);
    }
    const auto cut = unpack_games(std::string_view(good).substr(0, second + 30), Damage::Skip);
    BOOST_REQUIRE(cut.has_value());
    BOOST_TEST((cut->file == file_of({games[0]})));
    BOOST_TEST(cut->skipped == 5U);
}

BOOST_AUTO_TEST_CASE(a_block_of_other_bits_is_an_error_or_games_of_its_size) {
    const std::string records = file_of(random_games(3, 40)).substr(GamesHeaderSize);
    const Result<std::string> block = encode_block(records);
    BOOST_REQUIRE(block.has_value());
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        std::string bad = *block;
        bad[random() % bad.size()] = static_cast<char>(random());
        bad[random() % 20] = static_cast<char>(random());
        const Result<std::string> decoded = decode_block(bad, 3, records.size());
        BOOST_TEST((!decoded || decoded->size() == records.size()));
    }
    BOOST_TEST(!decode_block(*block, 2, records.size()).has_value());
    BOOST_TEST(!decode_block(*block, 4, records.size()).has_value());
    BOOST_TEST(!decode_block(*block, 3, records.size() - 1).has_value());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_given_back_is_not_packed) {
    const std::string good = file_of(random_games(2, 40));
    const auto error_with = [&good](std::size_t at, char byte) {
        std::string bad = good;
        bad[at] = byte;
        return error_of(pack_games(bad));
    };
    const std::size_t game = GamesHeaderSize;
    BOOST_TEST(error_of(pack_games(good.substr(0, good.size() - 1))) ==
               "the record after game 1 is cut off");
    BOOST_TEST(error_of(pack_games(packed(good))) == "the games are packed: --unpack them first");
    BOOST_TEST(error_of(pack_games("games")) == "not a file of training games");
    BOOST_TEST(error_with(game + GameHeaderSize, 0).find("illegal move") != std::string::npos);
    BOOST_TEST(error_with(game + 31, 4).find("result") != std::string::npos);
    TrainingGame bare;
    bare.start = engine::Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").value();
    std::string kings = file_of({bare});
    kings[game + 8 + 15] = 1;  // a third piece, which has no square
    BOOST_TEST(error_of(pack_games(kings)).find("a form that this program does not write") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(packed_games_are_read_like_others) {
    const Folder folder;
    const std::string path = (folder / "some.games").string();
    const std::vector<TrainingGame> games = random_games(60, 50);
    const auto read = [&](const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
        std::string all;
        const auto add = [&all](const TrainingGame& game) { all += encode(game); };
        const Result<void> done = for_each_game(path, add);
        return done ? all : done.error().what;
    };
    const std::string file = file_of(games);
    BOOST_TEST((read(packed(file, 1'000)) == file.substr(GamesHeaderSize)));
    BOOST_TEST(read(packed(file, 1'000).substr(0, 3'000)).find("some.games: damaged or cut off") !=
               std::string::npos);
    read(packed(file));
    tools::train::SampleSet samples, same;
    BOOST_REQUIRE(tools::train::add_samples(path, 0, samples).has_value());
    read(file);
    BOOST_REQUIRE(tools::train::add_samples(path, 0, same).has_value());
    BOOST_TEST(samples.games + samples.children == 60U);
    BOOST_TEST(samples.training.size() == same.training.size());
    BOOST_TEST(samples.held_out.size() == same.held_out.size());
    BOOST_TEST(!samples.training.empty());
}

BOOST_AUTO_TEST_SUITE_END()
