// Who works at which position: a lease in the book keeps other processes away from it until it is
// given back or runs out. One thread only; writes belong into a transaction.
#pragma once

#include "book/model/key.h"
#include "book/store/database.h"

#include <memory>
#include <set>

namespace book {

struct Lease {
    Key key = 0;
    std::string fen{};       // for people
    double priority = 0;     // likewise
    std::string owner{};     // who works: any name that no other process has
    std::int64_t until = 0;  // seconds since 1970
};

// A name that no other owner has, in this process or in another.
std::string unique_name();

class Leases {
  public:
    static Result<std::unique_ptr<Leases>> on(Database& db);
    virtual ~Leases() = default;

    // False if somebody else has the position and his lease has not run out at `now`.
    virtual Result<bool> take(const Lease& lease, std::int64_t now) = 0;
    // Does nothing if the position is not `owner`'s.
    virtual Result<void> give_back(Key key, const std::string& owner) = 0;
    // Positions that others have at `now`.
    virtual Result<std::set<Key>> taken(const std::string& owner, std::int64_t now) = 0;
};

}  // namespace book
