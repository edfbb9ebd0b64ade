// Shared by the tests of the book: games from text, records, temporary folders.
#pragma once

#include "book/learn/audit.h"
#include "engine/board/notation.h"
#include "tests/folder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <sqlite3.h>
#include <SQLiteCpp/SQLiteCpp.h>

namespace helpers {

// Plays SAN moves from the start position.
inline engine::Game play(const std::string& moves, engine::Game game = engine::Game()) {
    std::istringstream in(moves);
    for (std::string word; in >> word;) {
        const auto move = engine::parse_move(game.position(), word);
        BOOST_TEST_REQUIRE(move.has_value(), "no move: " << word);
        game.play(*move);
    }
    return game;
}

inline engine::Move move(const engine::Game& game, const std::string& san) {
    return engine::parse_move(game.position(), san).value();
}

inline std::string contents(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

// Ours is White, the book is left after `exit` plies.
inline book::GameRecord
record(const std::string& uid, const std::string& moves, double score, int exit) {
    book::GameRecord r;
    r.uid = uid;
    r.game = play(moves);
    r.score = score;
    r.exit_ply = exit;
    r.exit_cp = 20;
    r.exit_depth = 12;
    r.time = book::TimeClass::Blitz;
    r.played = 1'700'000'000;
    r.engine = "Nutcracker";
    return r;
}

using ::Folder;

template <typename T>
T must(Result<T> result) {
    BOOST_TEST_REQUIRE(result.has_value(), (result ? "" : result.error().what));
    return std::move(*result);
}
inline void must(const Result<void>& result) {
    BOOST_TEST_REQUIRE(result.has_value(), (result ? "" : result.error().what));
}

// Learns a game, or with `finished` false notes one.
inline book::LearnOutcome
take(book::Store& store, const book::GameRecord& game, bool finished = true) {
    book::Transaction transaction(store.db);
    const book::LearnOutcome taken = book::learn_game(store, game, finished, 1);
    transaction.commit();
    return taken;
}

// All imported counts, by position and move.
using EdgeTable = std::map<std::pair<book::Key, book::StoredMove>, std::array<std::int64_t, 7>>;
inline EdgeTable edge_table(book::Store& store) {
    EdgeTable all;
    store.positions.each_edge(INT64_MIN, INT64_MAX, [&](const book::KeyedEdge& k) {
        const book::Edge& e = k.edge;
        all[{k.key, e.move}] = {e.white, e.draws, e.black, e.unknown, e.rated, e.ratings, e.last};
        return true;
    });
    return all;
}

inline void check_verifies(book::Store& store) {
    for (const std::string& complaint : book::verify(store))
        BOOST_ERROR(complaint);
}

// Lists the statements that `work` runs in a book, with the values bound to them.
template <typename Work>
std::vector<std::string> statements(book::Store& store, const Work& work) {
    std::vector<std::string> texts;
    sqlite3* const db = store.db.connection()->getHandle();
    const auto add = [](unsigned, void* to, void* statement, void*) {
        char* const text = sqlite3_expanded_sql(static_cast<sqlite3_stmt*>(statement));
        static_cast<std::vector<std::string>*>(to)->emplace_back(text != nullptr ? text : "");
        sqlite3_free(text);
        return 0;
    };
    sqlite3_trace_v2(db, SQLITE_TRACE_STMT, add, &texts);
    work();
    sqlite3_trace_v2(db, 0, nullptr, nullptr);
    return texts;
}

// Reads a text, which must outlive it, in pieces of one size, as from a file or a pipe.
inline std::function<std::size_t(std::span<char>)> pieces(const std::string& text,
                                                          std::size_t size) {
    return [&text, size, at = std::size_t{0}](std::span<char> to) mutable {
        const std::size_t n = std::min({to.size(), size, text.size() - at});
        std::memcpy(to.data(), text.data() + at, n);
        at += n;
        return n;
    };
}

}  // namespace helpers
