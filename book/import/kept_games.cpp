#include "book/import/kept_games.h"

#include "book/store/failure.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

namespace book {
namespace {

constexpr std::size_t BlockBytes = std::size_t{1} << 18;  // unpacked, about
constexpr std::size_t MaxMoves = 65'535;
constexpr const char* Damaged = "the games that were kept for forget are damaged";

enum Flag : std::uint8_t { OutcomeBits = 3, TookWhite = 4, TookBlack = 8, HasStart = 16 };

template <typename Number>
void put_number(std::string& bytes, Number number) {
    std::array<char, sizeof number> raw{};
    std::memcpy(raw.data(), &number, sizeof number);
    bytes.append(raw.data(), raw.size());
}

// Takes numbers and text from the beginning of bytes.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : rest_(bytes) {}
    [[nodiscard]] bool empty() const { return rest_.empty(); }
    template <typename Number>
    Number number() {
        Number value{};
        std::memcpy(&value, text(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view text(std::size_t size) {
        if (size > rest_.size())
            throw Failure(Damaged);
        const std::string_view found = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return found;
    }

  private:
    std::string_view rest_;
};

bool is_taken(const KeptGame& game, std::size_t ply, bool white) {
    return static_cast<int>(ply) >= game.min_ply && (white ? game.white : game.black);
}

// How many of its moves were imported.
std::int64_t moves_of(const KeptGame& game) {
    bool white = game.white_begins;
    std::int64_t moves = 0;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply, white = !white)
        moves += is_taken(game, ply, white) ? 1 : 0;
    return moves;
}

void put_game(std::string& bytes, const KeptGame& g) {
    const int flags = static_cast<int>(g.outcome) | (g.white ? TookWhite : 0) |
                      (g.black ? TookBlack : 0) | (g.start.empty() ? 0 : HasStart);
    put_number(bytes, static_cast<std::uint8_t>(flags));
    for (const int value : {g.white_rating, g.black_rating, g.year, g.min_ply})
        put_number(bytes, static_cast<std::uint16_t>(value));
    put_number(bytes, g.hash);
    if (!g.start.empty()) {
        put_number(bytes, static_cast<std::uint16_t>(g.start.size()));
        bytes += g.start;
    }
    put_number(bytes, static_cast<std::uint16_t>(g.moves.size()));
    bytes.append(reinterpret_cast<const char*>(g.moves.data()), 2 * g.moves.size());
}

KeptGame take_game(Bytes& bytes) {
    KeptGame g;
    const auto flags = bytes.number<std::uint8_t>();
    g.outcome = static_cast<Outcome>(flags & OutcomeBits);
    g.white = (flags & TookWhite) != 0;
    g.black = (flags & TookBlack) != 0;
    for (int* const value : {&g.white_rating, &g.black_rating, &g.year, &g.min_ply})
        *value = bytes.number<std::uint16_t>();
    g.hash = bytes.number<std::int64_t>();
    if ((flags & HasStart) != 0)
        g.start = bytes.text(bytes.number<std::uint16_t>());
    g.moves.resize(bytes.number<std::uint16_t>());
    for (engine::Move& move : g.moves)
        move = engine::Move::from_raw(bytes.number<std::uint16_t>());
    return g;
}

namespace io = boost::iostreams;

std::string packed(std::string_view bytes) {
    std::string block;
    io::filtering_ostream out;
    out.push(io::zstd_compressor(io::zstd_params(3)));
    out.push(io::back_inserter(block));
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    io::close(out);
    return block;
}

std::string unpacked(const std::string& block) try {
    std::string bytes;
    std::istringstream source(block);
    io::filtering_istream in;
    in.push(io::zstd_decompressor());
    in.push(source);
    io::copy(in, io::back_inserter(bytes));
    return bytes;
} catch (const std::exception&) {
    throw Failure(Damaged);
}

static_assert(sizeof(engine::Move) == 2);

}  // namespace

void KeptGames::add(const KeptGame& game, std::uint64_t number, std::size_t file) {
    if (game.moves.size() > MaxMoves)
        give_up();
    if (gave_up_)
        return;
    if (open_.games.size() >= BlockBytes || open_.file != file)
        end_block();
    open_.file = file;
    open_.counts.emplace_back(number, moves_of(game));
    put_game(open_.games, game);
}

void KeptGames::end_block() {
    if (open_.counts.empty())
        return;
    open_.games = packed(open_.games);
    bytes_ += open_.games.size() + open_.counts.size() * sizeof open_.counts.front();
    blocks_.push_back(std::move(open_));
    open_ = {};
    if (bytes_ > max_bytes_)
        give_up();
}

void KeptGames::give_up() {
    gave_up_ = true;
    blocks_.clear();
    open_ = {};
}

void KeptGames::take(const std::vector<bool>& left_out, const Take& take) {
    end_block();
    for (Block& block : blocks_) {
        std::int64_t moves = 0;
        bool complete = true;
        for (auto& [number, count] : block.counts) {
            if (!left_out.empty() && left_out[number])
                count = -1;
            complete = complete && count >= 0;
            moves += std::max<std::int64_t>(count, 0);
        }
        if (!complete) {
            std::string rest;
            auto at = block.counts.begin();
            each_game(block.games, [&](const KeptGame& game) {
                if ((at++)->second >= 0)
                    put_game(rest, game);
            });
            block.games = packed(rest);
        }
        take(block.file, block.games, moves);
    }
    blocks_.clear();
}

void each_game(const std::string& block, const std::function<void(const KeptGame&)>& take) {
    const std::string bytes = unpacked(block);
    for (Bytes rest(bytes); !rest.empty();)
        take(take_game(rest));
}

void each_move(const KeptGame& g, const std::function<void(const Occurrence&)>& take) {
    engine::Position pos =
        g.start.empty() ? engine::Position() : value_or_throw(engine::Position::from_fen(g.start));
    for (std::size_t ply = 0; ply < g.moves.size(); ++ply) {
        const Move move = g.moves[ply];
        if (!pos.is_legal(move))
            throw Failure(Damaged);
        const Color side = pos.side_to_move();
        const bool white = side == engine::White;
        if (is_taken(g, ply, white))
            take({.key = pos.key(),
                  .move = book::store(move, side),
                  .outcome = g.outcome,
                  .rating = white ? g.white_rating : g.black_rating,
                  .year = storable_year(g.year)});
        pos.make(move);
    }
}

std::string pack_edges(const std::vector<KeyedEdge>& edges) {
    std::string bytes;
    for (const KeyedEdge& e : edges) {
        put_number(bytes, e.key);
        put_number(bytes, e.edge.move);
        put_number(bytes, e.edge.draws);
    }
    return packed(bytes);
}

std::vector<KeyedEdge> unpack_edges(const std::string& block) {
    const std::string bytes = unpacked(block);
    std::vector<KeyedEdge> edges;
    for (Bytes rest(bytes); !rest.empty();) {
        KeyedEdge e{.key = rest.number<Key>(), .edge = {}};
        e.edge.move = rest.number<StoredMove>();
        e.edge.draws = rest.number<std::int64_t>();
        edges.push_back(e);
    }
    return edges;
}

}  // namespace book
