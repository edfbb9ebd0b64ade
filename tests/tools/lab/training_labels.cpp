// The targets of training: scores smoothed over a game, a teacher's scores, the weight of results.
#include "engine/board/see.h"
#include "tests/tools/lab/some_games.h"
#include "tools/lab/datagen/rescore.h"
#include "tools/lab/datagen/training_game.h"
#include "tools/lab/train/train_options.h"

#include <cmath>
#include <fstream>

#include <boost/test/unit_test.hpp>

using namespace tools::datagen;  // NOLINT(google-build-using-namespace)
using namespace tools::train;    // NOLINT(google-build-using-namespace)

namespace {

using engine::Move;

// Two kings and rooks that go to and fro, beginning with the side to move of `fen`.
TrainingGame shuffle(const char* fen, GameResult result, const std::vector<std::int16_t>& scores) {
    TrainingGame game;
    game.start = engine::Position::from_fen(fen).value();
    game.result = result;
    const bool white = game.start.side_to_move() == engine::White;
    const std::array<Move, 4> moves{Move(0, 1), Move(56, 57), Move(1, 0), Move(57, 56)};
    for (std::size_t i = 0; i < scores.size(); ++i)
        game.plies.push_back({moves[(i + (white ? 0 : 1)) % 4], scores[i]});
    return game;
}
const char* const WhiteToMove = "r3k3/4p3/8/8/8/8/4P3/R3K3 w - - 0 30";

engine::Position from(const char* fen) {
    return engine::Position::from_fen(fen).value();
}

double expected(int score) {
    return 1 / (1 + std::exp(-score / 130.0));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(training_labels, *boost::unit_test::label("threads"))

BOOST_AUTO_TEST_CASE(without_weight_on_the_future_scores_stay_as_they_are) {
    const std::vector<std::int16_t> scores{120, -80, 33, 1'499, -1'500};
    BOOST_TEST((smoothed_scores(shuffle(WhiteToMove, GameResult::Drawn, scores), 0) == scores));
}

BOOST_AUTO_TEST_CASE(with_all_weight_on_the_future_only_the_result_counts) {
    const std::vector<std::int16_t> scores{50, 50, 50, 50, 50};
    const auto all = [&scores](const char* fen, GameResult result) {
        return smoothed_scores(shuffle(fen, result, scores), 1);
    };
    using Scores = std::vector<std::int16_t>;
    BOOST_TEST(
        (all(WhiteToMove, GameResult::WhiteWins) == Scores{1'500, -1'500, 1'500, -1'500, 1'500}));
    BOOST_TEST((all(WhiteToMove, GameResult::Drawn) == Scores(5, 0)));
    BOOST_TEST((all("r3k3/4p3/8/8/8/8/4P3/R3K3 b - - 0 30", GameResult::WhiteWins) ==
                Scores{-1'500, 1'500, -1'500, 1'500, -1'500}));
}

BOOST_AUTO_TEST_CASE(a_score_is_blended_with_the_later_ones_of_its_side) {
    // The blunder of the second ply is seen by the third search only.
    const auto scores =
        smoothed_scores(shuffle(WhiteToMove, GameResult::WhiteWins, {0, 0, 300, -300, 600}), 0.5);
    const double last = 0.5 * expected(600) + 0.5;
    const double fourth = 0.5 * expected(300) + 0.5 * last;
    const double third = 0.5 * expected(300) + 0.5 * fourth;
    const double second = 0.5 * 0.5 + 0.5 * third;
    BOOST_TEST(std::abs(expected(scores[4]) - last) < 0.003);
    BOOST_TEST(std::abs(expected(-scores[3]) - fourth) < 0.003);
    BOOST_TEST(std::abs(expected(scores[2]) - third) < 0.003);
    BOOST_TEST(std::abs(expected(-scores[1]) - second) < 0.003);
    BOOST_TEST(scores[1] < -100);
}

BOOST_AUTO_TEST_CASE(a_ply_without_a_score_takes_the_next_ones) {
    const auto scores =
        smoothed_scores(shuffle(WhiteToMove, GameResult::Drawn, {10, NotForTraining, 90}), 0.5);
    BOOST_TEST(scores[1] == -scores[2]);
    BOOST_TEST(scores[0] > 10);
}

BOOST_AUTO_TEST_CASE(samples_take_smoothed_scores_of_games_and_not_of_children) {
    const Folder folder;
    const TrainingGame game = shuffle(WhiteToMove, GameResult::WhiteWins, {0, 0, 300, -300, 600});
    TrainingGame child = shuffle(WhiteToMove, GameResult::Unknown, {40});
    const std::string path = file_of(folder, {game, game, child});
    SampleSet plain, smoothed;
    BOOST_REQUIRE(add_samples(path, 0, plain).has_value());
    BOOST_REQUIRE(add_samples(path, 0.5, smoothed).has_value());
    const auto wanted = smoothed_scores(game, 0.5);
    BOOST_REQUIRE(plain.training.size() == 6U);  // the first game is held out
    BOOST_REQUIRE(smoothed.training.size() == 6U);
    for (std::size_t i = 0; i < 5; ++i) {
        BOOST_TEST(plain.training[i].score == game.plies[i].score);
        BOOST_TEST(smoothed.training[i].score == wanted[i]);
        BOOST_TEST(int{smoothed.training[i].result} == int{plain.training[i].result});
    }
    BOOST_TEST(plain.training[5].score == 40);
    BOOST_TEST(smoothed.training[5].score == 40);
}

BOOST_AUTO_TEST_CASE(a_network_of_another_size_teaches_its_own_scores) {
    const Folder folder;
    const TrainingGame game = shuffle(WhiteToMove, GameResult::Drawn, {0, 0, 0, 0, 0, 0});
    const std::string path = file_of(folder, {game, game});
    const auto taught = [&path](std::uint64_t seed) {
        SampleSet set;
        BOOST_REQUIRE(
            add_teacher_samples(path, {.children = 5, .seed = 1, .teacher = Model(16, seed)}, set)
                .has_value());
        return set.training;
    };
    const QuantisedModel teacher(Model(16, 7));
    const std::vector<Sample> samples = taught(7);
    BOOST_REQUIRE(samples.size() > 10U);
    for (const Sample& sample : samples)
        BOOST_TEST(int{sample.score} == teacher.evaluate(sample));
    BOOST_TEST(taught(8)[0].score != samples[0].score);
}

BOOST_AUTO_TEST_CASE(children_with_a_winning_capture_are_not_searched) {
    const std::unique_ptr<engine::Searcher> searcher = engine::make_searcher();
    const TrainingGame game = play_training_game(*searcher, {.soft_nodes = 40}, 3);
    const auto records = label_children(*searcher, {game}, {.nodes = 60}, 1);
    BOOST_REQUIRE(!records.empty());
    for (const TrainingGame& record : records)
        for (const Move m : engine::legal_moves(record.start))
            BOOST_TEST(!(record.start.is_capture(m) && engine::see_ge(record.start, m, 1)));
}

BOOST_AUTO_TEST_CASE(the_options_of_targets_are_checked) {
    const auto parse = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"some.games", "--output", "net"});
        return parse_training(words);
    };
    BOOST_TEST(parse({}).td_lambda == 0);
    BOOST_TEST(parse({"--td-lambda", "0.7"}).td_lambda == 0.7);
    BOOST_CHECK_THROW(parse({"--td-lambda", "1.5"}), tools::Failure);
    BOOST_TEST(parse({"--distill", "2", "--teacher", "some.net"}).teacher == "some.net");
    BOOST_CHECK_THROW(parse({"--teacher", "some.net"}), tools::Failure);
}

BOOST_AUTO_TEST_CASE(an_unknown_result_has_no_weight_in_the_target) {
    const auto first_loss = [](GameResult result) {
        SampleSet set;
        set.training.push_back(make_sample(engine::Position(), 0, result));
        Model model(16, 1);
        TrainingPlan plan;
        plan.epochs = 1;
        plan.lambda = plan.end_lambda = 1;
        plan.scale = 100;
        double loss = 0;
        train(model, set, plan, [&loss](const EpochReport& r) {
            loss = r.training_loss;
            return true;
        });
        return loss;
    };
    BOOST_TEST(first_loss(GameResult::Unknown) == first_loss(GameResult::Drawn));
    BOOST_TEST(first_loss(GameResult::Unknown) != first_loss(GameResult::WhiteWins));
}

BOOST_AUTO_TEST_CASE(with_fewer_men_the_result_weighs_more) {
    BOOST_TEST(lambda_of_men(32) == 0.1);
    BOOST_TEST(std::abs(lambda_of_men(20) - 0.25) < 1e-12);
    BOOST_TEST(lambda_of_men(8) == 0.4);
    BOOST_TEST(std::abs(lambda_of_men(9) - 0.3875) < 1e-12);
    BOOST_TEST(lambda_of_men(3) == 0.4);

    // The loss of the first epoch is that of a constant lambda if all positions have as many men.
    const auto first_loss = [](const char* fen, GameResult result, double lambda) {
        SampleSet set;
        set.training.push_back(make_sample(from(fen), 100, result));
        set.held_out = set.training;
        Model model(16, 1);
        TrainingPlan plan;
        plan.epochs = 1;
        plan.lambda_by_men = lambda < 0;
        plan.lambda = plan.end_lambda = std::max(lambda, 0.0);
        std::pair<double, double> loss;
        train(model, set, plan, [&loss](const EpochReport& r) {
            loss = {r.training_loss, r.held_out_loss};
            return true;
        });
        return loss;
    };
    const char* const all = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const char* const four = "4k3/4r3/8/8/8/8/8/R3K3 w - - 0 1";
    BOOST_TEST((first_loss(all, GameResult::BlackWins, -1) ==
                first_loss(all, GameResult::BlackWins, lambda_of_men(32))));
    BOOST_TEST((first_loss(four, GameResult::BlackWins, -1) ==
                first_loss(four, GameResult::BlackWins, lambda_of_men(4))));
    BOOST_TEST((first_loss(four, GameResult::BlackWins, -1) !=
                first_loss(four, GameResult::BlackWins, lambda_of_men(32))));
    BOOST_TEST(
        (first_loss(four, GameResult::Unknown, -1) == first_loss(four, GameResult::Unknown, 0)));
}

BOOST_AUTO_TEST_CASE(the_options_choose_lambda_and_schedule) {
    const auto plan = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"some.games", "--output", "net"});
        return parse_training(words).plan;
    };
    BOOST_TEST(!plan({}).lambda_by_men);
    BOOST_TEST(plan({"--lambda", "0.2"}).end_lambda == 0.2);
    BOOST_TEST(plan({"--lambda-by-men"}).lambda_by_men);
    BOOST_CHECK_THROW(plan({"--lambda-by-men", "--lambda", "0.2"}), tools::Failure);
    BOOST_CHECK_THROW(plan({"--lambda-by-men", "--end-lambda", "0.2"}), tools::Failure);
    BOOST_TEST(plan({}).drops.empty());
    BOOST_TEST(plan({"--schedule", "cosine"}).drops.empty());
    BOOST_TEST((plan({"--schedule", "step"}).drops == std::vector{0.6, 0.85}));
    BOOST_TEST((plan({"--drops", "0.5"}).drops == std::vector{0.5}));
    BOOST_TEST((plan({"--schedule", "step", "--drops", "0.5"}).drops == std::vector{0.5}));
    BOOST_CHECK_THROW(plan({"--schedule", "cosine", "--drops", "0.5"}), tools::Failure);
    BOOST_CHECK_THROW(plan({"--schedule", "linear"}), tools::Failure);
    BOOST_CHECK_THROW(plan({"--resume"}), tools::Failure);
}

BOOST_AUTO_TEST_CASE(positions_of_four_men_have_their_exact_result) {
    using engine::Move;
    TrainingGame game;
    game.result = GameResult::BlackWins;
    // Rook against bishop is a draw, and so the game's result is wrong; with the bishop lost it is
    // won.
    game.start = from("8/8/8/3k4/8/2b5/8/R5K1 w - - 0 60");
    game.plies = {{Move(6, 14), 400}, {Move(35, 36), -400}, {Move(14, 6), 400}};
    const SampleSet drawn = samples_of({game});
    BOOST_TEST(drawn.known == 3U);
    for (const Sample& sample : drawn.held_out) {
        BOOST_TEST(sample.score == 0);
        BOOST_TEST(int{sample.result} == 1);
    }
    game.start = from("3k4/8/8/8/8/5Q2/r7/6K1 b - - 0 60");
    game.plies = {{Move(59, 51), -300}, {Move(21, 29), 300}};
    const SampleSet won = samples_of({game});
    BOOST_TEST_REQUIRE(won.held_out.size() == 2U);
    BOOST_TEST(won.held_out[0].score == -1'500);
    BOOST_TEST(int{won.held_out[0].result} == 0);
    BOOST_TEST(won.held_out[1].score == 1'500);
    BOOST_TEST(int{won.held_out[1].result} == 2);
}

BOOST_AUTO_TEST_CASE(the_scale_is_found_that_made_the_results) {
    SampleSet set;
    Sample sample = make_sample(engine::Position(), 0, GameResult::Drawn);
    for (int i = 0; i < 1'000; ++i) {
        sample.score = 200;
        sample.result = i % 100 < 73 ? 2 : 0;  // a score of one scale means 73.1 %
        set.training.push_back(sample);
    }
    BOOST_TEST(std::abs(fitted_scale(set).value_or(0) - 200) < 8);
}

BOOST_AUTO_TEST_SUITE_END()
