#include "tools/lab/datagen/game_file.h"

#include "engine/board/notation.h"
#include "tools/common/errors.h"
#include "tools/common/files.h"
#include "tools/lab/datagen/packed_games.h"
#include "tools/lab/datagen/raw_bytes.h"

#include <algorithm>

namespace tools::datagen {
namespace {

constexpr std::string_view Magic = "NUTGAME1";
constexpr std::size_t NoteAt = 20, NoteSize = 43, OriginAt = 53, ModeAt = GamesHeaderSize - 1;
// Added to the mode of a header with an origin: no text of an older program has such a byte there.
constexpr std::uint8_t WithOrigin = 16;
// Limits of usable positions.
constexpr int MinPly = 16, MaxScore = 1'500, MinPieces = 4;

std::string castling_text(int rights) {
    std::string text;
    for (int i = 0; i < 4; ++i)
        if ((rights >> i & 1) != 0)
            text += "KQkq"[i];
    return text.empty() ? "-" : text;
}

std::string square_text(int square) {
    return square >= engine::NoSquare ? "-" : engine::square_name(square);
}

// The board field of a FEN; empty if a piece code does not exist.
std::string fen_board(std::string_view header) {
    const auto occupied = read_at<engine::Bitboard>(header, 0);
    std::array<char, 64> board{};
    std::size_t nibble = 0;
    for (engine::Bitboard rest = occupied; rest != 0 && nibble < 32; ++nibble) {
        const auto byte = read_at<std::uint8_t>(header, 8 + nibble / 2);
        const std::size_t piece = nibble % 2 == 0 ? byte & 15U : byte >> 4U;
        if (piece >= engine::NoPiece || engine::PieceLetters[piece] == ' ')
            return {};
        board[static_cast<std::size_t>(engine::pop_lowest(rest))] = engine::PieceLetters[piece];
    }
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        for (int file = 0; file < 8; ++file) {
            const char piece = board[static_cast<std::size_t>(engine::make_square(file, rank))];
            text += piece == 0 ? '1' : piece;
        }
        if (rank > 0)
            text += '/';
    }
    return text;
}

}  // namespace

std::string encode(const GamesHeader& header) {
    std::string bytes(Magic);
    append(bytes, header.seed);
    append(bytes, header.soft_nodes);
    bytes += header.note.substr(0, header.origin ? OriginAt - NoteAt : NoteSize);
    if (header.origin) {
        bytes.resize(OriginAt, '\0');
        append(bytes, header.origin->random_plies);
        append(bytes, header.origin->label_every);
        append(bytes, header.origin->network);
        append(bytes, header.origin->parents);
    }
    bytes.resize(ModeAt, '\0');
    const auto mode = static_cast<std::uint8_t>(header.mode);
    append(bytes, static_cast<std::uint8_t>(mode + (header.origin ? WithOrigin : 0)));
    return bytes;
}

Result<GamesHeader> decode_header(std::string_view bytes) {
    if (bytes.size() < GamesHeaderSize || bytes.substr(0, Magic.size()) != Magic)
        return fail(is_packed(bytes) ? "the games are packed: --unpack them first"
                                     : "not a file of training games");
    GamesHeader header;
    header.seed = read_at<std::uint64_t>(bytes, 8);
    header.soft_nodes = read_at<std::uint32_t>(bytes, 16);
    constexpr auto Last = static_cast<std::uint8_t>(GenerationMode::Rescored);
    auto mode = read_at<std::uint8_t>(bytes, ModeAt);
    if (mode > WithOrigin && mode <= WithOrigin + Last) {
        mode = static_cast<std::uint8_t>(mode - WithOrigin);
        header.origin = Origin{.random_plies = read_at<std::uint8_t>(bytes, OriginAt),
                               .label_every = read_at<std::uint8_t>(bytes, OriginAt + 1),
                               .network = read_at<std::uint32_t>(bytes, OriginAt + 2),
                               .parents = read_at<std::uint32_t>(bytes, OriginAt + 6)};
    }
    std::string_view note = bytes.substr(NoteAt, header.origin ? OriginAt - NoteAt : NoteSize);
    header.note = note.substr(0, note.find('\0'));
    // In files of the oldest programs this byte belongs to the note.
    header.mode = mode <= Last ? static_cast<GenerationMode>(mode) : GenerationMode::Unknown;
    return header;
}

