// The commands calibrate and exits: how far scores can be trusted, and what the book is worth.
#include "book/book.h"
#include "book/model/choice.h"
#include "engine/board/movegen.h"
#include "engine/board/notation.h"
#include "engine/board/zobrist.h"
#include "engine/platform/events.h"
#include "tools/common/base_text.h"
#include "tools/common/files.h"
#include "tools/common/strings.h"
#include "tools/lab/basebook/basebook_command.h"
#include "tools/lab/basebook/master_counts.h"
#include "tools/lab/basebook/task_runner.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace tools::basebook::command {
namespace {

namespace po = boost::program_options;

constexpr double MaxScore = 1000;  // cp: a mate is no larger error than a lost queen
constexpr double FromMasters = 0.6, BookGames = 20;

struct Stopped {};  // by a signal

// Searches, taking known results from the log.
class Searches {
  public:
    explicit Searches(const SearchOptions& o)
        : log_(o.log, engine_name(o.hash_mib)),
          runner_(log_, o.workers, o.hash_mib, &engine::platform::end_requests()) {}

    void run(const std::vector<Task>& tasks) {
        if (!runner_.run(tasks))
            throw Stopped();
    }
    TaskResult result(const engine::Position& pos, std::uint64_t nodes) {
        const Task task = make_task(pos, {}, nodes);
        run({task});
        return *log_.find(task.name);
    }

  private:
    TaskLog log_;
    TaskRunner runner_;
};

double clamped(int cp) {
    return std::clamp<double>(cp, -MaxScore, MaxScore);
}

// Runs the work of a command, and returns its exit code: 1 if a signal ended it early. The log
// keeps what is done.
template <typename Work>
int until_stopped(const Work& work) {
    try {
        work();
        return 0;
    } catch (const Stopped&) {
        std::cerr << "stopped; the same command continues\n";
        return 1;
    }
}

std::vector<engine::Position>
sample(const std::string& text_file, std::size_t count, std::uint64_t seed) {
    const std::string bytes = value_or_throw(read_bytes(text_file));
    const BaseText text = read_base_text(bytes);
    std::set<engine::Key> seen;
    std::vector<engine::Position> positions;
    for (const BaseMove& m : text.moves)
        if (seen.insert(m.before.key()).second)
            positions.push_back(m.before);
    book::Random random(seed);
    for (std::size_t i = positions.size(); i > 1; --i)
        std::swap(positions[i - 1], positions[random.next() % i]);
    positions.resize(std::min(positions.size(), count));
    return positions;
}

void print_calibration(Searches& searches,
                       const std::vector<engine::Position>& positions,
                       const std::vector<std::uint64_t>& nodes) {
    std::vector<Task> tasks;
    for (const std::uint64_t n : nodes)
        for (const engine::Position& pos : positions)
            tasks.push_back(make_task(pos, {}, n));
    searches.run(tasks);
    std::cout << "nodes\tpositions\trms\tmean\tlargest\n";
    for (const std::uint64_t n : nodes) {
        double squares = 0, sum = 0, largest = 0;
        for (const engine::Position& pos : positions) {
            const double difference = clamped(searches.result(pos, n).cp) -
                                      clamped(searches.result(pos, nodes.back()).cp);
            squares += difference * difference;
            sum += difference;
            largest = std::max(largest, std::abs(difference));
        }
        const double count = static_cast<double>(positions.size());
        std::cout << fmt::format("{}\t{}\t{:.1f}\t{:.1f}\t{:.0f}\n",
                                 n,
                                 positions.size(),
                                 std::sqrt(squares / count),
                                 sum / count,
                                 largest);
    }
}

// A side of the comparison: a book, or no book, which leaves at the same ply as the first book.
struct Contender {
    std::string name;
    std::unique_ptr<book::Book> book;
};
struct ExitOptions {
    std::string counts;
    SearchOptions search;
    std::vector<std::string> books;
    bool none = false;
    std::uint64_t nodes = 5'000'000, reply_nodes = 20'000, play_nodes = 100'000, seed = 1;
    int exits = 500;
    double variety = 50;
};
struct Exit {
    engine::Position position;  // our move
    engine::Color side;
    int ply = 0, own_moves = 0;
};

class ExitGames {
  public:
    ExitGames(const ExitOptions& options, const MasterCounts& counts, Searches& searches)
        : o_(options), counts_(counts), searches_(searches) {}

