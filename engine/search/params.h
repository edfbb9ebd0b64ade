// Every number of the search that can be tuned: default, least, most. Scores in centipawns, depths
// in plies, reductions in 1/1024 ply.
#pragma once

namespace engine::params {

struct Tunable {
    int value, least, most;
    constexpr int operator()() const { return value; }
};

// Aspiration window.
inline constexpr Tunable AspirationDepth{4, 2, 8};
inline constexpr Tunable AspirationDelta{10, 4, 30};
inline constexpr Tunable AspirationSpread{15'000, 5'000, 30'000};
inline constexpr Tunable AspirationGrowth{40, 15, 100};  // percent

// Whole nodes.
inline constexpr Tunable RfpDepth{9, 5, 14};
inline constexpr Tunable RfpMargin{75, 40, 140};
inline constexpr Tunable RazorDepth{4, 1, 8};
inline constexpr Tunable RazorMargin{280, 150, 450};
inline constexpr Tunable NullBase{4, 2, 6};
inline constexpr Tunable NullDepthDivisor{3, 2, 6};
inline constexpr Tunable NullEvalDivisor{190, 100, 300};
inline constexpr Tunable NullEvalMost{3, 1, 6};
inline constexpr Tunable NullStaticMargin{160, 50, 300};
inline constexpr Tunable NullStaticSlope{18, 5, 40};
inline constexpr Tunable NullVerifyDepth{14, 8, 20};
inline constexpr Tunable ProbCutDepth{5, 3, 9};
inline constexpr Tunable ProbCutMargin{200, 100, 350};
inline constexpr Tunable IirDepth{4, 2, 8};

// Single moves.
inline constexpr Tunable LmpBase{3, 1, 10};
inline constexpr Tunable FutilityDepth{9, 4, 14};
inline constexpr Tunable FutilityBase{150, 50, 300};
inline constexpr Tunable FutilitySlope{110, 50, 200};
inline constexpr Tunable HistoryPruning{4'500, 2'000, 9'000};
inline constexpr Tunable HistoryPruningDepth{6, 2, 10};
inline constexpr Tunable SeeQuiet{24, 10, 50};
inline constexpr Tunable SeeCapture{95, 40, 180};

// Late move reductions.
inline constexpr Tunable LmrQuietBase{900, 400, 1'600};
inline constexpr Tunable LmrQuietDivisor{2'350, 1'500, 3'500};
inline constexpr Tunable LmrCaptureBase{-100, -600, 600};
inline constexpr Tunable LmrCaptureDivisor{2'900, 2'000, 4'000};
inline constexpr Tunable LmrHistoryDivisor{9'000, 4'000, 16'000};
inline constexpr Tunable LmrNotImproving{900, 0, 2'048};
inline constexpr Tunable LmrCutNode{1'600, 0, 3'072};
inline constexpr Tunable LmrPv{1'024, 0, 2'048};
inline constexpr Tunable LmrTtPv{700, 0, 2'048};
inline constexpr Tunable LmrTtCapture{800, 0, 2'048};
inline constexpr Tunable LmrKiller{1'024, 0, 2'048};
inline constexpr Tunable LmrCheck{700, 0, 2'048};
inline constexpr Tunable LmrManyCutoffs{800, 0, 2'048};
inline constexpr Tunable DeeperBase{45, 20, 100};
inline constexpr Tunable ShallowerMargin{9, 2, 30};

// Singular extensions.
inline constexpr Tunable SingularDepth{6, 4, 9};
inline constexpr Tunable SingularMargin{48, 20, 100};  // 1/32 centipawn a ply
inline constexpr Tunable DoubleMargin{16, 4, 40};
inline constexpr Tunable TripleMargin{110, 50, 200};
inline constexpr Tunable DoubleMost{6, 2, 12};  // double extensions in one line

// Quiescence.
inline constexpr Tunable QuiesceMargin{170, 80, 300};
inline constexpr Tunable QuiesceSee{-30, -100, 0};

// Histories.
inline constexpr Tunable BonusSlope{220, 80, 400};
inline constexpr Tunable BonusMost{1'900, 800, 3'000};
inline constexpr Tunable MalusSlope{280, 80, 600};
inline constexpr Tunable MalusMost{1'000, 400, 2'000};
inline constexpr Tunable CorrectionPawn{32, 8, 80};  // weights in 1/512
inline constexpr Tunable CorrectionNonPawn{32, 8, 80};

// Time, in percent of the soft limit.
inline constexpr Tunable TimeNodeBase{60, 40, 90};
inline constexpr Tunable TimeNodeSlope{220, 100, 350};
inline constexpr Tunable TimeStableMost{160, 120, 200};
inline constexpr Tunable TimeStableStep{8, 2, 15};

}  // namespace engine::params
