// The tables opponent, opponent_line, opponent_exit and opponent_repeat: opponents, the lines in
// which they beat us, and their results by exit. One thread only. Writes need a Transaction; every
// function may throw an exception of SQLite.
#pragma once

#include "book/model/belief.h"
#include "book/store/positions.h"

#include <functional>
#include <map>
#include <vector>

namespace book {

struct Opponent;

// The name that identifies an opponent: without titles like "(GM)" or "(C)"; all guests are one.
std::string identity(const std::string& name);
// Equal for two spellings of one player: upper or lower case, with or without a title ("BOT Anna",
// "Anna (WGM)"), in UTF-8 or Latin-1. The book does not store it.
std::string player_key(const std::string& name);

struct OpponentRecord {
    std::int64_t id = 0;
    std::string name, server;
    bool computer = false;
    int rating = 0;                                           // latest known, 0: never
    std::int64_t games = 0, wins = 0, draws = 0, losses = 0;  // ours
    // Games that came back to an exit they had beaten us at, and our overperformance in these;
    // older ones count less.
    double decayed_returns = 0, decayed_overperformance = 0;
    std::int64_t last = 0;  // latest game, seconds since 1970
    double advantage = 0;   // measured: our score against them beyond what ratings predict
};

// Sums over results: of weight and of weight * result, growing with the book's clock, see Aging.
struct ResultSums {
    double weight = 0, score = 0;
};
// Results at one exit against one opponent.
struct OpponentExit {
    NodeKey exit{};
    std::int64_t opponent = 0;  // 0: unknown
    ResultSums sums{};
    std::int64_t clock = 0;  // the book's clock at the latest result
    double advantage = 0;    // of the opponent
};
// The part of repeated games that counts for one opponent only, at a position after our move.
struct OpponentRepeat {
    std::int64_t opponent = 0;  // 0: unknown
    NodeKey position{};
    ResultSums sums{};
};

// True if they score clearly more than ratings, what was measured of their strength, and positions
// predict where they have beaten us before: that is where preparation shows.
bool is_suspicious(const Model& model, const OpponentRecord& opponent);
// Penalty on the value of a move that lost `losses` times to the same opponent.
double opponent_penalty(const Model& model, std::int64_t losses);

class Opponents {
  public:
    explicit Opponents(Database& db);  // shares the connection of `db`
    Opponents(Opponents&&) noexcept;
    Opponents& operator=(Opponents&&) noexcept;
    ~Opponents();

    // The number of an opponent, added if unknown; 0 if there is no name.
    std::int64_t identify(const Opponent& opponent);
    std::optional<OpponentRecord> find(const Opponent& opponent);
    std::optional<OpponentRecord> get(std::int64_t id);
    std::vector<OpponentRecord> all();  // most games first

    // Adds a game: our score, and our score minus the expected one. `exit`: nothing if the game
    // does not count; `lines`: keys of the positions after our last two book moves. Throws Failure
    // if the opponent is not in the book.
    void add_game(std::int64_t id,
                  int rating,
                  double score,
                  double overperformance,
                  std::int64_t played,
                  const std::vector<Key>& lines,
                  std::optional<Key> exit);
    // How often they beat us at this position, an exit or one after a move of ours, since we last
    // won there; each draw takes one off.
    std::int64_t losses(std::int64_t id, Key key);

    // Adds the sums to the stored ones; exit.advantage is not stored.
    void add_exit(const OpponentExit& exit);
    std::vector<OpponentExit> exits(const NodeKey& k);                     // by opponent
    void each_exit(const std::function<void(const OpponentExit&)>& take);  // by position, opponent
    void add_repeat(const OpponentRepeat& repeat);
    // Of a position, by time class.
    std::vector<OpponentRepeat> repeats(std::int64_t opponent, Key key, Color side);
    void each_repeat(const std::function<void(const OpponentRepeat&)>& take);
    // Replaces all advantages; opponents not listed get 0. Returns true if one changed.
    bool set_advantages(const std::map<std::int64_t, double>& by_opponent);

    // Enters an opponent without results under the number they have in another book.
    void add_known(const OpponentRecord& opponent);
    // Deletes results, lines, exits and repeats; keeps names, numbers and advantages.
    void clear_games();

    struct Line {  // a row of opponent_line
        std::int64_t opponent = 0;
        Key key = 0;
        std::int64_t losses = 0;
    };
    std::vector<Line> lines();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace book
