#include "tools/book/book_command.h"

#include "book/book.h"
#include "book/import/game_record.h"
#include "book/import/player_names.h"
#include "book/learn/audit.h"
#include "book/model/letter_case.h"
#include "book/model/utf8.h"
#include "book/places.h"
#include "engine/platform/file.h"
#include "tools/book/game_text.h"
#include "tools/common/files.h"
#include "tools/common/pgn_text.h"
#include "tools/common/strings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <set>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tools::book_command {
namespace {

constexpr std::array Marks{std::pair("none", 0),
                           std::pair("always", int{book::Always}),
                           std::pair("prefer", int{book::Prefer}),
                           std::pair("avoid", int{book::Avoid}),
                           std::pair("never", int{book::Never})};

}  // namespace

book::Failure no_book(const Call& call) {
    return book::Failure(
        fmt::format("there is no book \"{}\" yet: the engine makes it when it learns its first "
                    "game, and import, edit and merge make it, too",
                    call.book_file.string()));
}

int complain(const std::string& what, int code) {
    std::cerr << "nutcracker-book: " << what << '\n';
    return code;
}

Words Call::read() {
    namespace po = boost::program_options;
    po::options_description all(fmt::format("Usage: nutcracker-book {} {}\n\n{}\n\nOptions",
                                            command_.name,
                                            command_.usage,
                                            command_.description));
    all.add_options()("help,h", "print this text");
    for (const auto& option : options_.options())
        all.add(option);
    if (const auto code = read_options({.who = std::string("nutcracker-book: ") + command_.name,
                                        .words = arguments_,
                                        .rest = "word"},
                                       all,
                                       given_))
        throw Exit{*code};
    Words words = given("word") ? given_["word"].as<Words>() : Words();
    require(words.size() >= command_.min_words,
            fmt::format("an argument is missing: {} (try --help)", command_.usage));
    require(words.size() <= command_.max_words,
            "unexpected argument: " + (words.empty() ? "" : words.back()) + " (try --help)");
    return words;
}

bool Call::given(const char* option) const {
    return given_.contains(option) && !given_[option].defaulted();
}

void Call::require(bool condition, const std::string& message) const {
    if (!condition)
        throw Exit{complain(fmt::format("{}: {}", command_.name, message), 2)};
}

void Call::refuse_choice(const char* what,
                         const std::string& word,
                         const std::vector<std::string>& names) const {
    throw Exit{complain(fmt::format("{}: {} must be {} or {}, not \"{}\"",
                                    command_.name,
                                    what,
                                    fmt::join(names.begin(), names.end() - 1, ", "),
                                    names.back(),
                                    word),
                        2)};
}

engine::Game Call::game_from(const Words& words) const {
    const std::string text = fmt::format("{}", fmt::join(words, " "));
    Result<engine::Game> game =
        book::guarded([&text] { return game_from_text(text, engine::Game()); });
    if (!game) {
        std::error_code none;
        const bool is_file = std::filesystem::is_regular_file(text, none) && !is_book(text);
        require(false,
                is_file ? fmt::format("\"{}\" is a file; import adds its games", text)
                        : game.error().what);
    }
    return std::move(*game);
}

book::Store open_book(const Call& call, Access access) {
    std::error_code none;
    if (access != Access::Create && !std::filesystem::exists(call.book_file, none))
        throw no_book(call);
    book::Store store = book::open_store(call.book_file, access != Access::Read);
    if (access != Access::Read && store.db.read_only())
        throw book::Failure(fmt::format("book \"{}\" cannot be written", call.book_file.string()));
    book::open_overlaid(store);
    return store;
}

book::Store open_log(const Call& call) {
    book::BookFiles files = book::open_book_files(call.book_file, {}, true);
    if (!files.experience)
        throw no_book(call);
    return std::move(*files.experience);
}

void require_one_log(const Call& call) {
    std::error_code missing;
    const bool is_empty = std::filesystem::is_empty(call.book_file, missing);
    // An empty file becomes a book.
    if (missing || is_empty || book::existing_overlay(call.book_file).empty())
        return;
    // Opened for writing, a book that may be written takes in what was learned beside it.
    const book::BookFiles files = book::open_book_files(call.book_file, {}, false);
    if (files.original)
        throw book::Failure(fmt::format("the book is read-only, and its new games are in \"{0}\": "
                                        "change them there, with --book \"{0}\"",
                                        files.file.string()));
    if (const auto left = book::existing_overlay(call.book_file); !left.empty()) {
        const std::string& why = files.unusable.empty() ? files.notice : files.unusable;
        throw book::Failure(
            fmt::format("games learned beside the book are still in \"{}\", so it was not "
                        "changed{}{}",
                        left.string(),
                        why.empty() ? "" : ": ",
                        why));
    }
    if (!files.notice.empty())
        std::cerr << files.notice << '\n';
}

book::BookFiles open_files(const Call& call) {
    book::BookFiles files = book::open_book_files(call.book_file, call.base_file, true);
    for (const std::filesystem::path& file : call.further_files)
        book::add_further_book(files, file);
    return files;
}

