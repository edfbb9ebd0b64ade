#include "tools/lab/train/distillation.h"

#include "engine/eval/evaluate.h"
#include "tools/lab/datagen/training_game.h"

namespace tools {
namespace {

class Teacher {
  public:
    explicit Teacher(const LessonPlan& plan) : plan_(plan), random_(plan.seed) {}

    void teach(const TrainingGame& game, std::vector<Sample>& samples) {
        engine::Position pos = game.start;
        for (const ScoredMove& ply : game.plies) {
            for (int i = 0; i < plan_.children; ++i)
                if (const auto child = after_random_moves(pos, 1 + i % 2, random_))
                    teach(*child, samples);
            pos.make(ply.move);
        }
    }

  private:
    void teach(const engine::Position& pos, std::vector<Sample>& samples) {
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
