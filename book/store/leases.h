// The table queue: a lease keeps other processes away from a position while one searches it, until
// it is given back or runs out. One thread only. Writes need a Transaction; every function may
// throw an exception of SQLite.
#pragma once

#include "book/model/key.h"
#include "book/store/database.h"

#include <set>

namespace book {

struct Lease {
    Key key = 0;
    std::string fen{};       // for people who look into the table
    double priority = 0;     // likewise
    std::string owner{};     // a name that no other process uses
    std::int64_t until = 0;  // seconds since 1970
};

// A name that no other owner has, in this process or in another.
std::string unique_name();

class Leases {
  public:
    explicit Leases(Database& db) : db_(db) {}  // `db` must outlive it

    // Returns false if another owner's lease of the position has not run out at `now`.
    bool take(const Lease& lease, std::int64_t now);
    // Does nothing if `owner` has no lease of the position.
    void give_back(Key key, const std::string& owner);
    // Positions leased to other owners at `now`.
    std::set<Key> taken(const std::string& owner, std::int64_t now);

  private:
    Database& db_;
};

}  // namespace book
