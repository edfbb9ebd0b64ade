// Training data: games of self-play, their records, and the samples made of them.
#include "engine/board/notation.h"
#include "tests/system.h"
#include "tests/tools/lab/some_games.h"
#include "tools/common/adjudicator.h"
#include "tools/lab/datagen/rescore.h"
#include "tools/lab/datagen/training_game.h"
#include "tools/lab/train/distillation.h"
#include "tools/lab/train/trainer.h"

#include <fstream>
#include <set>

#include <boost/test/unit_test.hpp>

using namespace tools::datagen;  // NOLINT(google-build-using-namespace)
using namespace tools::train;    // NOLINT(google-build-using-namespace)
using tools::game_ply;

namespace {

engine::Position from(const char* fen) {
    Result<engine::Position> pos = engine::Position::from_fen(fen);
    BOOST_REQUIRE_MESSAGE(pos.has_value(), fen);
    return *pos;
}

std::size_t usable_plies(const TrainingGame& game) {
    std::size_t usable = 0;
    engine::Position pos = game.start;
    for (const ScoredMove& ply : game.plies) {
        usable += is_usable(pos, ply, game_ply(pos)) ? 1U : 0U;
        pos.make(ply.move);
    }
    return usable;
}

// The ply after which the scores end the game, if `few` pieces or fewer are not adjudicated.
std::size_t adjudicated_after(const TrainingGame& game, int few) {
    tools::Adjudicator adjudicator({.win_score = 900,
                                    .win_plies = 6,
                                    .draw_score = 6,
                                    .draw_plies = 12,
                                    .draw_from_ply = 90,
                                    .max_plies = 500});
    engine::Position pos = game.start;
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
        const int score = game.plies[i].score;
        std::optional<int> white = pos.side_to_move() == engine::White ? score : -score;
        if (engine::popcount(pos.pieces()) <= few)
            white.reset();
        const int ply = game_ply(pos);
        pos.make(game.plies[i].move);
        if (adjudicator.judge(white, ply) != tools::Outcome::Unfinished)
            return i + 1;
    }
    return game.plies.size() + 1;
}

bool equal(const Sample& a, const Sample& b) {
    return a.occupied == b.occupied && a.pieces == b.pieces && a.score == b.score &&
           a.result == b.result && a.own_king == b.own_king && a.other_king == b.other_king;
}

// Whether a position may be one or two moves away from one of the game.
bool is_near(const engine::Position& child, const TrainingGame& game) {
    engine::Position parent = game.start;
    const auto reaches = [&] {
        const int differing = engine::popcount(parent.pieces() ^ child.pieces());
        const int later = game_ply(child) - game_ply(parent);
        return (later == 1 || later == 2) && differing <= 4 * later;
    };
    return reaches() || std::any_of(game.plies.begin(), game.plies.end(), [&](ScoredMove ply) {
               parent.make(ply.move);
               return reaches();
           });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(training_data)

BOOST_AUTO_TEST_CASE(equal_seeds_play_equal_games) {
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    const SelfPlayRules rules{.soft_nodes = 40};
    BOOST_TEST(encode(play_training_game(*searcher, rules, 3)) == encode(games()[2]));
    BOOST_TEST(encode(games()[0]) != encode(games()[1]));
}

BOOST_AUTO_TEST_CASE(children_are_near_their_games_and_have_no_result) {
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    const std::vector<TrainingGame> parents{games()[2]};
    const auto records = label_children(*searcher, parents, {.nodes = 60}, 1);
    BOOST_REQUIRE(!records.empty());
    int pairs = 0;  // both the child and the position after its best move
    for (const TrainingGame& record : records) {
        BOOST_TEST((record.result == GameResult::Unknown));
        BOOST_TEST(usable_plies(record) > 0U);
        BOOST_TEST(record.plies.size() <= 2U);
        if (usable_plies(record) == 2) {
            BOOST_TEST(record.plies[1].score == -record.plies[0].score);
            ++pairs;
        }
        BOOST_TEST(is_near(record.start, parents[0]));
        BOOST_TEST(int{make_sample(record.start, 0, record.result).result} == int{UnknownResult});
        const std::string bytes = encode(record);
        std::string_view rest = bytes;
        BOOST_TEST(take_game(rest).has_value());
    }
    BOOST_TEST(pairs > 0);
    const auto bytes_of = [](const std::vector<TrainingGame>& all) {
        std::string bytes;
        for (const TrainingGame& game : all)
            bytes += encode(game);
        return bytes;
    };
    BOOST_TEST(
        (bytes_of(label_children(*searcher, parents, {.nodes = 60}, 1)) == bytes_of(records)));
    BOOST_TEST(
        (bytes_of(label_children(*searcher, parents, {.nodes = 60}, 2)) != bytes_of(records)));
}

BOOST_AUTO_TEST_CASE(children_of_some_positions_come_from_as_many_games) {
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    std::size_t all = 0, some = 0;
    std::set<std::size_t> parents;  // the games that some child comes from
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        all += label_children(*searcher, games(), {.nodes = 60}, seed).size();
        const auto records = label_children(*searcher, games(), {.nodes = 60, .every = 8}, seed);
        some += records.size();
        for (const TrainingGame& record : records)
            for (std::size_t i = 0; i < games().size(); ++i)
                if (is_near(record.start, games()[i]))
                    parents.insert(i);
    }
    BOOST_TEST(parents.size() > games().size() / 2);
    BOOST_TEST(some > all / 2);
    BOOST_TEST(some < 2 * all);
}

