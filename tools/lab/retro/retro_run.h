// Solves many endings on several threads, with a file for each.
#pragma once

#include "tools/lab/retro/table_set.h"

namespace tools::retro {

struct RetroPlan {
    std::string folder;           // of the files; those that are whole are not solved again
    std::vector<Ending> endings;  // and with them all that they need
    int threads = 1;              // at most one for each ending
    bool successors = false;      // the results of all positions after one move, too
};

// The distances of the endings, and the wins of all with up to four men that they can become. Each
// ending gets a file; so do the wins in endings of five men that are only needed. Needs up to 8 GB
// for them. Progress and an estimate of the time left go to standard error. Throws Failure if a
// file cannot be used or written, and after a signal; what is finished stays.
TableSet solve_all(const RetroPlan& plan);

// The endings and all that they can become, each after its successors.
std::vector<Ending> with_successors(const std::vector<Ending>& endings);

// Counts over the positions that differ by more than symmetry.
struct EndingSummary {
    struct Side {
        std::array<std::uint64_t, 3> results{};        // lost, drawn, won
        std::array<std::uint64_t, 128> lost{}, won{};  // by plies
        [[nodiscard]] int longest(bool win) const;     // plies; -1 if there is none
    };
    std::array<Side, 2> side;                // to move
    std::array<std::string, 2> longest_fen;  // a longest decided position of each side
};
EndingSummary summarise(const DistanceTable& table);

}  // namespace tools::retro