std::string waiting_text(const std::filesystem::path& file) {
    const book::WaitingGames waiting = book::value_or_throw(book::waiting_games(file));
    if (waiting.games == 0)
        return "";
    return fmt::format(
        "{} to be merged into the book when the engine next learns a game{}",
        counted(waiting.games, waiting.games == 1 ? "game waits" : "games wait", ""),
        waiting.unreadable == 0
            ? ""
            : fmt::format(", {} of them written by a newer version", waiting.unreadable));
}

std::string waiting_text(const Call& call) {
    return waiting_text(call.book_file);
}

void tell_left_out(const std::filesystem::path& file, const std::string& begin, const char* what) {
    if (const std::string text = waiting_text(file); !text.empty())
        std::cerr << fmt::format("{}{}; not {}\n", begin, text, what);
    std::error_code none;
    for (const std::filesystem::path& overlay : book::overlays_of(file)) {
        if (!std::filesystem::exists(overlay, none))
            continue;
        book::Store beside(overlay, false, true), original(file, false, true);
        const auto learned = beside.games.applied();
        const auto games =
            std::count_if(learned.begin(), learned.end(), [&original](const auto& game) {
                return !original.games.has(game.uid);
            });
        if (games > 0)
            std::cerr << fmt::format("{}{} learned beside the book, in \"{}\"; not {}\n",
                                     begin,
                                     counted(games, games == 1 ? "game was" : "games were", ""),
                                     overlay.string(),
                                     what);
    }
}

void tell_waiting(const Call& call) {
    if (const std::string text = waiting_text(call); !text.empty())
        std::cerr << text << '\n';
}

book::PositionView
look(book::BookFiles& files, const engine::Position& pos, book::Color side, book::TimeClass time) {
    const book::Model model = files.model();
    book::PositionView view = book::view(files.layers(), model, book::query_of(pos, side, time));
    book::add_probabilities(model, pos.side_to_move() == side, {.ply = book::ply_of(pos)}, view);
    return view;
}

std::vector<book::OpponentRecord>
opponents_named(book::Store& store, const book::Opponent& wanted, bool exact) {
    std::vector<book::OpponentRecord> found, similar;
    for (const book::OpponentRecord& o : store.opponents.all()) {
        const std::string server = wanted.server == NoServer ? "" : wanted.server;
        if (!wanted.server.empty() && !book::equal_ignoring_case(o.server, server))
            continue;
        if (book::equal_ignoring_case(o.name, book::identity(wanted.name)))
            found.push_back(o);
        else if (!exact && book::contains_ignoring_case(o.name, wanted.name))
            similar.push_back(o);
    }
    return found.empty() ? similar : found;
}

// The book keeps names of one server apart that differ in the case of letters beyond ASCII. Leaves
// out those that are not written as `name` where another one is.
static void prefer_exact(std::vector<book::OpponentRecord>& found, const std::string& name) {
    std::set<std::string> servers;
    for (const book::OpponentRecord& o : found)
        if (o.name == name)
            servers.insert(o.server);
    std::erase_if(found,
                  [&](const auto& o) { return o.name != name && servers.contains(o.server); });
}

book::OpponentRecord find_opponent(book::Store& store, const book::Opponent& wanted, bool exact) {
    std::vector<book::OpponentRecord> found = opponents_named(store, wanted, exact);
    prefer_exact(found, wanted.name);
    if (found.size() == 1)
        return found.front();
    const auto on = [](const std::string& server) {
        return server.empty() ? "" : server == NoServer ? " without a server" : " on " + server;
    };
    if (found.empty()) {
        book::PlayerNames names;
        for (const book::OpponentRecord& o : store.opponents.all())
            names.add(o.name, o.games);
        throw book::Failure(fmt::format("no opponent \"{}\"{} in the book{}",
                                        wanted.name,
                                        on(wanted.server),
                                        printable(suggestion_text(names.similar({wanted.name})))));
    }
    std::string which;
    for (std::size_t i = 0; i < found.size() && i < 5; ++i)
        which += (i == 0 ? "" : "; ") + found[i].name + on(found[i].server);
    const auto is_local = [](const auto& o) { return o.server.empty(); };
    const auto local = std::count_if(found.begin(), found.end(), is_local);
    if (local > 0 && local < std::ssize(found))
        which += fmt::format("; --server {} chooses among those without a server", NoServer);
    throw book::Failure(
        fmt::format("\"{}\"{} is ambiguous: {}", wanted.name, on(wanted.server), which));
}

std::string name_of(const book::OpponentRecord& opponent) {
    return opponent.name.empty() ? "?" : opponent.name;
}

bool is_book(const std::filesystem::path& file) {
    constexpr std::string_view Magic = "SQLite format 3";
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none))
        return false;
    std::array<char, Magic.size()> begin{};
    std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
    return std::string_view(begin.data(), begin.size()) == Magic;
}

