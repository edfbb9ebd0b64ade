// The network: incremental evaluation equals the definition, both sides and both halves of the
// board are evaluated alike, and unsuitable files are refused.
#include "engine/board/movegen.h"
#include "engine/engine.h"
#include "engine/eval/endings.h"
#include "engine/eval/evaluate.h"
#include "engine/eval/rice_code.h"
#include "tests/folder.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <type_traits>

#include <boost/test/unit_test.hpp>

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

// Castling on both sides, promotions, en passant, bare kings, Chess960.
constexpr std::array Fens{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
};

// Weights up to the limits where that makes the outputs neither all zero nor all clipped.
NetworkWeights random_weights(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto fill = [&random](auto& weights, int limit) {
        for (auto& w : weights)
            w = static_cast<std::remove_reference_t<decltype(w)>>(
                static_cast<int>(random() % (2 * static_cast<unsigned>(limit) + 1)) - limit);
    };
    NetworkWeights weights(Hidden, ThreatHidden);
    fill(weights.neurons, 120);
    fill(weights.threats, MaxThreatWeight);
    fill(weights.first, 20);
    fill(weights.second, MaxLayerWeight);
    fill(weights.third, MaxLayerWeight);
    fill(weights.first_bias, First);
    fill(weights.second_bias, One);
    fill(weights.third_bias, One);
    return weights;
}

// What the attackers and defenders of the piece on s add to a neuron.
int threats_by_definition(const NetworkWeights& net,
                          const Position& pos,
                          Square s,
                          std::size_t input,
                          std::size_t neuron) {
    int sum = 0;
    for (const bool defended : {false, true}) {
        const Color by = defended == (color_of(pos.piece_on(s)) == White) ? White : Black;
        for (std::size_t type = Pawn; type <= King; ++type)
            if ((pos.attackers_to(s, pos.pieces()) &
                 pos.pieces(by, static_cast<PieceType>(type))) != 0)
                sum += net.threats[(768 * (type + (defended ? 6U : 0U)) + input) * ThreatHidden +
                                   neuron];
    }
    return sum;
}

// The neurons of a side, clipped.
std::vector<int> neurons_by_definition(const NetworkWeights& net, const Position& pos, Color side) {
    const bool swap_files = file_of(pos.king(side)) > 3;
    std::vector<int> neurons(net.neurons.end() - Hidden, net.neurons.end());
    for (Square s = 0; s < 64; ++s) {
        const Piece p = pos.piece_on(s);
        if (p == NoPiece)
            continue;
        const int rank = side == White ? rank_of(s) : 7 - rank_of(s);
        const int file = swap_files ? 7 - file_of(s) : file_of(s);
        const std::size_t kind = type_of(p) + (color_of(p) == side ? 0U : 6U);
        const int square = 8 * rank + file;
        const std::size_t input = static_cast<std::size_t>(square) + 64U * kind;
        for (std::size_t i = 0; i < Hidden; ++i) {
            neurons[i] += net.neurons[input * Hidden + i];
            if (i < ThreatHidden && type_of(p) != King)
                neurons[i] += threats_by_definition(net, pos, s, input, i);
        }
    }
    for (int& neuron : neurons)
        neuron = std::clamp(neuron, 0, 255);
    return neurons;
}

std::vector<int> products_by_definition(const NetworkWeights& net, const Position& pos) {
    std::vector<int> products;
    for (const Color side : {pos.side_to_move(), ~pos.side_to_move()}) {
        const std::vector<int> neurons = neurons_by_definition(net, pos, side);
        for (std::size_t i = 0; i < 256; ++i)
            products.push_back((neurons[i] * neurons[i + 256] + 256) / 512);
    }
    return products;
}

// The outputs of a layer of a bucket.
std::vector<std::int64_t> layer_by_definition(const auto& weights,
                                              const auto& bias,
                                              const auto& in,
                                              std::size_t bucket,
                                              std::size_t outputs) {
    std::vector<std::int64_t> out;
    for (std::size_t o = bucket * outputs; o < (bucket + 1) * outputs; ++o) {
        out.push_back(bias[o]);
        for (std::size_t i = 0; i < in.size(); ++i)
            out.back() += std::int64_t{in[i]} * weights[o * in.size() + i];
    }
    return out;
}

