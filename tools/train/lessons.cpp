#include "tools/train/lessons.h"

#include "engine/board/movegen.h"
#include "engine/eval/evaluate.h"

#include <random>

namespace tools {
namespace {

class Teacher {
  public:
    explicit Teacher(const LessonPlan& plan) : plan_(plan), random_(plan.seed) {}

    void teach(const TrainingGame& game, std::vector<Sample>& samples) {
        engine::Position pos = game.start;
        for (const ScoredMove& ply : game.plies) {
            for (int i = 0; i < plan_.children; ++i)
                teach_child(pos, 1 + i % 2, samples);
            pos.make(ply.move);
        }
    }

  private:
    void teach_child(engine::Position pos, int moves, std::vector<Sample>& samples) {
        for (; moves > 0; --moves) {
            const engine::MoveList legal = engine::legal_moves(pos);
            if (legal.empty())
                return;
            pos.make(legal[random_() % legal.size()]);
        }
        const engine::Score score = evaluator_.evaluate(pos);
        if (is_usable(pos, score, game_ply(pos)))
            samples.push_back(make_sample(pos, score, GameResult::Unknown));
    }

    const LessonPlan& plan_;
    std::mt19937_64 random_;
    engine::Evaluator evaluator_{nullptr};
};

}  // namespace

Result<void> add_lessons(const std::string& path, const LessonPlan& plan, SampleSet& set) {
    Teacher teacher(plan);
    return for_each_game(path, set, [&teacher](const TrainingGame& game, std::vector<Sample>& to) {
        teacher.teach(game, to);
    });
}

}  // namespace tools