BOOST_AUTO_TEST_CASE(a_rescored_game_keeps_its_moves_and_only_teaches_quiet_positions) {
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    int valued = 0, dropped = 0;
    for (const TrainingGame& before : games()) {
        const TrainingGame after = rescore(*searcher, before, 200);
        BOOST_TEST((after.result == before.result));
        BOOST_REQUIRE(after.plies.size() == before.plies.size());
        engine::Position pos = before.start;
        for (std::size_t i = 0; i < after.plies.size(); ++i) {
            BOOST_TEST((after.plies[i].move == before.plies[i].move));
            const bool then = is_usable(pos, before.plies[i], game_ply(pos));
            const bool now = is_usable(pos, after.plies[i], game_ply(pos));
            BOOST_TEST((then || !now));
            BOOST_TEST((now || after.plies[i].score == NotForTraining));
            valued += now && after.plies[i].score != before.plies[i].score ? 1 : 0;
            dropped += then && !now ? 1 : 0;
            pos.make(before.plies[i].move);
        }
    }
    BOOST_TEST(valued > 0);
    BOOST_TEST(dropped > 0);
}

BOOST_AUTO_TEST_CASE(no_two_runs_share_a_game) {
    std::set<std::uint64_t> seeds;
    for (std::uint64_t run = 1; run <= 20; ++run)
        for (std::uint64_t number = 0; number < 50; ++number)
            seeds.insert(seed_of(run, number));
    BOOST_TEST(seeds.size() == 1'000U);
    BOOST_TEST(seed_of(3, 7) == seed_of(3, 7));
}

BOOST_AUTO_TEST_CASE(of_the_games_the_first_is_held_out_and_of_the_children_none) {
    const std::vector<TrainingGame> first{games()[0]};
    const SampleSet alone = samples_of(first);
    BOOST_TEST(alone.training.empty());
    const std::size_t usable = usable_plies(first[0]);
    BOOST_TEST(alone.held_out.size() == usable);
    BOOST_TEST(alone.plies == first[0].plies.size());

    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    std::vector<TrainingGame> records = label_children(*searcher, {games()[1]}, {.nodes = 60}, 1);
    const std::size_t children = records.size();
    std::size_t usable_children = 0;
    for (const TrainingGame& record : records)
        usable_children += usable_plies(record);
    records.insert(records.begin() + 1, games()[0]);
    const SampleSet mixed = samples_of(records);
    BOOST_TEST(mixed.training.size() == usable_children);
    BOOST_TEST(mixed.held_out.size() == usable);
    BOOST_TEST(mixed.games == 1U);
    BOOST_TEST(mixed.children == children);
    // Children have no result, unless their ending is solved.
    const auto with_result =
        std::count_if(mixed.training.begin(), mixed.training.end(), [](const Sample& sample) {
            return sample.result != UnknownResult;
        });
    BOOST_TEST(with_result == static_cast<std::ptrdiff_t>(mixed.known - alone.known));
    BOOST_TEST(fitted_scale(mixed).has_value() == (with_result > 0));
    BOOST_TEST(fitted_scale(samples_of(games())).has_value());
}

BOOST_AUTO_TEST_CASE(a_game_is_read_as_it_was_written) {
    for (const TrainingGame& game : games()) {
        const std::string bytes = encode(game);
        BOOST_TEST(bytes.size() == GameHeaderSize + PlySize * game.plies.size());
        std::string_view rest = bytes;
        const Result<TrainingGame> read = take_game(rest);
        BOOST_REQUIRE(read.has_value());
        BOOST_TEST(rest.empty());
        BOOST_TEST(read->start.fen() == game.start.fen());
        BOOST_TEST(encode(*read) == bytes);
    }
}

BOOST_AUTO_TEST_CASE(a_games_end_is_adjudicated_for_the_right_side) {
    for (const TrainingGame& game : games()) {
        engine::Position pos = game.start;
        for (std::size_t i = 0; i + 1 < game.plies.size(); ++i)
            pos.make(game.plies[i].move);
        const int last = game.plies.back().score;
        const int white = pos.side_to_move() == engine::White ? last : -last;
        if (game.result != GameResult::Drawn)
            BOOST_TEST((white > 0) == (game.result == GameResult::WhiteWins));
    }
}

BOOST_AUTO_TEST_CASE(scores_end_a_game_unless_its_ending_is_played_out) {
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    std::array<int, 2> adjudicated{};  // by whether the ending is played out
    int played_on = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const TrainingGame game = play_training_game(*searcher, {.soft_nodes = 40}, seed);
        const bool played_out = is_played_out(seed);
        const std::size_t end = adjudicated_after(game, played_out ? 11 : 0);
        engine::Game replayed(game.start);
        for (const ScoredMove& ply : game.plies)
            replayed.play(ply.move);
        const bool over = replayed.status() != engine::Status::Ongoing;
        BOOST_TEST(end >= game.plies.size());
        BOOST_TEST((over || end == game.plies.size()));
        adjudicated.at(played_out ? 1 : 0) += over ? 0 : 1;
        played_on += played_out && adjudicated_after(game, 0) < game.plies.size() ? 1 : 0;
    }
    BOOST_TEST(adjudicated[0] > 0);
    BOOST_TEST(adjudicated[1] > 0);
    BOOST_TEST(played_on > 0);
}