// The definition of the network, without optimisations.
Score by_definition(const NetworkWeights& net, const Position& pos) {
    const auto at = static_cast<std::size_t>((popcount(pos.pieces()) - 2) / 4);
    const auto z = layer_by_definition(
        net.first, net.first_bias, products_by_definition(net, pos), at, FirstLayer);
    constexpr std::int64_t Max = First;
    std::vector<std::int64_t> a;
    a.reserve(2 * z.size());
    for (const std::int64_t v : z)
        a.push_back(std::clamp<std::int64_t>(v, 0, Max));
    for (const std::int64_t v : z)
        a.push_back(std::min(v * v, Max * Max) / 8'192);
    auto h = layer_by_definition(net.second, net.second_bias, a, at, SecondLayer);
    for (std::int64_t& v : h)
        v = std::clamp<std::int64_t>(v / 256, 0, Max);
    const std::int64_t value =
        layer_by_definition(net.third, net.third_bias, h, at, 1)[0] + 256 * z[0];
    return std::clamp(
        static_cast<Score>(value * OutputCentipawns / One), -KnownWin + 1, KnownWin - 1);
}

Position from(const std::string& fen) {
    Result<Position> pos = Position::from_fen(fen);
    BOOST_REQUIRE_MESSAGE(pos.has_value(), fen);
    return *pos;
}

std::string weights_of(const Network& net) {
    std::string bytes(sizeof net, '\0');
    std::memcpy(bytes.data(), &net, sizeof net);
    return bytes;
}

std::shared_ptr<const Network> network_of(const NetworkWeights& weights) {
    Result<std::shared_ptr<const Network>> net = parse_network(network_file("test", weights));
    BOOST_REQUIRE(net.has_value());
    return std::move(*net);
}

// Makes and unmakes random moves, and compares with the definition at random positions.
void wander(AccumulatorStack& stack,
            const NetworkWeights& net,
            Position& pos,
            std::mt19937_64& random,
            int depth) {
    if (random() % 3 == 0)
        BOOST_REQUIRE_EQUAL(stack.evaluate(pos), by_definition(net, pos));
    if (depth == 0)
        return;
    const MoveList moves = legal_moves(pos);
    for (int tries = 0; tries < 2 && !moves.empty(); ++tries) {
        const Move m = moves[random() % moves.size()];
        Undo undo{};
        stack.push(pos, m);
        pos.make(m, undo);
        wander(stack, net, pos, random, depth - 1);
        pos.unmake(m, undo);
        stack.pop();
    }
    BOOST_REQUIRE_EQUAL(stack.evaluate(pos), by_definition(net, pos));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(network)

BOOST_AUTO_TEST_CASE(incremental_neurons_equal_the_definition) {
    const NetworkWeights net = random_weights(1);
    const auto parsed = network_of(net);
    AccumulatorStack stack(*parsed);
    std::mt19937_64 random(2);
    for (const char* fen : Fens)
        for (int i = 0; i < 3; ++i) {
            Position pos = from(fen);
            stack.reset();
            wander(stack, net, pos, random, 7);
        }
}

BOOST_AUTO_TEST_CASE(long_lines_are_caught_up_at_once) {
    const NetworkWeights net = random_weights(3);
    const auto parsed = network_of(net);
    AccumulatorStack stack(*parsed);
    std::mt19937_64 random(4);
    Position pos = from(Fens[1]);
    for (int ply = 1; ply <= MaxPly; ++ply) {
        const MoveList moves = legal_moves(pos);
        if (moves.empty())
            break;
        const Move m = moves[random() % moves.size()];
        stack.push(pos, m);
        pos.make(m);
        if (ply % 40 == 0)
            BOOST_REQUIRE_EQUAL(stack.evaluate(pos), by_definition(net, pos));
    }
}

BOOST_AUTO_TEST_CASE(a_null_move_changes_only_the_side) {
    const NetworkWeights net = random_weights(5);
    const auto parsed = network_of(net);
    AccumulatorStack stack(*parsed);
    Position pos = from(Fens[1]);
    BOOST_TEST(stack.evaluate(pos) == by_definition(net, pos));
    Undo undo{};
    pos.make_null(undo);
    BOOST_TEST(stack.evaluate(pos) == by_definition(net, pos));
}

BOOST_AUTO_TEST_CASE(colours_and_halves_of_the_board_do_not_matter) {
    const NetworkWeights net = random_weights(6);
    const auto parsed = network_of(net);
    AccumulatorStack stack(*parsed);
    const auto value = [&stack](const char* fen) {
        stack.reset();
        return stack.evaluate(from(fen));
    };
    const Score score = value("r4rk1/1p3ppp/2n1b3/3pP3/3P1q2/2N2N2/PP3PPP/R2Q1RK1 w - - 0 1");
    BOOST_TEST(score ==
               value("r2q1rk1/pp3ppp/2n2n2/3p1Q2/3Pp3/2N1B3/1P3PPP/R4RK1 b - - 0 1"));  // colours
    BOOST_TEST(score ==
               value("1kr4r/ppp3p1/3b1n2/3Pp3/2q1P3/2N2N2/PPP3PP/1KR1Q2R w - - 0 1"));  // halves
    BOOST_TEST(score != value("r4rk1/1p3ppp/2n1b3/3pP3/3P1q2/2N2N2/PP3PPP/R2Q1RK1 b - - 0 1"));
}

BOOST_AUTO_TEST_CASE(two_stacks_do_not_disturb_each_other) {
    const NetworkWeights one = random_weights(7);
    const NetworkWeights two = random_weights(8);
    const auto parsed_one = network_of(one), parsed_two = network_of(two);
    AccumulatorStack first(*parsed_one);
    AccumulatorStack second(*parsed_two);
    const Position pos = from(Fens[1]);
    const Position other = from(Fens[3]);
    BOOST_TEST(first.evaluate(pos) == by_definition(one, pos));
    BOOST_TEST(second.evaluate(other) == by_definition(two, other));
    BOOST_TEST(first.evaluate(pos) == by_definition(one, pos));
}

BOOST_AUTO_TEST_CASE(a_file_gives_back_its_weights) {
    const NetworkWeights net = random_weights(9);
    const Result<NetworkWeights> read = network_weights(network_file("test", net));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((read->neurons == net.neurons && read->threats == net.threats));
    BOOST_TEST((read->first == net.first && read->first_bias == net.first_bias));
    BOOST_TEST((read->second == net.second && read->second_bias == net.second_bias));
    BOOST_TEST((read->third == net.third && read->third_bias == net.third_bias));
}

BOOST_AUTO_TEST_CASE(a_file_that_does_not_fit_is_refused_with_the_reason) {
    const NetworkWeights net = random_weights(10);
    const std::string good = network_file("test", net);
    const auto reason = [](std::string_view bytes) {
        const auto read = parse_network(bytes);
        return read ? std::string("accepted") : read.error().what;
    };
    BOOST_TEST(reason("") == "not a network of this program");
    BOOST_TEST(reason(std::string(200, 'x')) == "not a network of this program");
    BOOST_TEST(reason(network_file("", NetworkWeights(Hidden + 1, 8)))
                   .starts_with("a network of " + std::to_string(Hidden + 1) +
                                " neurons a side, 8 of them for threats, not of "));
    std::string huge = good;
    huge[11] = 1;
    BOOST_TEST(reason(huge).starts_with("a network of " + std::to_string((1 << 24) + Hidden) +
                                        " neurons a side"));
    BOOST_TEST(reason(good.substr(0, 1'000)) == "a damaged network: its hash is wrong");
    NetworkWeights cut(Hidden, ThreatHidden);
    cut.threats.resize(ThreatHidden);
    BOOST_TEST(reason(network_file("", cut)) ==
               "a network with more or fewer weights than it should have");
    cut.threats.resize(std::size_t{ThreatInputs + 100} * ThreatHidden);
    BOOST_TEST(reason(network_file("", cut)) ==
               "a network with more or fewer weights than it should have");
    std::string older = good;
    older[14] = 1;
    BOOST_TEST(reason(older) == "a network of 1 outputs, not of 8");
    older[7] = '3';
    BOOST_TEST(reason(older) == "a network of another version of this program");
    std::string damaged = good;
    damaged[5'000] = static_cast<char>(damaged[5'000] ^ 1);
    BOOST_TEST(reason(damaged) == "a damaged network: its hash is wrong");
}

BOOST_AUTO_TEST_CASE(weights_that_could_overflow_are_refused) {
    const auto accepted = [](auto member, std::size_t at, int weight) {
        NetworkWeights net = random_weights(11);
        auto& weights = net.*member;
        weights.at(at) = static_cast<std::remove_reference_t<decltype(weights[0])>>(weight);
        const auto read = parse_network(network_file("", net));
        BOOST_TEST((read || read.error().what == "a network whose weights are too large"));
        return read.has_value();
    };
    const auto limited = [&accepted](auto member, std::size_t at, int limit) {
        return accepted(member, at, limit) && accepted(member, at, -limit) &&
               !accepted(member, at, -limit - 1);
    };
    BOOST_TEST(limited(&NetworkWeights::neurons, std::size_t{Inputs} * Hidden, MaxFeatureWeight));
    BOOST_TEST(limited(&NetworkWeights::threats, 5, MaxThreatWeight));
    BOOST_TEST(limited(&NetworkWeights::first, 7, MaxFirstWeight));
    BOOST_TEST(limited(&NetworkWeights::second, 0, MaxLayerWeight));
    BOOST_TEST(limited(&NetworkWeights::third, Buckets * SecondLayer - 1, MaxLayerWeight));
    BOOST_TEST(limited(&NetworkWeights::first_bias, 3, MaxBias));
    BOOST_TEST(limited(&NetworkWeights::second_bias, 200, MaxBias));
    BOOST_TEST(limited(&NetworkWeights::third_bias, 7, MaxBias));
}

// All products, weights and biases at their limits: the slices must not overflow either.
BOOST_AUTO_TEST_CASE(the_largest_weights_do_not_overflow) {
    for (const int sign : {1, -1}) {
        NetworkWeights net = random_weights(14);
        std::fill(net.neurons.end() - Hidden, net.neurons.end(), MaxFeatureWeight);
        std::fill(net.first.begin(), net.first.end(), sign * MaxFirstWeight);
        std::fill(net.first_bias.begin(), net.first_bias.end(), sign * MaxBias);
        std::fill(net.second.begin(), net.second.end(), MaxLayerWeight);
        std::fill(net.second_bias.begin(), net.second_bias.end(), MaxBias);
        std::fill(net.third.begin(), net.third.end(), sign * MaxLayerWeight);
        std::fill(net.third_bias.begin(), net.third_bias.end(), sign * MaxBias);
        const auto parsed = network_of(net);
        AccumulatorStack stack(*parsed);
        BOOST_TEST(stack.evaluate(from(Fens[1])) == by_definition(net, from(Fens[1])));
    }
}

BOOST_AUTO_TEST_CASE(rice_code_gives_back_every_integer_and_is_short) {
    std::mt19937_64 random(13);
    const std::array<std::int32_t, 9> extremes{
        0, -1, 1, 32'767, -32'768, 2'000'000'000, -2'000'000'000, INT32_MAX, INT32_MIN};
    std::vector<std::int16_t> small(1'000);
    for (std::int16_t& value : small)  // 4.05 bits of entropy
        value = static_cast<std::int16_t>(popcount(random()) - 32);
    RiceWriter writer;
    writer.write(std::span<const std::int16_t>(small));
    writer.write(std::span<const std::int32_t>(extremes));
    const std::string coded = writer.finish();
    BOOST_TEST(coded.size() < 1'000 * 5 / 8 + 64);

    std::array<std::int32_t, 9> wide{};
    std::vector<std::int16_t> narrow(1'000);
    RiceReader reader(coded);
    BOOST_TEST(reader.read(std::span(narrow)));
    BOOST_TEST(reader.read(std::span<std::int32_t>(wide)));
    BOOST_TEST(reader.at_end());
    BOOST_TEST(narrow == small);
    BOOST_TEST(wide == extremes);
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, coded.size() - 1}) {
        RiceReader cut(std::string_view(coded).substr(0, length));
        BOOST_TEST(!(cut.read(std::span(narrow)) && cut.read(std::span<std::int32_t>(wide))));
    }
    RiceReader too_narrow(coded);
    BOOST_TEST(too_narrow.read(std::span(narrow)));
    BOOST_TEST(!too_narrow.read(std::span(narrow).first(9)));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named) {
    for (const char* path : {"/nowhere/at.all", "/"}) {
        const auto read = load_network(path);
        BOOST_REQUIRE(!read.has_value());
        BOOST_TEST(read.error().what.find(path) != std::string::npos);
    }
}

// Debug builds also assert in AccumulatorStack that the incremental neurons are exact.
BOOST_AUTO_TEST_CASE(the_search_evaluates_with_the_network_it_is_given) {
    const Folder folder;
    const std::string good = (folder / "good.net").string(), bad = (folder / "bad.net").string();
    const NetworkWeights net = random_weights(12);
    std::ofstream(good, std::ios::binary) << network_file("test", net);
    std::ofstream(bad, std::ios::binary) << "no network";
    for (const std::string_view slice : slices_here()) {
        const auto searcher = make_searcher(slice);
        const auto nodes = [&searcher](int depth) {
            searcher->clear();
            Limits limits;
            limits.depth = depth;
            return searcher->search(Game(from(Fens[1])), limits).nodes;
        };
        const std::uint64_t built_in = nodes(7);
        BOOST_TEST_REQUIRE(searcher->set_network(good).has_value(), slice);
        for (const char* fen : Fens)
            if (popcount(from(fen).pieces()) > FewMen)  // drawish endings are scaled
                BOOST_TEST(searcher->evaluate(from(fen)) == by_definition(net, from(fen)), fen);
        const std::uint64_t with_net = nodes(7);
        BOOST_TEST(with_net != built_in);
        BOOST_TEST(!searcher->set_network(bad).has_value());
        BOOST_TEST(nodes(7) == with_net);
        BOOST_TEST(searcher->set_network(std::string(HandWritten)).has_value());
        BOOST_TEST(nodes(7) != built_in);
        BOOST_TEST(searcher->evaluate(from(Fens[1])) == Evaluator(nullptr).evaluate(from(Fens[1])));
        BOOST_TEST(searcher->set_network("").has_value());
        BOOST_TEST(nodes(7) == built_in);
    }
}

BOOST_AUTO_TEST_CASE(the_built_in_network_is_whole_and_knows_what_pieces_are_worth) {
    const auto parsed = parse_network(built_in_network_file());
    BOOST_TEST_REQUIRE(parsed.has_value());
    BOOST_TEST(weights_of(**parsed) == weights_of(*built_in_network()));
    const auto value = [](const char* board) {
        return Evaluator().evaluate(from(std::string(board) + " w - - 0 1"));
    };
    BOOST_TEST(std::abs(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")) < 60);
    BOOST_TEST(value("rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR") > 40);
    BOOST_TEST(value("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR") > 150);
    BOOST_TEST(value("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR") > 250);
    BOOST_TEST(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR") > 600);
    BOOST_TEST(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR") < -600);
}

BOOST_AUTO_TEST_CASE(a_table_shows_what_each_piece_adds) {
    const std::string table = Evaluator().explain(from(Fens[1]));
    BOOST_TEST(std::count(table.begin(), table.end(), '\n') == 10);
    const auto added = [&table](std::size_t row, std::size_t column) {
        std::size_t at = 0;
        for (std::size_t line = 0; line < row; ++line)
            at = table.find('\n', at) + 1;
        return std::stoi(table.substr(at + 7 * column + 2, 5));
    };
    BOOST_TEST(added(6, 5) > 400);   // White's queen on f3
    BOOST_TEST(added(2, 4) < -400);  // Black's on e7
    BOOST_TEST(added(1, 0) < -200);  // a rook of Black's on a8
    const Score score = Evaluator().evaluate(from(Fens[1]));
    BOOST_TEST(table.find("total " + std::to_string(score) + " centipawns for White") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
