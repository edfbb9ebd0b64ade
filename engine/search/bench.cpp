#include "engine/search/bench.h"

#include "engine/search/worker.h"

namespace engine {
namespace {

constexpr int SignatureDepth = 10;
constexpr std::size_t BenchHash = 16;  // mebibytes

// Middlegames, endings, and special cases: sacrifices, promotions, bare kings, fortresses.
constexpr auto Positions = std::to_array<const char*>({
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r1bq1rk1/pp1nbppp/2p1pn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 4 9",
    "rnbqk2r/pp2ppbp/6p1/2p5/3PP3/2P5/P1P2PPP/R1BQKBNR w KQkq - 1 7",
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    "r2q1rk1/1b1nbppp/pp1ppn2/8/2PNP3/1PN1BP2/P3B1PP/R2Q1RK1 w - - 2 13",
    "r1b1k2r/ppq1bppp/2nppn2/8/3NP3/2N1B3/PPP1BPPP/R2Q1RK1 w kq - 4 10",
    "2rq1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/1PNBPN2/P1P2PPP/R2QR1K1 w - - 2 12",
    "r1bqr1k1/pp1nbpp1/2p2n1p/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 0 11",
    "rn1qkb1r/pp2pppp/2p2n2/5b2/P1pP4/2N2N2/1P2PPPP/R1BQKB1R w KQkq - 1 6",
    "r4rk1/pp1qppbp/2np1np1/2p5/2P1P1b1/2NPBNP1/PP2QPBP/R4RK1 b - - 6 11",
    "2kr3r/ppp1qppp/2nb1n2/3pp1B1/3P2b1/2P1PN2/PP1NBPPP/R2Q1RK1 w - - 6 9",
    "r2qk2r/pb1nbp1p/1pp1pnp1/3p4/2PP1B2/2N1PN1P/PPQ1BPP1/2KR3R b kq - 1 11",
    "3r1rk1/p1q2ppp/1pn1pn2/2b5/2B5/P1N1PN2/1P2QPPP/R1BR2K1 w - - 2 15",
    "4rrk1/1bpq2bp/p2p2p1/1p1Pnp2/1P2P3/P1N2P2/1B1QB1PP/3RR1K1 w - - 0 22",
    "r3r1k1/1pqn1pb1/p2p1npp/2pP4/P3P3/2N2N1P/1PQ1BPP1/R3R1K1 w - - 1 19",
    "2r2rk1/1b2qppp/p2bpn2/1p6/3N4/1P2PP2/PB2Q1PP/2RR1BK1 b - - 4 21",
    "r1b2rk1/4qpp1/p1n1p2p/1pbp4/8/P1N1PN2/1PQ1BPPP/2R2RK1 w - - 0 16",
    "5rk1/pp1b1ppp/3q4/3pn3/1n1N4/P3P2P/1P1N1PP1/R2Q1BK1 b - - 0 20",
    "1k1r3r/pp3ppp/1qp1b3/4P3/1b1Nn3/2N1B1P1/PPQ2PBP/R4RK1 w - - 5 16",
    "r4rk1/1bq1bppp/p3p3/1p1pP3/3n1P2/P1NB3Q/1PP3PP/R1B2R1K w - - 0 17",
    "6k1/5p1p/p2r2p1/1pr1p3/4P3/1P1R1P2/P1P2KPP/3R4 b - - 3 28",
    "8/2p2pk1/1p1p2p1/p2Pb2p/P1P1B2P/1P3PK1/6P1/8 w - - 2 40",
    "2r3k1/p4p1p/1p2p1p1/3nP3/3P4/1P1R2P1/P4PKP/2B5 w - - 1 30",
    "8/5pk1/4p1p1/1R5p/5P1P/r3P1P1/5K2/8 b - - 2 45",
    "8/pp3k2/2p2p2/2P1pK1p/1P2P2P/P7/8/8 w - - 0 50",
    "8/8/4k3/1p1p1p2/1P1P1P2/3K4/8/8 w - - 0 60",
    "8/6k1/1R6/5pp1/3r4/5K1P/6P1/8 w - - 0 52",
    "4k3/8/3b4/1p1P1p2/1P3Pp1/3B2P1/4K3/8 w - - 4 48",
    "8/3n1k2/1p2p1p1/pP1pP1Pp/P2P1K1P/3N4/8/8 b - - 10 55",
    "3q2k1/5pp1/4p2p/8/1Q6/4P1P1/5PKP/8 w - - 5 38",
    "8/2k5/8/2KBN3/8/8/8/8 w - - 0 1",
    "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1",
    "8/P5k1/8/6p1/7p/6K1/8/r7 w - - 0 62",
    "r2q1rk1/ppp2ppp/2n1b3/3np1N1/2B5/3P4/PPP2PPP/RNBQR1K1 w - - 0 11",
    "r1bqk2r/pppp1Npp/8/2b5/2BnP1n1/8/PPPP1PPP/RNBQK2R b KQkq - 0 6",
    "3r2k1/1p3p1p/p1n2qp1/2P5/1P2b3/P3B3/3Q1PPP/2R1R1K1 w - - 1 24",
    "r5k1/3b1p1p/3p2p1/q1pPn3/1pP1P3/1P2B1P1/4B2P/R2Q2K1 b - - 0 26",
});

}  // namespace

Result<BenchResult> run_bench(int depth, const Stopped& stopped) try {
    TranspositionTable tt;
    if (const Result<void> memory = tt.resize(BenchHash); !memory)
        return fail(memory.error().what);
    Control control;
    const auto worker = std::make_unique<Worker>(tt, control, true);
    BenchResult result;
    const Clock::time_point begun = Clock::now();
    for (const char* fen : Positions) {
        const Result<Position> pos = Position::from_fen(fen);
        assert(pos);
        Limits limits;
        limits.depth = depth > 0 ? depth : SignatureDepth;
        const Root root{*pos, {pos->key()}, legal_moves(*pos)};
        control.begin(limits, milliseconds(0), root.moves.size());
        tt.new_search();
        worker->prepare(root);
        const auto nodes = [&] {
            if (stopped && stopped())
                control.stop();
            return worker->stats().nodes.load(std::memory_order_relaxed);
        };
        worker->run({}, nodes);
        result.nodes += nodes();
        if (stopped && stopped())
            break;
    }
    result.spent = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
    return result;
} catch (const std::bad_alloc&) {
    return fail("no room for a search");
}

}  // namespace engine