    // The position where our book has no move; without a book, the one at `ply`. Nothing if the
    // game ended.
    std::optional<Exit> play(book::Book* book, int number, int ply) {
        const engine::Color side = number % 2 == 0 ? engine::White : engine::Black;
        book::Random random(engine::splitmix64(o_.seed) + static_cast<std::uint64_t>(number));
        engine::Game game;
        int own = 0;
        while (game.status() == engine::Status::Ongoing) {
            if (game.position().side_to_move() != side) {
                game.play(reply(game.position(), random));
                continue;
            }
            std::optional<engine::Move> move;
            if (book != nullptr) {
                const auto chosen = value_or_throw(book->choose(game, as_in_play()));
                if (chosen)
                    move = chosen->move;
            } else if (game.ply() < ply) {
                move = search_move(game.position(), o_.play_nodes);
            }
            if (!move)
                return Exit{game.position(), side, game.ply(), own};
            game.play(*move);
            ++own;
        }
        return std::nullopt;
    }

  private:
    engine::Move reply(const engine::Position& pos, book::Random& random) {
        const int games = counts_.games(pos.key());
        const double from_masters = random.uniform(), which = random.uniform() * games;
        if (games > 0 && from_masters < FromMasters * games / (games + BookGames)) {
            double sum = 0;
            for (const CountedMove& m : counts_.moves(pos.key()))
                if ((sum += m.games) > which)
                    return m.move;
        }
        return search_move(pos, o_.reply_nodes);
    }
    // As in play, an untested book move needs analyses with at least half the nodes of our search.
    [[nodiscard]] book::ChooseOptions as_in_play() const {
        book::ChooseOptions options;
        options.expected_nodes = static_cast<std::int64_t>(o_.play_nodes);
        options.variety = o_.variety;
        return options;
    }
    engine::Move search_move(const engine::Position& pos, std::uint64_t nodes) {
        const auto move = engine::parse_move(pos, searches_.result(pos, nodes).move);
        if (!move)
            throw Failure("the log has an illegal move in " + pos.fen());
        return *move;
    }

    const ExitOptions& o_;
    const MasterCounts& counts_;
    Searches& searches_;
};

void print_exits(const std::string& name,
                 const std::vector<Exit>& exits,
                 Searches& searches,
                 std::uint64_t nodes) {
    double sum = 0, squares = 0, plies = 0, own = 0;
    std::array<double, 2> by_side{}, count{};
    std::set<engine::Key> distinct;
    for (const Exit& exit : exits) {
        const double cp = clamped(searches.result(exit.position, nodes).cp);
        sum += cp;
        squares += cp * cp;
        plies += exit.ply;
        own += exit.own_moves;
        by_side.at(exit.side) += cp;
        ++count.at(exit.side);
        distinct.insert(exit.position.key());
    }
    const double n = std::max<double>(1, static_cast<double>(exits.size()));
    const double mean = sum / n, variance = std::max(0.0, squares / n - mean * mean);
    // Equal positions are no independent measurements.
    const double error =
        std::sqrt(variance / std::max<double>(1, static_cast<double>(distinct.size())));
    std::cout << fmt::format("{}\t{}\t{}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\n",
                             name,
                             exits.size(),
                             distinct.size(),
                             plies / n,
                             own / n,
                             mean,
                             error,
                             by_side[engine::White] / std::max(1.0, count[engine::White]),
                             by_side[engine::Black] / std::max(1.0, count[engine::Black]));
}

std::vector<Contender> open_contenders(const ExitOptions& o) {
    std::vector<Contender> contenders;
    for (const std::string& given : o.books) {
        const std::size_t equals = given.find('=');
        if (equals == std::string::npos)
            throw Failure(fmt::format("exits: \"{}\" is not NAME=FILE", given));
        auto book = value_or_throw(book::Book::open({.experience = ":memory:",
                                                     .base = given.substr(equals + 1),
                                                     .read_only = true,
                                                     .seed = o.seed}));
        if (!book->notice().empty())
            std::cerr << given << ": " << book->notice() << '\n';
        contenders.push_back({.name = given.substr(0, equals), .book = std::move(book)});
    }
    if (o.none)
        contenders.push_back({.name = "none", .book = nullptr});
    return contenders;
}

void compare_exits(const ExitOptions& o) {
    const MasterCounts counts = read_counts(value_or_throw(read_bytes(o.counts)));
    const std::vector<Contender> contenders = open_contenders(o);
    Searches searches(o.search);
    ExitGames games(o, counts, searches);
    std::vector<std::vector<Exit>> exits(contenders.size());
    std::vector<Task> tasks;
    std::vector<int> plies(static_cast<std::size_t>(o.exits), 0);  // of the first book
    for (std::size_t c = 0; c < contenders.size(); ++c) {
        for (int i = 0; i < o.exits; ++i) {
            int& ply = plies[static_cast<std::size_t>(i)];
            const auto exit = games.play(contenders[c].book.get(), i, ply);
            if (!exit)
                continue;
            if (c == 0)
                ply = exit->ply;
            exits[c].push_back(*exit);
            tasks.push_back(make_task(exit->position, {}, o.nodes));
        }
        std::cerr << fmt::format("{}: {} exits found\n", contenders[c].name, exits[c].size());
    }
    std::sort(
        tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.name < b.name; });
    const auto equal = [](const Task& a, const Task& b) { return a.name == b.name; };
    tasks.erase(std::unique(tasks.begin(), tasks.end(), equal), tasks.end());
    searches.run(tasks);
    std::cout << "book\texits\tdistinct\tply\town moves\tcp\terror\twhite\tblack\n";
    for (std::size_t c = 0; c < contenders.size(); ++c)
        print_exits(contenders[c].name, exits[c], searches, o.nodes);
}

}  // namespace