bool is_in_use(const Call& call, const std::filesystem::path& file) {
    const auto is_of = [&file](const std::filesystem::path& book) {
        const std::vector<std::filesystem::path> files = book::files_of(book);
        return std::any_of(files.begin(), files.end(), [&file](const auto& other) {
            std::error_code none;
            return std::filesystem::equivalent(file, other, none);
        });
    };
    return is_of(call.book_file) ||
           std::any_of(call.further_files.begin(), call.further_files.end(), is_of);
}

void refuse_book(const Call& call, const std::string& name) {
    const std::filesystem::path file = engine::platform::long_path(name);
    if (is_book(file) || is_in_use(call, file))
        throw book::Failure(fmt::format(
            "\"{}\" is a book or belongs to one, and is not overwritten; give another file", name));
}

void write_file(const Call& call,
                const std::string& name,
                const std::function<void(std::ostream&)>& write) {
    if (name != "-") {
        refuse_book(call, name);
        if (replace_file(name, write))
            return;
    } else if (std::cout) {
        write(std::cout);
        if (std::cout.flush())
            return;
    }
    throw book::Failure(fmt::format("\"{}\" cannot be written", name));
}

Period period_option(const Call& call, const std::string& date) {
    const std::optional<Period> period = period_from(date);
    call.require(period.has_value(),
                 fmt::format("\"{}\" is not a date like 2024-05-31, 2024-05, 2024, today or "
                             "yesterday",
                             date));
    return *period;
}

static std::string text_of_date(book::KnownDate known, std::int64_t played) {
    return date_text(played).substr(0,
                                    known == book::KnownDate::Year    ? 4
                                    : known == book::KnownDate::Month ? 7
                                                                      : 10);
}

std::string played_text(const book::GameRecord& game) {
    return text_of_date(book::known_date(game.uid, game.played), game.played);
}

std::string played_text(std::int64_t last) {
    return text_of_date(book::known_date(std::string(book::HashUid), last), last);
}

std::string result_of(const book::LoggedGame& g) {
    const book::GameRecord& r = g.record;
    if (g.state == book::GameState::Pending || r.termination == book::Termination::Aborted)
        return "*";
    return result_text(r.our_side == engine::White ? r.score : 1 - r.score);
}

const char* state_text(book::GameState state) {
    switch (state) {
    case book::GameState::Pending:
        return "pending";
    case book::GameState::Applied:
        return "learned";
    case book::GameState::Unlearned:
        return "unlearned";
    case book::GameState::Rejected:
        return "without evidence";
    }
    return "";
}

const char* ending_of(const book::LoggedGame& g) {
    if (g.state == book::GameState::Pending)
        return "unterminated";
    switch (g.record.termination) {
    case book::Termination::Flag:
        return "time forfeit";
    case book::Termination::Aborted:
        return "abandoned";
    default:
        break;
    }
    for (const char* const words : {"illegal", "invalid move", "false "})
        if (book::contains_ignoring_case(g.record.reason, words))
            return "rules infraction";
    return g.record.termination == book::Termination::Disconnection ? "abandoned" : "normal";
}

std::optional<std::int64_t> number_from(const std::string& word, std::size_t digits) {
    if (word.empty() || word.size() > digits ||
        word.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return std::stoll(word);
}

std::string flags_text(int flags) {
    Words words;
    for (const auto& [name, flag] : Marks)
        if ((flags & flag) != 0)
            words.emplace_back(name);
    return fmt::format("{}", fmt::join(words, ","));
}

std::optional<int> flag_from(const std::string& word) {
    for (const auto& [name, flag] : Marks)
        if (book::equal_ignoring_case(word, name))
            return flag;
    return std::nullopt;
}

const char* colour_text(book::Color side) {
    return side == engine::White ? "White" : "Black";
}

std::optional<book::Color>
colour_from(const Call& call, const char* option, const std::string& word) {
    if (word.empty())
        return std::nullopt;
    return call.one_of<book::Color>(
        option, word, {{"white", engine::White}, {"black", engine::Black}});
}

book::TimeClass time_class_from(const Call& call, const std::string& word) {
    return call.one_of<book::TimeClass>(
        "--time", word, {book::TimeClassNames.begin(), book::TimeClassNames.end()});
}

std::string percent_text(std::int64_t wins, std::int64_t draws, std::int64_t losses) {
    const std::int64_t games = wins + draws + losses;
    const double points = static_cast<double>(wins) + static_cast<double>(draws) / 2;
    return games == 0 ? "-" : fmt::format("{:.0f} %", 100 * points / static_cast<double>(games));
}

std::string counted(std::int64_t number, const std::string& singular, const char* ending) {
    return fmt::format("{} {}{}", number, singular, number == 1 ? "" : ending);
}

std::string utf8(const std::string& text) {
    return book::utf8_of(text);
}

double rounded(double value, int digits) {
    const double scale = std::pow(10, digits);
    return std::round(value * scale) / scale;
}

}  // namespace tools::book_command