std::string encode(const TrainingGame& game) {
    const engine::Position& pos = game.start;
    std::string bytes;
    bytes.reserve(GameHeaderSize + PlySize * game.plies.size());
    append(bytes, pos.pieces());
    std::array<std::uint8_t, 16> pieces{};
    std::size_t nibble = 0;
    for (engine::Bitboard rest = pos.pieces(); rest != 0; ++nibble) {
        const unsigned piece = pos.piece_on(engine::pop_lowest(rest));
        const unsigned known = pieces[nibble / 2];
        pieces[nibble / 2] = static_cast<std::uint8_t>(known | piece << (nibble % 2 * 4));
    }
    append(bytes, pieces);
    append(bytes, static_cast<std::uint16_t>(game.plies.size()));
    append(bytes, static_cast<std::uint8_t>(pos.castling_rights()));
    append(bytes, static_cast<std::uint8_t>(pos.ep_square()));
    append(bytes, static_cast<std::uint8_t>(std::min(pos.halfmove_clock(), 255)));
    append(bytes, static_cast<std::uint8_t>(std::min(pos.fullmove_number(), 255)));
    append(bytes, static_cast<std::uint8_t>(pos.side_to_move()));
    append(bytes, static_cast<std::uint8_t>(game.result));
    for (const ScoredMove& ply : game.plies) {
        append(bytes, ply.move.raw());
        append(bytes, ply.score);
    }
    return bytes;
}

Result<engine::Position> read_start(std::string_view record) {
    const std::string board = fen_board(record);
    if (board.empty())
        return fail("a piece that does not exist");
    const auto byte = [&record](std::size_t at) { return read_at<std::uint8_t>(record, at); };
    return engine::Position::from_fen(board + (byte(30) == engine::White ? " w " : " b ") +
                                      castling_text(byte(26)) + ' ' + square_text(byte(27)) + ' ' +
                                      std::to_string(byte(28)) + ' ' + std::to_string(byte(29)));
}

Result<TrainingGame> take_game(std::string_view& bytes) {
    if (bytes.size() < GameHeaderSize)
        return fail("a record is cut off");
    const std::size_t plies = read_at<std::uint16_t>(bytes, 24);
    const auto result = read_at<std::uint8_t>(bytes, 31);
    if (bytes.size() < GameHeaderSize + PlySize * plies)
        return fail("a record is cut off");
    if (result > static_cast<std::uint8_t>(GameResult::Unknown))
        return fail("a result that does not exist");
    Result<engine::Position> start = read_start(bytes);
    if (!start)
        return fail("a game starts badly: " + start.error().what);
    TrainingGame game{*start, static_cast<GameResult>(result), {}};
    game.plies.reserve(plies);
    engine::Position pos = *start;
    for (std::size_t i = 0; i < plies; ++i) {
        const std::size_t at = GameHeaderSize + PlySize * i;
        const auto move = engine::Move::from_raw(read_at<std::uint16_t>(bytes, at));
        if (!pos.is_legal(move))
            return fail("an illegal move in " + pos.fen());
        game.plies.push_back({move, read_at<std::int16_t>(bytes, at + 2)});
        pos.make(move);
    }
    bytes.remove_prefix(GameHeaderSize + PlySize * plies);
    return game;
}

bool has_same_moves(std::string_view record, const TrainingGame& game) {
    const std::string bytes = encode(game);
    if (record.substr(0, GameHeaderSize) != std::string_view(bytes).substr(0, GameHeaderSize))
        return false;
    for (std::size_t at = GameHeaderSize; at < bytes.size(); at += PlySize)
        if (read_at<std::uint16_t>(record, at) != read_at<std::uint16_t>(bytes, at))
            return false;
    return true;
}

Result<Extent> measure_games(std::string_view bytes) {
    const Result<GamesHeader> header = decode_header(bytes);
    if (!header)
        return fail(header.error().what);
    Extent extent{GamesHeaderSize, 0, 0};
    while (extent.bytes + GameHeaderSize <= bytes.size()) {
        const std::size_t plies = read_at<std::uint16_t>(bytes, extent.bytes + 24);
        const std::size_t size = GameHeaderSize + PlySize * plies;
        if (extent.bytes + size > bytes.size())
            break;
        extent.bytes += size;
        ++extent.games;
        extent.plies += plies;
    }
    return extent;
}

Result<void> for_each_game(const std::string& path, const std::function<void(TrainingGame)>& take) {
    return to_result([&] {
        const auto take_all = [&](std::string_view records) {
            while (!records.empty())
                take(value_or_throw(take_game(records), path + ": "));
        };
        const std::string file = value_or_throw(read_bytes(path));
        if (is_packed(file)) {
            value_or_throw(for_each_block(file, Damage::Refuse, take_all), path + ": ");
            return;
        }
        const Extent extent = value_or_throw(measure_games(file), path + ": ");
        take_all(std::string_view(file).substr(GamesHeaderSize, extent.bytes - GamesHeaderSize));
    });
}

bool is_usable(const engine::Position& pos, int score, int ply) {
    return ply >= MinPly && std::abs(score) <= MaxScore &&
           engine::popcount(pos.pieces()) >= MinPieces && !pos.in_check();
}

bool is_usable(const engine::Position& pos, const ScoredMove& played, int ply) {
    const engine::Move m = played.move;
    return is_usable(pos, played.score, ply) && !pos.is_capture(m) &&
           m.kind() != engine::MoveKind::Promotion;
}

}  // namespace tools::datagen
