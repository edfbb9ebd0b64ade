// The command make-base.
#include "tools/book/book_command.h"
#include "tools/common/base_text.h"
#include "tools/common/files.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

namespace tools::book_command {
namespace {

namespace fs = std::filesystem;

// Writes moves and scores into an empty book. A book move counts as played at least once; a move
// that is only scored becomes a row only if masters play it.
void fill(book::Store& store, BaseText text) {
    std::stable_sort(
        text.moves.begin(), text.moves.end(), [](const BaseMove& a, const BaseMove& b) {
            return book::to_sql(a.before.key()) < book::to_sql(b.before.key());
        });
    const std::string engine = text.head.contains("engine") ? text.head.at("engine") : "Nutcracker";
    book::Transaction transaction(store.db);
    std::vector<book::KeyedEdge> edges;
    std::int64_t total = 0;
    for (const BaseMove& m : text.moves) {
        const book::StoredMove move = book::store(m.move, m.before.side_to_move());
        store.positions.set_analysis(m.before.key(),
                                     {.move = move,
                                      .cp = m.cp,
                                      .depth = m.depth,
                                      .nodes = std::int64_t{1} << std::min(m.effort, 62),
                                      .at = 0,
                                      .engine = engine});
        const bool played = m.kind != 'x' && !m.deviation;
        const std::int64_t games = std::max<std::int64_t>(games_of_digit(m.games), played ? 1 : 0);
        if (games > 0)
            edges.push_back({.key = m.before.key(), .edge = {.move = move, .unknown = games}});
        total += games;
    }
    store.positions.add_edges(edges, true);
    store.games.add_source({.kind = "base", .name = "base book", .moves = total});
    transaction.commit();
    store.db.seal();
}

// True if this command made the file, and it has no own games and no marks.
bool is_base_book(const fs::path& file) {
    book::Store store(file, false);
    const std::vector<book::Source> sources = store.games.sources();
    bool marked = false;
    store.positions.each_flag([&marked](book::Key, book::StoredMove, int) { marked = true; });
    return !marked && store.games.empty() && !sources.empty() &&
           std::all_of(sources.begin(), sources.end(), [](const book::Source& source) {
               return source.kind == "base";
           });
}

}  // namespace

int make_base(Call& call) {
    std::string text_file, out;
    call.option("text", text_file, "text form of the installed book");
    call.option("out", out, "the book to write");
    call.read();
    call.require(!text_file.empty() && !out.empty(), "--text and --out are needed");
    out = book::value_or_throw(file_to_replace(out));
    if (!is_book(out) || is_in_use(call, out) || !is_base_book(out))
        refuse_book(call, out);
    const std::string bytes = book::value_or_throw(read_bytes(text_file));
    Result<BaseText> text = to_result([&] { return read_base_text(bytes); });
    if (!text)
        throw book::Failure(fmt::format("\"{}\" {}", text_file, text.error().what));
    const std::string unfinished = out + ".part";
    std::error_code error;
    fs::remove(unfinished, error);
    std::cerr << text->moves.size() << " moves\n";
    {
        book::Store store(unfinished, true);
        fill(store, std::move(*text));
    }
    fs::rename(unfinished, out, error);
    if (error) {
        const std::string why = error.message();
        fs::remove(unfinished, error);
        throw book::Failure(fmt::format("\"{}\" cannot be written: {}", out, why));
    }
    return 0;
}

}  // namespace tools::book_command
