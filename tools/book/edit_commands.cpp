// Commands that change a book by hand: edit, undo, learn, merge.
#include "book/learn/merge.h"
#include "book/learn/user_edits.h"
#include "engine/board/notation.h"
#include "engine/platform/program.h"
#include "tools/book/book_command.h"
#include "tools/book/game_text.h"

#include <algorithm>
#include <iostream>
#include <sstream>

#include <fmt/ostream.h>

namespace tools::book_command {
namespace {

constexpr int MaxChanges = 1000;  // listed by --history

// The move and its mark from "Nf3=prefer" or "e8=Q=never"; nothing if there is no mark, as in
// "e8=Q". Bad use if the mark is unknown.
std::optional<std::pair<std::string, int>> marked_move(const Call& call, const std::string& word) {
    const std::size_t equals = word.rfind('=');
    if (equals == std::string::npos)
        return std::nullopt;
    const std::string name = word.substr(equals + 1);
    const std::optional<int> mark = flag_from(name);
    if (!mark && !name.empty() && std::string("QRBNqrbn").find(name[0]) != std::string::npos &&
        name.find_first_not_of("+#!?", 1) == std::string::npos)
        return std::nullopt;  // a promotion
    call.require(mark.has_value(), fmt::format(NoMark, name));
    return std::pair(word.substr(0, equals), *mark);
}

// Reads commands from the terminal, or from a script on standard input.
class Editor {
  public:
    Editor(const Call& call, book::Store& store, engine::Game game)
        : call_(call), store_(store), game_(std::move(game)) {}

    // Returns the exit code: 1 if a command failed.
    int run() {
        const bool terminal = engine::platform::is_terminal(0);
        if (terminal)
            std::cout << call_.command().description << '\n';
        show_here();
        int code = 0;
        std::string line;
        while ((terminal && std::cout << "> " << std::flush, std::getline(std::cin, line))) {
            std::istringstream words(line);
            std::string first, second;
            words >> first >> second;
            if (first == "quit")
                break;
            if (first.empty())
                continue;
            if (const Result<void> done = book::guarded([&] { run(first, second); }); !done)
                code = complain("edit: " + done.error().what);
        }
        if (std::ferror(stdin) != 0)
            code = complain("edit: standard input cannot be read to its end");
        return code;
    }

  private:
    void run(const std::string& first, const std::string& second) {
        if (first == "help") {
            std::cout << call_.command().description << '\n';
        } else if (first == "undo") {
            require_one_log(call_);
            const std::string undone = book::undo(store_);
            std::cout << (undone.empty() ? "nothing to take back" : "taken back: " + undone)
                      << '\n';
        } else {
            change(first, second);
            show_here();
        }
    }
    // Changes the position or the marks in it.
    void change(const std::string& first, const std::string& second) {
        if (first == "back") {
            if (game_.ply() > 0)
                game_.undo();
        } else if (first == "start") {
            game_ = engine::Game(game_.start());
        } else if (first == "show") {
            return;
        } else if (second.empty()) {
            play(first);
        } else if (const std::optional<int> mark = flag_from(second)) {
            book::mark(store_, game_, next_move(first, game_), *mark);
        } else {
            throw book::Failure(fmt::format(NoMark, second));
        }
    }
    void play(const std::string& text) {
        const auto move = book::guarded([&] { return next_move(text, game_); });
        if (!move)
            throw book::Failure(move.error().what + ", nor a command (help lists the commands)");
        game_.play(*move);
    }
    void show_here() const { show_position(call_, game_); }

