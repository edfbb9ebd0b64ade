// Whom we played, and which of them beat us beyond expectation. One thread only; writes belong into
// a transaction.
#pragma once

#include "book/model/belief.h"
#include "book/model/key.h"
#include "book/store/database.h"

#include <vector>

namespace book {

struct Opponent;

// The name that identifies: without titles like "(GM)" or "(C)"; all guests are one.
std::string identity(const std::string& name);

struct OpponentRecord {
    std::int64_t id = 0;
    std::string name, server;
    bool computer = false;
    int rating = 0;                                           // latest known, 0: never
    std::int64_t games = 0, wins = 0, draws = 0, losses = 0;  // ours
    double sn = 0, ss = 0;  // decayed number of games, and of our overperformance in them
    std::int64_t last = 0;  // seconds since 1970
};

// True of one who scores clearly above what rating and position promise.
bool is_suspicious(const Model& model, const OpponentRecord& opponent);
// What is taken off a move's value because it led to defeats by the same hand.
double guard(const Model& model, std::int64_t losses);

class Opponents {
  public:
    static Result<std::unique_ptr<Opponents>> on(Database& db);
    virtual ~Opponents() = default;

    // The number of an opponent, made if need be; 0 if there is no name.
    virtual Result<std::int64_t> identify(const Opponent& opponent) = 0;
    virtual Result<std::optional<OpponentRecord>> find(const Opponent& opponent) = 0;
    virtual Result<std::optional<OpponentRecord>> get(std::int64_t id) = 0;
    virtual Result<std::vector<OpponentRecord>> all() = 0;  // most games first

    // Adds a game: our score, and how far it was above (below: negative) what was to be expected.
    // `lines`: keys of the positions after our last two book moves.
    virtual Result<void> add_game(std::int64_t id,
                                  int rating,
                                  double score,
                                  double overperformance,
                                  std::int64_t played,
                                  const std::vector<Key>& lines) = 0;
    virtual Result<std::int64_t> losses(std::int64_t id, Key key) = 0;
    // Enters one with its number, as another book has it.
    virtual Result<void> add_known(const OpponentRecord& opponent) = 0;
    // Forgets results and lines, keeps names and numbers.
    virtual Result<void> forget_games() = 0;
    // All of opponent_line: opponent, key, losses.
    struct Line {
        std::int64_t opponent = 0;
        Key key = 0;
        std::int64_t losses = 0;
    };
    virtual Result<std::vector<Line>> lines() = 0;
};

}  // namespace book
