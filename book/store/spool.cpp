#include "book/store/spool.h"

#include "book/model/key.h"
#include "book/store/failure.h"
#include "book/store/locked_file.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace book {
namespace {

constexpr std::string_view Version = "game1";

// A field of a line may contain neither tabs nor line ends.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c == '\\' || c == '\t' || c == '\n')
            out += {'\\', c == '\t' ? 't' : c == '\n' ? 'n' : c};
        else
            out += c;
    return out;
}

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) {
            ++i;
            out += text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i];
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string check_sum(std::string_view text) {
    Digest digest;
    digest.add(text);
    return std::to_string(digest.finish_word());
}

// Fields separated by tabs, the check sum of all before it as the last.
std::string to_line(const GameRecord& g) {
    std::string moves, draws;
    for (const engine::Move m : g.game.moves())
        moves += std::to_string(m.raw()) + ' ';
    for (const std::string& draw : g.draws)
        draws += draw + '\n';
    std::string line;
    const auto text = [&line](std::string_view field) { line += escaped(field) + '\t'; };
    const auto number = [&line](std::int64_t field) { line += std::to_string(field) + '\t'; };
    text(Version);
    text(g.uid);
    text(g.game.start().fen());
    text(moves);
    number(g.our_side);
    number(static_cast<int>(2 * g.score));
    number(static_cast<int>(g.termination));
    text(g.opponent.name);
    text(g.opponent.server);
    number(g.opponent.computer ? 1 : 0);
    number(g.opponent.rating);
    number(g.our_rating);
    number(static_cast<int>(g.time));
    number(g.played);
    text(g.engine);
    text(g.exit_ply ? std::to_string(*g.exit_ply) : "");
    number(g.exit_cp);
    number(g.exit_depth);
    text(g.reason);
    text(draws);
    if (g.resumed)
        text("resumed");
    return line + check_sum(line) + '\n';
}

// Reads the fields of a line one by one; valid() is false once one was missing or malformed.
class Fields {
  public:
    explicit Fields(std::string_view line) : rest_(line) {}
    std::string text() {
        const std::size_t end = rest_.find('\t');
        if (end == std::string_view::npos) {
            valid_ = false;
            return {};
        }
        const std::string_view field = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return unescaped(field);
    }
    std::int64_t number() {
        const std::string field = text();
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
        valid_ = valid_ && error == std::errc() && end == field.data() + field.size();
        return value;
    }
    [[nodiscard]] bool valid() const { return valid_; }
    // True if there is another field before the check sum.
    [[nodiscard]] bool more() const { return rest_.find('\t') != std::string_view::npos; }

  private:
    std::string_view rest_;
    bool valid_ = true;
};

std::optional<engine::Game> replay(const std::string& fen, std::string_view moves) {
    const Result<engine::Position> start = engine::Position::from_fen(fen);
    if (!start)
        return std::nullopt;
    engine::Game game(*start);
    while (!moves.empty()) {
        std::uint16_t raw = 0;
        const auto [end, error] = std::from_chars(moves.data(), moves.data() + moves.size(), raw);
        const engine::Move m = engine::Move::from_raw(raw);
        if (error != std::errc() || end == moves.data() + moves.size() ||
            !game.position().is_legal(m))
            return std::nullopt;
        game.play(m);
        moves.remove_prefix(static_cast<std::size_t>(end + 1 - moves.data()));
    }
    return game;
}

std::optional<GameRecord> from_line(std::string_view line) {
    const std::size_t sum = line.rfind('\t');
    if (sum == std::string_view::npos || check_sum(line.substr(0, sum + 1)) != line.substr(sum + 1))
        return std::nullopt;
    Fields fields(line);
    if (fields.text() != Version)
        return std::nullopt;
    GameRecord g;
    g.uid = fields.text();
    const std::string fen = fields.text();
    const std::optional<engine::Game> game = replay(fen, fields.text());
    if (!game)
        return std::nullopt;
    g.game = *game;
    g.our_side = fields.number() == 0 ? engine::White : engine::Black;
    g.score = static_cast<double>(fields.number()) / 2;
    g.termination = static_cast<Termination>(fields.number());
    g.opponent.name = fields.text();
    g.opponent.server = fields.text();
    g.opponent.computer = fields.number() != 0;
    g.opponent.rating = static_cast<int>(fields.number());
    g.our_rating = static_cast<int>(fields.number());
    g.time = static_cast<TimeClass>(fields.number());
    g.played = fields.number();
    g.engine = fields.text();
    if (const std::string exit = fields.text(); !exit.empty())
        g.exit_ply = std::atoi(exit.c_str());
    g.exit_cp = static_cast<int>(fields.number());
    g.exit_depth = static_cast<int>(fields.number());
    g.reason = fields.text();
    std::istringstream draws(fields.text());
    for (std::string draw; std::getline(draws, draw);)
        g.draws.push_back(draw);
    g.resumed = fields.more();
    return fields.valid() ? std::optional(g) : std::nullopt;
}

}  // namespace

std::filesystem::path spool_of(const std::filesystem::path& book) {
    std::filesystem::path spool = book;
    return spool += ".spool";
}

void append_to_spool(const std::filesystem::path& spool, const GameRecord& game) {
    const LockedFile file(spool, O_WRONLY | O_CREAT | O_APPEND);
    const auto failure = [&spool] {
        return Failure(fmt::format(
            "the game could not be kept in \"{}\": {}", spool.string(), std::strerror(errno)));
    };
    struct stat before {};
    if (!file.is_open() || ::fstat(file.descriptor(), &before) != 0)
        throw failure();
    // A line end first: it ends what a killed writer left there.
    if (file.append("\n" + to_line(game)))
        return;
    const Failure failed = failure();
    if (::ftruncate(file.descriptor(), before.st_size) != 0)
        throw failure();
    throw failed;
}

int merge_spool(const std::filesystem::path& spool,
                const std::function<void(const GameRecord&)>& take) {
    struct stat info {};
    if (::stat(spool.c_str(), &info) != 0 || info.st_size == 0)
        return 0;
    const LockedFile file(spool, O_RDWR);
    std::string lines;
    if (file.is_open() && ::fstat(file.descriptor(), &info) == 0)
        lines = file.read();
    if (!file.is_open() || lines.size() < static_cast<std::size_t>(info.st_size))
        throw Failure(
            fmt::format("\"{}\" cannot be read: {}", spool.string(), std::strerror(errno)));
    std::istringstream text(lines);
    int taken = 0;
    for (std::string line; std::getline(text, line);)
        if (const std::optional<GameRecord> game = from_line(line)) {
            take(*game);
            ++taken;
        }
    if (::ftruncate(file.descriptor(), 0) != 0)
        throw Failure(
            fmt::format("\"{}\" cannot be emptied: {}", spool.string(), std::strerror(errno)));
    return taken;
}

}  // namespace book
