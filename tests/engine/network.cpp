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

std::unique_ptr<Network> random_network(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto fill = [&random](Neurons& n, int limit) {
        for (std::int16_t& w : n)
            w = static_cast<std::int16_t>(static_cast<int>(random() % 1'000'000) % (2 * limit + 1) -
                                          limit);
    };
    auto net = std::make_unique<Network>();
    for (Neurons& n : net->features)
        fill(n, 120);
    fill(net->bias, 200);
    for (ThreatWeights& row : net->threats)
        for (std::int8_t& w : row)
            w = static_cast<std::int8_t>(static_cast<int>(random() % (2 * MaxThreatWeight + 1)) -
                                         MaxThreatWeight);
    for (std::size_t at = 0; at < Buckets; ++at) {
        fill(net->output[at][0], MaxOutputWeight);
        fill(net->output[at][1], MaxOutputWeight);
        net->output_bias[at] = 1'234 * static_cast<int>(at);
    }
    return net;
}

// What the attackers and defenders of the piece on s add to a neuron.
int threats_by_definition(
    const Network& net, const Position& pos, Square s, std::size_t input, std::size_t neuron) {
    int sum = 0;
    for (const bool defended : {false, true}) {
        const Color by = defended == (color_of(pos.piece_on(s)) == White) ? White : Black;
        for (std::size_t type = Pawn; type <= King; ++type)
            if ((pos.attackers_to(s, pos.pieces()) &
                 pos.pieces(by, static_cast<PieceType>(type))) != 0)
                sum += net.threats[768 * (type + (defended ? 6U : 0U)) + input][neuron];
    }
    return sum;
}

// The definition of the network, without optimisations.
Score by_definition(const Network& net, const Position& pos) {
    int sum = 0, pieces = 0;
    for (Square s = 0; s < 64; ++s)
        pieces += pos.piece_on(s) != NoPiece ? 1 : 0;
    const auto at = static_cast<std::size_t>((pieces - 2) / 4);
    for (const bool own : {true, false}) {
        const Color side = own ? pos.side_to_move() : ~pos.side_to_move();
        const bool swap_files = file_of(pos.king(side)) > 3;
        for (std::size_t i = 0; i < Hidden; ++i) {
            int x = net.bias[i];
            for (Square s = 0; s < 64; ++s) {
                const Piece p = pos.piece_on(s);
                if (p == NoPiece)
                    continue;
                const int rank = side == White ? rank_of(s) : 7 - rank_of(s);
                const int file = swap_files ? 7 - file_of(s) : file_of(s);
                const std::size_t kind = type_of(p) + (color_of(p) == side ? 0U : 6U);
                const int square = 8 * rank + file;
                const std::size_t input = static_cast<std::size_t>(square) + 64U * kind;
                x += net.features[input][i];
                if (i < ThreatHidden && type_of(p) != King)
                    x += threats_by_definition(net, pos, s, input, i);
            }
            const int v = std::clamp(x, 0, Unit);
            sum += v * v * net.output[at][own ? 0 : 1][i];
        }
    }
    const std::int64_t value = sum / Unit + net.output_bias[at];
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

std::string file_of(const Network& net, std::string_view name) {
    NetworkWeights weights(Hidden, ThreatHidden);
    auto to = weights.neurons.begin();
    const auto add = [&to](const Neurons& row) { to = std::copy(row.begin(), row.end(), to); };
    std::for_each(net.features.begin(), net.features.end(), add);
    add(net.bias);
    for (const auto& sides : net.output)
        std::for_each(sides.begin(), sides.end(), add);
    std::memcpy(weights.threats.data(), &net.threats, sizeof net.threats);
    weights.output_bias = net.output_bias;
    return network_file(name, weights);
}

// Makes and unmakes random moves, and compares with the definition at random positions.
void wander(AccumulatorStack& stack,
            const Network& net,
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
    const auto net = random_network(1);
    AccumulatorStack stack(*net);
    std::mt19937_64 random(2);
    for (const char* fen : Fens)
        for (int i = 0; i < 3; ++i) {
            Position pos = from(fen);
            stack.reset();
            wander(stack, *net, pos, random, 7);
        }
}

BOOST_AUTO_TEST_CASE(long_lines_are_caught_up_at_once) {
    const auto net = random_network(3);
    AccumulatorStack stack(*net);
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
            BOOST_REQUIRE_EQUAL(stack.evaluate(pos), by_definition(*net, pos));
    }
}

BOOST_AUTO_TEST_CASE(a_null_move_changes_only_the_side) {
    const auto net = random_network(5);
    AccumulatorStack stack(*net);
    Position pos = from(Fens[1]);
    BOOST_TEST(stack.evaluate(pos) == by_definition(*net, pos));
    Undo undo{};
    pos.make_null(undo);
    BOOST_TEST(stack.evaluate(pos) == by_definition(*net, pos));
}

BOOST_AUTO_TEST_CASE(colours_and_halves_of_the_board_do_not_matter) {
    const auto net = random_network(6);
    AccumulatorStack stack(*net);
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
    const auto one = random_network(7);
    const auto two = random_network(8);
    AccumulatorStack first(*one);
    AccumulatorStack second(*two);
    const Position pos = from(Fens[1]);
    const Position other = from(Fens[3]);
    BOOST_TEST(first.evaluate(pos) == by_definition(*one, pos));
    BOOST_TEST(second.evaluate(other) == by_definition(*two, other));
    BOOST_TEST(first.evaluate(pos) == by_definition(*one, pos));
}

BOOST_AUTO_TEST_CASE(a_file_gives_back_its_weights) {
    const auto net = random_network(9);
    const auto read = parse_network(file_of(*net, "test"));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(weights_of(**read) == weights_of(*net));
}

BOOST_AUTO_TEST_CASE(a_file_that_does_not_fit_is_refused_with_the_reason) {
    const auto net = random_network(10);
    const std::string good = file_of(*net, "test");
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
    const auto wild = random_network(11);
    wild->output[7][1][3] = MaxOutputWeight + 1;
    BOOST_TEST(reason(file_of(*wild, "")) == "a network whose weights are too large");
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
    const auto net = random_network(12);
    std::ofstream(good, std::ios::binary) << file_of(*net, "test");
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
                BOOST_TEST(searcher->evaluate(from(fen)) == by_definition(*net, from(fen)), fen);
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