BOOST_AUTO_TEST_CASE(one_game_in_five_is_played_out) {
    std::uint64_t played_out = 0;
    for (std::uint64_t number = 0; number < 1'000; ++number)
        played_out += is_played_out(seed_of(1, number)) ? 1U : 0U;
    BOOST_TEST(played_out > 150);
    BOOST_TEST(played_out < 250);
}

BOOST_AUTO_TEST_CASE(only_whole_records_count) {
    std::string bytes = encode(GamesHeader{7, 1'000, "0.1.0 note"});
    bytes += encode(games()[0]);
    const std::size_t whole = bytes.size();
    bytes += encode(games()[1]);
    bytes.pop_back();
    const Result<Extent> extent = measure_games(bytes);
    BOOST_REQUIRE(extent.has_value());
    BOOST_TEST(extent->bytes == whole);
    BOOST_TEST(extent->games == 1U);
    BOOST_TEST(extent->plies == games()[0].plies.size());
    std::string_view cut = std::string_view(bytes).substr(whole);
    BOOST_TEST(!take_game(cut).has_value());
    BOOST_TEST(cut.size() == bytes.size() - whole);
}

BOOST_AUTO_TEST_CASE(the_header_tells_where_the_games_come_from) {
    const Result<GamesHeader> header = decode_header(encode(GamesHeader{
        7, 1'000, "0.1.0 note" + std::string(50, '!'), GenerationMode::LabelledChildren}));
    BOOST_REQUIRE(header.has_value());
    BOOST_TEST((header->mode == GenerationMode::LabelledChildren));
    BOOST_TEST(header->seed == 7U);
    BOOST_TEST(header->soft_nodes == 1'000U);
    BOOST_TEST(header->note == "0.1.0 note" + std::string(33, '!'));
    BOOST_TEST(!decode_header(std::string(100, 'x')).has_value());
    BOOST_TEST(!measure_games("NUTGAME1").has_value());
}

BOOST_AUTO_TEST_CASE(the_header_keeps_the_options_beside_those_of_older_programs) {
    GamesHeader header{7, 1'000, "0.1.0 note" + std::string(50, '!'), GenerationMode::Rescored};
    const std::string old = encode(header);
    header.origin = Origin{
        .random_plies = 8, .label_every = 100, .network = 0xFFFF'0001, .parents = 0xFFFE'0002};
    const std::string bytes = encode(header);
    BOOST_TEST(bytes.size() == GamesHeaderSize);
    const Result<GamesHeader> read = decode_header(bytes);
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((read->origin == header.origin));
    BOOST_TEST((read->mode == GenerationMode::Rescored));
    BOOST_TEST(read->note == "0.1.0 note" + std::string(23, '!'));
    BOOST_TEST(!decode_header(old)->origin.has_value());
    BOOST_TEST((decode_header(old)->mode == GenerationMode::Rescored));
    std::string oldest = old;
    oldest.back() = 'x';  // of a longer note
    BOOST_TEST(!decode_header(oldest)->origin.has_value());
    BOOST_TEST((decode_header(oldest)->mode == GenerationMode::Unknown));
}

BOOST_AUTO_TEST_CASE(a_record_has_the_moves_of_its_game_whatever_its_scores) {
    TrainingGame game = games()[0];
    const std::string record = encode(game);
    game.plies.back().score = NotForTraining;
    BOOST_TEST(has_same_moves(record + encode(games()[1]), game));
    BOOST_TEST(!has_same_moves(record, games()[1]));
    game.plies.pop_back();
    BOOST_TEST(!has_same_moves(record, game));
}

BOOST_AUTO_TEST_CASE(a_record_with_an_impossible_move_is_refused) {
    std::string bytes = encode(games()[0]);
    bytes[GameHeaderSize] = 0;
    bytes[GameHeaderSize + 1] = 0;
    std::string_view rest = bytes;
    const Result<TrainingGame> read = take_game(rest);
    BOOST_REQUIRE(!read.has_value());
    BOOST_TEST(read.error().what.find("illegal move") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_quiet_undecided_positions_are_usable) {
    using engine::Move;
    const engine::Position quiet =
        from("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4");
    const Move castle(4, 7, engine::MoveKind::Castling);
    BOOST_TEST(is_usable(quiet, {castle, 30}, 16));
    BOOST_TEST(!is_usable(quiet, {castle, 30}, 15));
    BOOST_TEST(is_usable(quiet, {castle, -1'500}, 16));
    BOOST_TEST(!is_usable(quiet, {castle, 1'501}, 16));
    BOOST_TEST(!is_usable(quiet, {castle, -1'501}, 16));
    BOOST_TEST(!is_usable(quiet, {Move(26, 53), 30}, 16));  // Bxf7
    const engine::Position check = from("4k3/8/8/8/8/8/4r3/4K3 w - - 0 40");
    BOOST_TEST(!is_usable(check, {Move(4, 5), 0}, 80));
    const engine::Position bare = from("4k3/8/8/8/8/8/r7/4K3 w - - 0 40");
    BOOST_TEST(!is_usable(bare, {Move(4, 5), 0}, 80));
    const engine::Position pawn = from("8/P3k3/8/8/8/8/4p3/4K3 w - - 0 40");
    BOOST_TEST(!is_usable(pawn, {Move::promotion(48, 56, engine::Queen), 0}, 80));
}

BOOST_AUTO_TEST_CASE(a_sample_is_seen_from_the_side_to_move) {
    const Sample white =
        make_sample(from("4k2r/8/8/8/8/8/3P4/4K3 w - - 0 1"), 50, GameResult::WhiteWins);
    const Sample black =
        make_sample(from("4k3/3p4/8/8/8/8/8/4K2R b - - 0 1"), 50, GameResult::BlackWins);
    BOOST_TEST(equal(white, black));
    BOOST_TEST(int{white.result} == 2);
    const Sample lost =
        make_sample(from("4k2r/8/8/8/8/8/3P4/4K3 w - - 0 1"), 50, GameResult::BlackWins);
    BOOST_TEST(int{lost.result} == 0);
}

BOOST_AUTO_TEST_CASE(distillation_gives_the_scores_of_the_hand_written_evaluation) {
    const Folder folder;
    const std::string path = file_of(folder, games());
    const auto samples = [&path](int children, std::uint64_t seed) {
        SampleSet set;
        BOOST_REQUIRE(
            add_teacher_samples(path, {.children = children, .seed = seed}, set).has_value());
        return set;
    };
    const SampleSet set = samples(2, 1), again = samples(2, 1), other = samples(2, 2);
    BOOST_TEST(set.games == games().size());
    BOOST_REQUIRE(set.training.size() > set.games);
    BOOST_TEST(!set.held_out.empty());
    BOOST_TEST(std::equal(set.training.begin(), set.training.end(), again.training.begin(), equal));
    BOOST_TEST(
        !std::equal(set.training.begin(), set.training.end(), other.training.begin(), equal));
    BOOST_TEST(samples(4, 1).training.size() > 3 * set.training.size() / 2);

    // Child positions of a position with a queen less are scored accordingly.
    TrainingGame odds;
    odds.start = from("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 20");
    odds.plies = {{engine::parse_move(odds.start, "Nf3").value(), 0}};
    std::ofstream(path, std::ios::binary) << encode(GamesHeader{}) << encode(odds) << encode(odds);
    const SampleSet taught = samples(8, 1);
    BOOST_REQUIRE(!taught.training.empty());
    for (const Sample& s : taught.training) {
        const bool own_queen = std::any_of(s.pieces.begin(), s.pieces.end(), [](unsigned two) {
            return (two & 15U) == engine::WhiteQueen || two >> 4U == engine::WhiteQueen;
        });
        BOOST_TEST((own_queen ? s.score : -s.score) > 600);
        BOOST_TEST(int{s.result} == int{UnknownResult});
    }
    SampleSet nothing;
    BOOST_TEST(!add_teacher_samples((folder / "none").string(), {}, nothing).has_value());
}

BOOST_AUTO_TEST_CASE(a_device_is_no_file_of_samples, *test_system::needs_posix()) {
    SampleSet nothing;
    BOOST_TEST(!add_teacher_samples("/dev/zero", {}, nothing).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
