// Commands about the whole book: stats, opponents, sources, forget, verify, rebuild, snapshot,
// recover.
#include "book/book.h"
#include "book/import/forget.h"
#include "book/learn/audit.h"
#include "book/learn/recover.h"
#include "engine/platform/file.h"
#include "tools/book/book_command.h"

#include <array>
#include <iostream>

#include <fmt/ostream.h>

namespace tools::book_command {

namespace fs = std::filesystem;

int stats(Call& call) {
    call.read();
    const auto book = book::value_or_throw(book::Book::open(
        {.experience = call.book_file, .base = call.base_file, .read_only = true}));
    const book::Stats s = book::value_or_throw(book->stats());
    std::cout << "book\t" << call.book_file.string() << "\ninstalled book\t"
              << call.base_file.string() << "\npositions\t" << s.positions << "\nmoves\t" << s.edges
              << "\nimported games\t" << s.imported_games << "\nown games\t" << s.own_games
              << "\nwon\t" << s.wins << "\ndrawn\t" << s.draws << "\nlost\t" << s.losses
              << "\nopponents\t" << s.opponents << "\nbytes\t" << s.bytes << '\n';
    tell_waiting(call);
    std::error_code none;
    if (!std::filesystem::exists(call.book_file, none))
        return 0;
    book::BookFiles files = book::open_book_files(call.book_file, {}, true);
    book::Store& store = *files.experience;
    const book::Model model = store.model();
    if (const std::string news = news_text(store); !news.empty())
        std::cout << "news\t" << news << '\n';
    fmt::print(std::cout,
               "deviation of a result\t{:.6g}\nworth of an exit score\t{:.6g} games\n",
               model.sigma,
               model.exit);
    for (const book::Source& source : (files.original ? *files.original : store).games.sources())
        fmt::print(std::cout,
                   "imported\t{}\t{} games\t{}\t{}\n",
                   printable(utf8(source.name)),
                   source.games,
                   source.settings,
                   date_text(source.added));
    return 0;
}

int opponents(Call& call) {
    call.read();
    book::Store store = open_log(call);
    const book::Model model = store.model();
    std::vector<std::vector<Cell>> rows;
    for (const book::OpponentRecord& o : store.opponents.all()) {
        if (o.games == 0)
            continue;
        const double points = static_cast<double>(o.wins) + static_cast<double>(o.draws) / 2;
        const auto count = [](auto n) { return Cell{.text = std::to_string(n), .right = true}; };
        rows.push_back({{.text = utf8(o.name) + (o.computer ? " (computer)" : "")},
                        {.text = utf8(o.server)},
                        count(o.rating),
                        count(o.games),
                        count(o.wins),
                        count(o.draws),
                        count(o.losses),
                        count(std::lround(100 * points / static_cast<double>(o.games))),
                        {.text = played_text(o.last)},
                        {.text = book::is_suspicious(model, o) ? "suspicious" : ""}});
    }
    print_table(std::cout,
                {"opponent", "server", "rating", "games", "won", "drawn", "lost", "%", "last", ""},
                rows);
    return 0;
}

int sources(Call& call) {
    call.read();
    book::Store store = open_book(call, Access::Read);
    const std::vector<book::Source> all = store.games.sources();
    std::vector<std::vector<Cell>> rows;
    for (const book::Source& s : all)
        rows.push_back(
            {{.text = std::to_string(s.id), .right = true},
             {.text = s.kind},
             {.text = date_text(s.added)},
             {.text = std::to_string(s.kind == "polyglot" ? s.moves : s.games), .right = true},
             {.text = book::can_be_forgotten(store, all, s) ? "" : "kept no games"},
             {.text = s.settings},
             {.text = utf8(s.name)}});
    print_table(std::cout, {"import", "kind", "date", "games", "", "filters", "file"}, rows);
    return 0;
}

namespace {

void print(const book::Forgotten& done) {
    for (const book::Source& s : done.sources)
        fmt::print(std::cout, "forgotten\t{}\t{}\n", s.id, printable(utf8(s.name)));
    fmt::print(
        std::cout, "games\t{}\nmoves\t{}\nanalyses\t{}\n", done.games, done.moves, done.analyses);
    if (done.sources.size() > 1)
        std::cerr << "these files were imported together, so they were forgotten together\n";
    for (const book::Source& s : done.read_again)
        std::cerr << fmt::format("games that are also in \"{0}\" count again after you import it "
                                 "again\n",
                                 printable(utf8(s.name)));
    if (done.may_lack_analyses)
        std::cerr << "to bring back the analyses of other files that these had replaced, import "
                     "those files with --evals --again\n";
    if (done.years_may_differ)
        std::cerr << "an older import kept no games, so the latest year of some moves may be that "
                     "of a forgotten game\n";
}

}  // namespace

int forget(Call& call) {
    const std::string name = call.read().front();
    require_one_log(call);
    book::Store store = open_book(call, Access::Write);
    const std::vector<book::Source> sources = book::find_sources(store, name);
    const std::vector<book::Source> all = store.games.sources();
    for (const book::Source& source : sources)
        if (!book::can_be_forgotten(store, all, source))
            throw book::Failure(fmt::format("\"{}\" kept no games and cannot be forgotten; nothing "
                                            "was changed",
                                            printable(utf8(source.name))));
    for (const book::Forgotten& done : book::forget(store, call.book_file, sources))
        print(done);
    return 0;
}

int verify(Call& call) {
    call.read();
    book::Store store = open_book(call, Access::Read);
    tell_waiting(call);
    const std::vector<std::string> differences = book::verify(store);
    for (const std::string& text : differences)
        std::cout << text << '\n';
    if (differences.empty())
        std::cout << "the book agrees with its log\n";
    return differences.empty() ? 0 : 1;
}

int rebuild(Call& call) {
    call.read();
    book::Store store = open_book(call, Access::Write);
    book::rebuild(store);
    return 0;
}

int snapshot(Call& call) {
    const Words words = call.read();
    call.require(!words[0].empty(), "snapshot needs the name of a file");
    open_book(call, Access::Read).db.copy_to(words[0]);
    tell_left_out(call.book_file, "", "copied");
    return 0;
}

namespace {

constexpr std::array TableNames{std::pair("game", "own games"),
                                std::pair("opponent", "opponents"),
                                std::pair("flag", "marks"),
                                std::pair("change", "changes by hand"),
                                std::pair("meta", "settings"),
                                std::pair("source", "imported files"),
                                std::pair("imported", "imported games"),
                                std::pair("edge", "imported moves"),
                                std::pair("kept", "blocks of games kept for forget"),
                                std::pair("analysis", "searches")};

std::string name_of(const std::string& table) {
    for (const auto& [name, meaning] : TableNames)
        if (table == name)
            return meaning;
    return table;
}

// Quotes the name as one word of a shell command.
std::string quoted(const fs::path& file) {
    std::string word = "'";
    for (const char c : file.string())
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

// The files of a damaged book, and where they are kept when it is replaced. A -wal or a -journal
// left beside the new book would damage it.
std::vector<std::pair<fs::path, fs::path>> moves_aside(const fs::path& damaged) {
    std::vector<std::pair<fs::path, fs::path>> moves;
    std::error_code none;
    fs::path aside = fs::path(damaged) += ".damaged";
    for (int number = 2; fs::exists(aside, none); ++number)
        (aside = damaged) += fmt::format(".damaged{}", number);
    for (const char* const suffix : book::FileSuffixes)
        if (const fs::path file = fs::path(damaged) += suffix; fs::exists(file, none))
            moves.emplace_back(file, fs::path(aside) += suffix);
    return moves;
}

// What the user has to do now.
void tell_how_to_use(const fs::path& damaged, const fs::path& recovered) {
    std::cerr << "to use the new book, run this while no engine plays from the damaged one:\n";
    for (const auto& [from, to] : moves_aside(damaged))
        std::cerr << fmt::format("  mv {} {}\n", quoted(from), quoted(to));
    std::cerr << fmt::format("  mv {} {}\n", quoted(recovered), quoted(damaged));
}

void tell_copies(const fs::path& damaged, const fs::path& recovered) {
    for (const fs::path& copy : book::copies_of(damaged))
        std::cerr << fmt::format(
            "to add what the copy {0} still has, run:\n  nutcracker-book --book {1} merge {0}\n",
            quoted(copy),
            quoted(recovered));
}

book::Salvaged recover_or_name_copies(const fs::path& damaged, const fs::path& recovered) {
    auto salvaged = book::guarded([&] { return book::recover(damaged, recovered); });
    if (salvaged)
        return std::move(*salvaged);
    std::string what = salvaged.error().what;
    for (const fs::path& copy : book::copies_of(damaged))
        what +=
            fmt::format("\na copy of the book is in \"{}\"; \"nutcracker-book --book {} verify\" "
                        "checks it",
                        copy.string(),
                        quoted(copy));
    throw book::Failure(what);
}

// Puts the new book in the place of the damaged one, which is kept beside it.
void replace_damaged(const fs::path& damaged, const fs::path& recovered) {
    for (const auto& [from, to] : moves_aside(damaged)) {
        fs::rename(from, to);
        std::cerr << fmt::format("the damaged file is now \"{}\"\n", to.string());
    }
    fs::rename(recovered, damaged);
}

}  // namespace

int recover(Call& call) {
    const Words words = call.read();
    call.require(std::find(words.begin(), words.end(), "") == words.end(),
                 "the name of a file is empty");
    const bool in_place = words.empty();
    const fs::path damaged =
        words.size() == 2 ? engine::platform::resolved(words[0]) : call.book_file;
    const fs::path recovered =
        in_place ? fs::path(damaged) += ".recovered" : fs::path(words.back());
    if (words.size() == 1 && fs::exists(recovered))
        throw book::Failure(
            fmt::format("{0} exists already; to recover that book itself: --book {0} recover",
                        quoted(recovered)));
    std::error_code none;
    if (!fs::exists(damaged, none))
        throw book::Failure(fmt::format("there is no book \"{}\"", damaged.string()));
    const book::Salvaged salvaged = recover_or_name_copies(damaged, recovered);
    bool lost = salvaged.unreadable_pages > 0;
    for (const book::SalvagedTable& table : salvaged.tables) {
        lost = lost || table.lost > 0;
        fmt::print(std::cout,
                   "{}\t{} saved\t{}{} lost\n",
                   name_of(table.name),
                   table.rows,
                   table.lost > 0 && table.name != "game" ? "about " : "",
                   table.lost);
    }
    if (salvaged.unreadable_pages > 0)
        fmt::print(std::cout, "pages that cannot be read\t{}\n", salvaged.unreadable_pages);
    if (in_place)
        replace_damaged(damaged, recovered);
    if (lost)
        tell_copies(damaged, in_place ? damaged : recovered);
    if (!in_place)
        tell_how_to_use(damaged, recovered);
    return lost ? 1 : 0;
}

}  // namespace tools::book_command