int calibrate(const Words& words) {
    SearchOptions search;
    std::string text, nodes_given = "1000,10000,100000,1000000,12000000";
    std::size_t positions = 150;
    std::uint64_t seed = 1;
    po::options_description options(
        "Usage: nutcracker-basebook calibrate --text TEXT --log LOG [OPTION...]\n\n"
        "Searches random positions of the book with rising numbers of nodes, and prints how far\n"
        "the scores are from those of the largest searches. Continues where it was "
        "stopped.\n\nOptions");
    auto option = options.add_options();
    option("text", po::value(&text)->required(), "a base book");
    option("positions", bound(positions, 1), "number of positions");
    option("nodes", bound(nodes_given), "numbers of nodes, rising, separated by commas");
    option("seed", bound(seed), "equal seeds give equal positions");
    add_search_options(options, search);
    parse_options({.who = "nutcracker-basebook: calibrate", .words = words}, options);
    std::vector<std::uint64_t> nodes;
    for (const std::string& word : split(nodes_given, ',')) {
        const auto n = number<std::uint64_t>(word);
        if (!n || *n == 0 || (!nodes.empty() && *n <= nodes.back()))
            throw Failure(
                fmt::format("calibrate: the numbers of nodes must rise: {}", nodes_given));
        nodes.push_back(*n);
    }
    if (nodes.empty())
        throw Failure("calibrate: --nodes is empty");
    return until_stopped([&] {
        const std::vector<engine::Position> sampled = sample(text, positions, seed);
        Searches searches(search);
        print_calibration(searches, sampled, nodes);
    });
}

int exits(const Words& words) {
    ExitOptions o;
    po::options_description options(
        "Usage: nutcracker-basebook exits --counts TABLE --log LOG --book NAME=FILE... "
        "[OPTION...]\n\n"
        "Plays games until our book has no move, and prints the mean value of these positions for\n"
        "us, by a new search of each. Our moves are drawn as the engine draws them, without\n"
        "learning; opponents play as masters do, or as our search does. Continues where it was\n"
        "stopped.\n\nOptions");
    auto option = options.add_options();
    option("counts", po::value(&o.counts)->required(), "table of masters' games");
    option("book", po::value(&o.books)->multitoken()->required(), "base books as NAME=FILE");
    option("none",
           po::bool_switch(&o.none),
           "also play without a book, for as many plies as with the first one");
    option("exits", bound(o.exits, 1), "games for each book, half of them as White");
    option("nodes", bound(o.nodes, 1), "nodes of the search of each exit");
    option("reply-nodes", bound(o.reply_nodes, 1), "nodes of the opponents' searches");
    option("play-nodes", bound(o.play_nodes, 1), "nodes of our searches that replace the book");
    option("variety", bound(o.variety, 0, 100), "as the engine's option BookVariety");
    option("seed", bound(o.seed), "seed of all random choices");
    add_search_options(options, o.search);
    parse_options({.who = "nutcracker-basebook: exits", .words = words}, options);
    return until_stopped([&o] { compare_exits(o); });
}

}  // namespace tools::basebook::command
