#include "tools/lab/train/distillation.h"

#include "engine/eval/evaluate.h"
#include "tools/common/adjudicator.h"
#include "tools/lab/datagen/training_game.h"

namespace tools::train {
namespace {

class Teacher {
  public:
    explicit Teacher(const DistillationPlan& plan) : plan_(plan), random_(plan.seed) {
        if (plan.teacher)
            teacher_.emplace(*plan.teacher);
    }

    void label_children(const TrainingGame& game, std::vector<Sample>& samples) {
        engine::Position pos = game.start;
        for (const datagen::ScoredMove& ply : game.plies) {
            for (int i = 0; i < plan_.children; ++i)
                if (const auto child = datagen::after_random_moves(pos, 1 + i % 2, random_))
                    label(*child, samples);
            pos.make(ply.move);
        }
    }

  private:
    void label(const engine::Position& pos, std::vector<Sample>& samples) {
        if (!datagen::is_usable(pos, 0, game_ply(pos)))
            return;
        Sample sample = make_sample(pos, 0, GameResult::Unknown);
        const int score = teacher_ ? teacher_->evaluate(sample) : evaluator_.evaluate(pos);
        sample.score = static_cast<std::int16_t>(score);
        if (datagen::is_usable(pos, score, game_ply(pos)))
            samples.push_back(sample);
    }

    const DistillationPlan& plan_;
    std::mt19937_64 random_;
    std::optional<QuantisedModel> teacher_;
    engine::Evaluator evaluator_{nullptr};
};

}  // namespace

Result<void>
add_teacher_samples(const std::string& path, const DistillationPlan& plan, SampleSet& set) {
    Teacher teacher(plan);
    return for_each_game(path, set, [&teacher](const TrainingGame& game, std::vector<Sample>& to) {
        teacher.label_children(game, to);
    });
}

}  // namespace tools::train
