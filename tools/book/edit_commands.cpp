#include "book/learn/user_edits.h"
#include "engine/board/notation.h"
#include "tools/book/look.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>

#include <unistd.h>

namespace tools::book_command {
namespace {

constexpr const char* MoveHelp =
    "MOVE MARK     always, prefer, avoid, never, or none: Nf3 prefer\n"
    "MOVE          play it on the board and look there\n"
    "back, start   take the last move back, or all\n"
    "undo          take back the last change to the book, also a learned game\n"
    "show          the table again\n"
    "help, quit\n";

// "Nf3=prefer", also "e8=Q=never"; nothing if it is no such word.
std::optional<std::pair<std::string, int>> order_from(const std::string& word) {
    const std::size_t equals = word.rfind('=');
    if (equals == std::string::npos)
        return std::nullopt;
    const std::optional<int> mark = flag_from(word.substr(equals + 1));
    return mark ? std::optional(std::pair(word.substr(0, equals), *mark)) : std::nullopt;
}

Result<void>
mark_move(book::Store& store, const engine::Game& game, const std::string& text, int flags) {
    const auto move = engine::parse_move(game.position(), text);
    if (!move)
        return fail("\"" + text + "\" is no move here");
    return book::mark(store, game, *move, flags);
}

// A session at the terminal, or from a script on standard input.
class Editor {
  public:
    Editor(const Place& place, book::Store& store, engine::Game game)
        : place_(place), store_(store), game_(std::move(game)) {}

    int run() {
        const bool terminal = ::isatty(STDIN_FILENO) == 1;
        if (terminal)
            std::cout << MoveHelp;
        show_here();
        std::string line;
        while ((terminal && std::cout << "> " << std::flush, std::getline(std::cin, line))) {
            std::istringstream words(line);
            std::string first, second;
            words >> first >> second;
            if (first == "quit")
                break;
            if (!first.empty())
                run(first, second);
        }
        return code_;
    }

  private:
    void run(const std::string& first, const std::string& second) {
        if (first == "help") {
            std::cout << MoveHelp;
        } else if (first == "undo") {
            const Result<std::string> undone = book::undo(store_);
            if (!undone)
                return wrong(undone.error().what);
            std::cout << (undone->empty() ? "nothing to take back" : "taken back: " + *undone)
                      << '\n';
        } else if (first == "back" && game_.ply() > 0) {
            game_.undo();
            show_here();
        } else if (first == "start") {
            game_ = engine::Game(game_.start());
            show_here();
        } else if (first == "show" || first == "back") {
            show_here();
        } else if (second.empty()) {
            go(first);
        } else if (const std::optional<int> mark = flag_from(second); !mark) {
            wrong("\"" + second + "\" is no mark: always, prefer, avoid, never or none");
        } else if (const Result<void> marked = mark_move(store_, game_, first, *mark); !marked) {
            wrong(marked.error().what);
        } else {
            show_here();
        }
    }
    void go(const std::string& text) {
        const auto move = engine::parse_move(game_.position(), text);
        if (!move)
            return wrong("\"" + text + "\" is neither a move here nor a command (help lists them)");
        game_.play(*move);
        show_here();
    }
    void show_here() {
        std::cout << moves_text(game_, game_.moves().size()) << '\n';
        show(place_, {game_.position().fen()});
    }
    void wrong(const std::string& what) { code_ = complain("edit: " + what, 1); }

    const Place& place_;
    book::Store& store_;
    engine::Game game_;
    int code_ = 0;
};

int print_history(const Place& place) {
    const Result<book::Store> store = open_book(place, Access::Read);
    const Result<std::vector<book::Change>> all =
        store ? book::changes(*store->db, 1000) : tl::unexpected<Error>(store.error());
    if (!all)
        return complain(all.error().what, 1);
    for (const book::Change& change : *all)
        std::cout << date_text(change.at) << '\t' << change.what << '\n';
    return 0;
}

}  // namespace

int edit(const Place& place, const Arguments& arguments) {
    if (arguments == Arguments{"--help"}) {
        std::cout << "Usage: nutcracker-book edit [FEN|MOVES] [MOVE=MARK...]\n       "
                     "nutcracker-book edit --history\n\nMarks moves of a position: always, prefer, "
                     "avoid, never, or none. Marks are kept apart\nfrom what is learned and never "
                     "changed by it. Without MOVE=MARK it asks on standard\ninput:\n\n"
                  << MoveHelp << "\n--history lists what was changed by hand, the latest first.\n";
        return 0;
    }
    if (arguments == Arguments{"--history"})
        return print_history(place);
    Arguments words;
    std::vector<std::pair<std::string, int>> orders;
    for (const std::string& word : arguments)
        if (const auto order = order_from(word))
            orders.push_back(*order);
        else
            words.push_back(word);
    const Result<engine::Game> game = game_from(words);
    if (!game)
        return complain("edit: " + game.error().what);
    for (const auto& [move, flags] : orders)
        if (!engine::parse_move(game->position(), move))
            return complain("edit: \"" + move + "\" is no move here");
    Result<book::Store> store = open_book(place, Access::Create);
    if (!store)
        return complain(store.error().what, 1);
    if (orders.empty())
        return Editor(place, *store, *game).run();
    for (const auto& [move, flags] : orders)
        if (const Result<void> marked = mark_move(*store, *game, move, flags); !marked)
            return complain("edit: " + marked.error().what, 1);
    return 0;
}

int undo(const Place& place, const Arguments& arguments) {
    if (const auto code = read_words(
            "undo",
            arguments,
            "Usage: nutcracker-book undo\n\nTakes back the last thing that happened to the book: a "
            "learned game, or a change by\nhand (a mark, unlearn, relearn, merge). \"relearn\" "
            "puts a "
            "game back.\n"))
        return *code;
    Result<book::Store> store = open_book(place, Access::Write);
    if (!store)
        return complain(store.error().what, 1);
    const Result<std::string> undone = book::undo(*store);
    if (!undone)
        return complain("undo: " + undone.error().what, 1);
    if (undone->empty())
        return complain("undo: nothing to take back", 1);
    std::cout << "taken back: " << *undone << '\n';
    return 0;
}

int learn(const Place& place, const Arguments& arguments) {
    constexpr std::array Words{std::pair("on", book::Learning::On),
                               std::pair("off", book::Learning::Off),
                               std::pair("readonly", book::Learning::ReadOnly)};
    if (const auto code = read_words(
            "learn",
            arguments,
            "Usage: nutcracker-book learn [on|off|readonly]\n\nWhether engines learn from the "
            "games "
            "that they play with this book, from the next time\nthat they open it. readonly: the "
            "book stays as it is, and what is learned goes into a\nfile beside it, until \"on\" "
            "takes that in.\n",
            0,
            1))
        return *code;
    const auto* const word = std::find_if(Words.begin(), Words.end(), [&](const auto& w) {
        return !arguments.empty() && arguments[0] == w.first;
    });
    if (word == Words.end() && !arguments.empty())
        return complain("learn: on, off or readonly, not \"" + arguments[0] + "\"");
    Result<book::Store> store = open_book(place, arguments.empty() ? Access::Read : Access::Create);
    if (!store)
        return complain(store.error().what, 1);
    if (arguments.empty()) {
        const Result<book::Learning> now = book::learning(*store);
        if (!now)
            return complain(now.error().what, 1);
        for (const auto& [name, value] : Words)
            if (value == *now)
                std::cout << name << '\n';
        return 0;
    }
    const Result<void> set = book::set_learning(*store, word->second);
    return set ? 0 : complain(set.error().what, 1);
}

}  // namespace tools::book_command