    const Call& call_;
    book::Store& store_;
    engine::Game game_;
};

void print_history(const Call& call) {
    book::Store store = open_book(call, Access::Read);
    for (const book::Change& change : book::changes(store.db, MaxChanges))
        std::cout << date_text(change.at) << '\t' << printable(utf8(change.what)) << '\n';
}

void merge_file(book::Store& into, const Call& call, const std::string& name) {
    std::error_code none;
    if (std::filesystem::equivalent(name, call.book_file, none))
        throw book::Failure(fmt::format("\"{}\" is the book itself", name));
    if (std::filesystem::is_regular_file(name, none) && std::filesystem::file_size(name) > 0 &&
        !is_book(name))
        throw book::Failure(fmt::format("\"{}\" is not a book of Nutcracker: import adds the games "
                                        "of a PGN file or the moves of a .bin",
                                        name));
    book::Store from(name, false, true);
    const Result<book::Merged> merged =
        book::guarded([&] { return book::merge(into, call.book_file, from, {}); });
    if (!merged)
        throw book::Failure(fmt::format("\"{}\": {}", name, merged.error().what));
    fmt::print(std::cout,
               "{}: {}, {} known before, {}, {}, {}\n",
               name,
               counted(merged->games, "new game"),
               counted(merged->known, "game"),
               counted(merged->marks, "mark"),
               counted(merged->searches, "search", "es"),
               counted(merged->imported_games, "imported game"));
    if (merged->unlearned > 0)
        fmt::print(std::cout,
                   "{}: {} unlearned, as in the other book\n",
                   name,
                   counted(merged->unlearned, "game"));
    if (merged->exits > 0)
        fmt::print(std::cout,
                   "{}: {} left the book later in the other book, which is taken over\n",
                   name,
                   counted(merged->exits, "game"));
    if (merged->reordered && merged->games == 0)
        fmt::print(
            std::cout, "{}: the games are now in the order in which they were played\n", name);
    if (merged->disputed > 0)
        fmt::print(std::cout,
                   "{}: {} with different marks in the two books; the more cautious mark is used\n",
                   name,
                   counted(merged->disputed, "move"));
    if (!merged->left_out.empty())
        fmt::print(std::cout, "{}: {}\n", name, merged->left_out);
    tell_left_out(name, name + ": ", "merged");
}

}  // namespace

int edit(Call& call) {
    bool history = false;
    call.option("history", history, "list the changes made by hand, the latest first");
    Words position;
    std::vector<std::pair<std::string, int>> marks;
    for (const std::string& word : call.read())
        if (const auto marked = marked_move(call, word))
            marks.push_back(*marked);
        else
            position.push_back(word);
    if (history)
        return print_history(call), 0;
    call.require(position.empty() || !flag_from(position.back()),
                 fmt::format("write the mark and its move as one word: {}={}",
                             position.size() > 1 ? position[position.size() - 2] : "MOVE",
                             position.empty() ? "" : position.back()));
    const engine::Game game = call.game_from(position);
    std::vector<std::pair<engine::Move, int>> marked;
    for (const auto& [word, flags] : marks) {
        const auto move = book::guarded([&, &text = word] { return next_move(text, game); });
        call.require(move.has_value(), move ? "" : move.error().what);
        marked.emplace_back(*move, flags);
    }
    book::Store store = open_book(call, Access::Create);
    if (marked.empty())
        return Editor(call, store, game).run();
    for (const auto& [move, flags] : marked) {
        book::mark(store, game, move, flags);
        std::cout << engine::to_san(game.position(), move) << '\t'
                  << (flags == 0 ? "none" : flags_text(flags)) << '\n';
    }
    return 0;
}

int undo(Call& call) {
    call.read();
    require_one_log(call);
    tell_waiting(call);
    book::Store store = open_book(call, Access::Write);
    const std::string undone = book::undo(store);
    if (undone.empty())
        throw book::Failure("nothing to take back");
    std::cout << "taken back: " << undone << '\n';
    return 0;
}

int learn(Call& call) {
    const std::vector<std::pair<const char*, book::Learning>> modes{
        {"on", book::Learning::On},
        {"off", book::Learning::Off},
        {"readonly", book::Learning::ReadOnly}};
    const Words words = call.read();
    if (!words.empty()) {
        const book::Learning mode = call.one_of("the mode", words[0], modes);
        book::Store store = open_book(call, Access::Create);
        book::set_learning(store, mode);
        return 0;
    }
    book::Store store = open_book(call, Access::Read);
    for (const auto& [name, mode] : modes)
        if (mode == book::learning(store))
            std::cout << name << '\n';
    return 0;
}

int merge(Call& call) {
    const Words names = call.read();
    require_one_log(call);
    tell_waiting(call);
    book::Store into = open_book(call, Access::Create);
    int code = 0;
    for (const std::string& name : names)
        if (const auto done = book::guarded([&] { merge_file(into, call, name); }); !done)
            code = complain("merge: " + done.error().what);
    return code;
}

}  // namespace tools::book_command
