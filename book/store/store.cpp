#include "book/store/store.h"

#include <cmath>

namespace book {

double Aging::growth(std::int64_t clock) const {
    return half_life > 0 ? std::exp2(static_cast<double>(clock - reference) / half_life) : 1;
}

Result<Store> Store::open(const std::filesystem::path& file, bool write) {
    Store store;
    Result<std::unique_ptr<Database>> db = Database::open(file, write);
    if (!db)
        return tl::unexpected<Error>(db.error());
    store.db = std::move(*db);
    Result<std::unique_ptr<Positions>> tree = Positions::on(*store.db);
    Result<std::unique_ptr<Games>> games = Games::on(*store.db);
    Result<std::unique_ptr<Opponents>> opponents = Opponents::on(*store.db);
    if (!tree || !games || !opponents)
        return fail("book \"" + file.string() + "\" is damaged: " +
                    (!tree    ? tree.error()
                     : !games ? games.error()
                              : opponents.error())
                        .what);
    store.positions = std::move(*tree);
    store.games = std::move(*games);
    store.opponents = std::move(*opponents);
    return store;
}

Result<Model> Store::model() const {
    Model model = standard;
    const std::pair<const char*, double*> settings[] = {{HalfLifeName, &model.half_life},
                                                        {ExitWorthName, &model.exit},
                                                        {AnalysisWorthName, &model.analysis},
                                                        {SigmaName, &model.sigma}};
    for (const auto& [name, value] : settings) {
        const Result<std::optional<double>> set = db->number(name);
        if (!set)
            return tl::unexpected<Error>(set.error());
        *value = set->value_or(*value);
    }
    return model;
}

Result<Aging> Store::aging(const Model& model) const {
    const Result<std::optional<double>> reference = db->number(ReferenceName);
    if (!reference)
        return tl::unexpected<Error>(reference.error());
    return Aging{.half_life = model.half_life,
                 .reference = static_cast<std::int64_t>(reference->value_or(0))};
}

Result<std::int64_t> Store::clock() const {
    const Result<std::optional<double>> clock = db->number(ClockName);
    if (!clock)
        return tl::unexpected<Error>(clock.error());
    return static_cast<std::int64_t>(clock->value_or(0));
}

}  // namespace book
