// A prepared statement in use. For the files that own SQL, and for nobody else.
#pragma once

#include <cstdint>
#include <optional>

#include <SQLiteCpp/SQLiteCpp.h>

namespace book {

// Rewinds the statement at the end: an open one would hold back other writers' log.
class Use {
  public:
    explicit Use(SQLite::Statement& statement) : statement_(statement) {}
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { statement_.tryReset(); }

    // Binds the values to ?1, ?2, … ; nothing in an optional is NULL.
    template <typename... Values>
    SQLite::Statement& with(const Values&... values) {
        int i = 0;
        (bind(++i, values), ...);
        return statement_;
    }

  private:
    template <typename Value>
    void bind(int i, const Value& value) {
        statement_.bind(i, value);
    }
    template <typename Value>
    void bind(int i, const std::optional<Value>& value) {
        value ? statement_.bind(i, *value) : statement_.bind(i);
    }

    SQLite::Statement& statement_;
};

inline int column(SQLite::Statement& s, int i) {
    return s.getColumn(i).getInt();
}
inline std::int64_t long_column(SQLite::Statement& s, int i) {
    return s.getColumn(i).getInt64();
}

}  // namespace book
