#include "book/store/spool.h"

#include "book/model/key.h"
#include "book/store/failure.h"
#include "engine/platform/file.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <unordered_set>

#include <fmt/format.h>

namespace book {
namespace {

using engine::platform::File;

// The first word of a line. The first version had neither time control nor event.
constexpr std::string_view FirstVersion = "game1", Version = "game2";

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

}  // namespace

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
    text(g.time_control);
    text(g.event);
    number(g.resumed ? 1 : 0);
    return line + check_sum(line) + '\n';
}

namespace {

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
    std::int64_t number() { return number_in(text()); }
    std::optional<std::int64_t> optional_number() {
        const std::string field = text();
        return field.empty() ? std::nullopt : std::optional(number_in(field));
    }
    [[nodiscard]] bool valid() const { return valid_; }
    // True if there is another field before the check sum.
    [[nodiscard]] bool more() const { return rest_.find('\t') != std::string_view::npos; }

  private:
    std::int64_t number_in(const std::string& field) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
        valid_ = valid_ && error == std::errc() && end == field.data() + field.size();
        return value;
    }

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

// Whether the line is of this program, of either version.
bool is_ours(std::string_view line) {
    const std::string_view word = line.substr(0, line.find('\t'));
    return word == FirstVersion || word == Version;
}

bool is_whole(std::string_view line) {
    const std::size_t sum = line.rfind('\t') + 1;
    return sum != 0 && check_sum(line.substr(0, sum)) == line.substr(sum);
}

// Whether the line was cut off when its writer was killed. Its game is lost. Lines of a newer
// version are not judged.
bool is_torn(std::string_view line) {
    return line.find('\t') == std::string_view::npos || (is_ours(line) && !is_whole(line));
}

}  // namespace

std::optional<GameRecord> from_line(std::string_view line) {
    if (!is_ours(line) || !is_whole(line))
        return std::nullopt;
    Fields fields(line);
    const bool first_version = fields.text() == FirstVersion;
    GameRecord g;
    g.uid = fields.text();
    if (g.uid.empty() || g.uid.size() > MaxUid)
        return std::nullopt;
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
    if (const std::optional<std::int64_t> exit = fields.optional_number())
        g.exit_ply = static_cast<int>(*exit);
    g.exit_cp = static_cast<int>(fields.number());
    g.exit_depth = static_cast<int>(fields.number());
    g.reason = fields.text();
    std::istringstream draws(fields.text());
    for (std::string draw; std::getline(draws, draw);)
        g.draws.push_back(draw);
    if (first_version) {
        g.resumed = fields.more();
    } else {
        g.time_control = fields.text();
        g.event = fields.text();
        g.resumed = fields.number() != 0;
    }
    return fields.valid() ? std::optional(g) : std::nullopt;
}

namespace {

bool nothing_in(const std::filesystem::path& spool) {
    std::error_code error;
    if (!std::filesystem::exists(spool, error))
        return true;
    const std::uintmax_t size = std::filesystem::file_size(spool, error);
    return !error && size == 0;
}

// Throws Failure if the file could not be opened, or not be read to its end.
std::string read(const std::filesystem::path& spool, const File& file) {
    std::optional<std::string> text;
    if (file.is_open())
        text = file.read_all();
    if (!text)
        throw Failure(fmt::format(
            "\"{}\" cannot be read: {}", spool.string(), engine::platform::error_text()));
    return std::move(*text);
}

// Passes the lines that are not empty, and where they begin.
template <typename Take>
void each_line(std::string_view text, const Take& take) {
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = std::min(text.find('\n', at), text.size());
        if (end > at)
            take(at, text.substr(at, end - at));
    }
}

}  // namespace

std::filesystem::path spool_of(const std::filesystem::path& book) {
    std::filesystem::path spool = book;
    return spool += ".spool";
}

void append_to_spool(const std::filesystem::path& spool, const GameRecord& game) {
    const File file = File::locked(spool, File::Mode::EditEnd);
    const auto failure = [&spool] {
        return Failure(fmt::format("the game could not be kept in \"{}\": {}",
                                   spool.string(),
                                   engine::platform::error_text()));
    };
    const std::optional<std::int64_t> before = file.is_open() ? file.size() : std::nullopt;
    if (!before)
        throw failure();
    // A line end first: it ends what a killed writer left there.
    if (file.write("\n" + to_line(game)) && file.sync())
        return;
    const Failure failed = failure();
    if (!file.truncate(*before))
        throw failure();
    throw failed;
}

namespace {

// The lines of `text` that are not in `lines`, at the same places; the rest is blank. Whenever the
// process is killed while this replaces the text, the lines that stay are in the file.
std::string without(const std::string& text, const std::unordered_set<std::string_view>& lines) {
    std::string rest = text;
    each_line(text, [&](std::size_t at, std::string_view line) {
        if (lines.contains(line))
            rest.replace(at, line.size(), line.size(), '\n');
    });
    rest.resize(std::min(rest.size(), rest.find_last_not_of('\n') + 2));
    if (rest.find_first_not_of('\n') == std::string::npos)
        rest.clear();
    return rest;
}

// Reads the file again: others may have appended lines, or removed the same ones.
void remove_lines(const std::filesystem::path& spool,
                  const std::unordered_set<std::string_view>& lines) {
    const File file = File::locked(spool, File::Mode::Edit);
    const std::string text = read(spool, file), rest = without(text, lines);
    if (rest != text && !(file.truncate(static_cast<std::int64_t>(rest.size())) && file.rewind() &&
                          file.write(rest) && file.sync()))
        throw Failure(fmt::format(
            "\"{}\" cannot be emptied: {}", spool.string(), engine::platform::error_text()));
}

}  // namespace

int merge_spool(const std::filesystem::path& spool,
                const std::function<void()>& begin,
                const std::function<void(const GameRecord&)>& take) {
    if (nothing_in(spool))
        return 0;
    begin();
    // With the lock, no line is only half written by a process that still runs.
    const std::string text = read(spool, File::locked(spool, File::Mode::Edit));
    std::unordered_set<std::string_view> done;
    int taken = 0;
    each_line(text, [&](std::size_t /*at*/, std::string_view line) {
        const std::optional<GameRecord> game = from_line(line);
        if (game) {
            take(*game);
            ++taken;
        }
        if (game || is_torn(line))
            done.insert(line);
    });
    remove_lines(spool, done);
    return taken;
}

WaitingGames count_spool(const std::filesystem::path& spool) {
    WaitingGames waiting;
    if (nothing_in(spool))
        return waiting;
    const std::string text = read(spool, File(spool, File::Mode::Read));
    each_line(text, [&waiting](std::size_t /*at*/, std::string_view line) {
        if (is_torn(line))
            return;
        ++waiting.games;
        waiting.unreadable += from_line(line) ? 0 : 1;
    });
    return waiting;
}

}  // namespace book
