#include "book/store/store.h"

#include "book/store/failure.h"
#include "book/store/statement.h"

#include <cmath>

namespace book {

double Aging::growth(std::int64_t clock) const {
    return half_life > 0 ? std::exp2(static_cast<double>(clock - reference) / half_life) : 1;
}

Store::Store(const std::filesystem::path& file,
             bool write,
             bool as_it_is,
             std::chrono::milliseconds patience) try
    : db(file, write, as_it_is, patience), positions(db), games(db), opponents(db) {
} catch (const SQLite::Exception& e) {  // preparing a statement failed
    throw Failure("book \"" + file.string() + "\" " + IsDamaged + " (" + e.what() + ")");
}

Model Store::model() {
    Model model = standard;
    const std::pair<const char*, double*> settings[] = {{HalfLifeName, &model.half_life},
                                                        {ExitWorthName, &model.exit},
                                                        {AnalysisWorthName, &model.analysis},
                                                        {DeepWorthName, &model.deep_analysis},
                                                        {SigmaName, &model.sigma}};
    for (const auto& [name, value] : settings)
        *value = db.number(name).value_or(*value);
    return model;
}

Aging Store::aging(const Model& model) {
    return {.half_life = model.half_life,
            .reference = static_cast<std::int64_t>(db.number(ReferenceName).value_or(0))};
}

std::vector<Edge> Store::imported(Key key) {
    return (overlaid ? *overlaid : *this).positions.edges(key);
}

std::int64_t Store::clock() {
    return static_cast<std::int64_t>(db.number(ClockName).value_or(0));
}

std::vector<ReadTransaction> begin_reading(const Layers& layers) {
    std::vector<Store*> stores{layers.experience, layers.original, layers.base};
    stores.insert(stores.end(), layers.further.begin(), layers.further.end());
    stores.insert(stores.end(), layers.further_games.begin(), layers.further_games.end());
    std::vector<ReadTransaction> reading;
    for (Store* store : stores)
        if (store)
            reading.emplace_back(store->db);
    return reading;
}

}  // namespace book
