#include "tools/lab/datagen/block_coder.h"

#include "tools/common/adjudicator.h"
#include "tools/common/errors.h"
#include "tools/lab/datagen/game_file.h"
#include "tools/lab/datagen/move_ranking.h"
#include "tools/lab/datagen/range_coder.h"
#include "tools/lab/datagen/raw_bytes.h"

#include <bit>
#include <memory>

namespace tools::datagen {
namespace {

constexpr std::size_t MaxDigits = 18;  // of a number, in bits
constexpr int EarlyPly = 16;           // before it no position is usable
constexpr int FirstSpread = 64, MaxChange = 600;

// One bit model for each inner node of a binary tree with this number of leaves.
template <std::size_t leaves>
using Tree = std::array<AdaptiveBit, leaves>;

using Board = std::array<std::uint8_t, 64>;  // engine::Piece by square

// The fields of a record's header, as they stand in it.
struct RecordHead {
    Board board{};
    std::uint16_t plies = 0;
    std::array<std::uint8_t, 5> state{};  // rights, en passant, both clocks, side to move
    std::uint8_t result = 0;
};

RecordHead parse_head(std::string_view record) {
    RecordHead head;
    head.board.fill(engine::NoPiece);
    std::size_t nibble = 0;
    for (auto rest = read_at<engine::Bitboard>(record, 0); rest != 0 && nibble < 32; ++nibble) {
        const auto byte = read_at<std::uint8_t>(record, 8 + nibble / 2);
        head.board.at(static_cast<std::size_t>(engine::pop_lowest(rest))) =
            static_cast<std::uint8_t>(nibble % 2 == 0 ? byte & 15U : byte >> 4U);
    }
    head.plies = read_at<std::uint16_t>(record, 24);
    for (std::size_t i = 0; i < head.state.size(); ++i)
        head.state.at(i) = read_at<std::uint8_t>(record, 26 + i);
    head.result = read_at<std::uint8_t>(record, 31);
    return head;
}

std::string encode(const RecordHead& head) {
    engine::Bitboard occupied = 0;
    std::array<std::uint8_t, 16> pieces{};
    std::size_t nibble = 0;
    for (std::size_t s = 0; s < head.board.size(); ++s) {
        if (head.board.at(s) == engine::NoPiece)
            continue;
        if (nibble == 32)
            throw Failure("more than 32 pieces");
        occupied |= engine::Bitboard{1} << s;
        std::uint8_t& both = pieces.at(nibble / 2);
        both = static_cast<std::uint8_t>(both | head.board.at(s) << (nibble % 2 * 4));
        ++nibble;
    }
    std::string bytes;
    append(bytes, occupied);
    append(bytes, pieces);
    append(bytes, head.plies);
    append(bytes, head.state);
    append(bytes, head.result);
    return bytes;
}

// 0 to 4: far below zero, below, about zero, above, far above.
std::size_t leaning(int x, int slight, int strong) {
    return x < -strong ? 0 : x < -slight ? 1 : x <= slight ? 2 : x <= strong ? 3 : 4;
}

// Predicts the next score from the scores of the game so far. Scores are White's.
struct ScoreContext {
    int last = 0, before = 0;  // the last two
    int last_change = 0;       // of the side that moved
    int spread = FirstSpread;  // of the changes, about 16 times their mean
    bool any = false, dropped = false;

    // How far the next score is from the last one, in half octaves: 0 to 25.
    [[nodiscard]] std::size_t width() const {
        const int wide = std::min(spread + 4 * std::abs(last - before), 60'000) + 8;
        const int octave = 31 - std::countl_zero(static_cast<unsigned>(wide));  // 3 to 15
        const int half_octaves = 2 * (octave - 3) + (wide >> (octave - 1) & 1);
        return static_cast<std::size_t>(half_octaves);
    }
    void add(int score, int change) {
        before = any ? last : score;
        last = score;
        any = true;
        last_change = change;
        spread += (16 * std::min(std::abs(change), MaxChange) - spread) / 5;
    }
};

// Codes games with a BitEncoder, which writes the arguments, or a BitDecoder, which fills them in.
template <typename Coder>
class GameCoder {
  public:
    explicit GameCoder(Coder coder) : coder_(std::move(coder)) {}
    Coder& coder() { return coder_; }

    void code(RecordHead& head) {
        head.result = leaf(result_, head.result);
        const bool child = head.result == static_cast<std::uint8_t>(GameResult::Unknown);
        // A child position is like the one before it, a game's start like that of chess.
        const Board& like = child ? previous_ : start_of_chess_;
        for (std::size_t s = 0; s < like.size(); ++s) {
            const std::uint8_t piece = head.board.at(s);
            const bool differs = coder_.code(piece != like.at(s), differs_[child ? 1 : 0].at(s));
            head.board.at(s) = differs ? leaf(pieces_.at(like.at(s)), piece) : like.at(s);
        }
        for (std::size_t i = 0; i < head.state.size(); ++i)
            head.state.at(i) = leaf(state_.at(i), head.state.at(i));
        head.plies = static_cast<std::uint16_t>(number(plies_, plies_digits_, head.plies));
        previous_ = head.board;
    }

    void code(engine::Position pos, std::vector<ScoredMove>& plies) {
        ScoreContext scores;
        EarlierMoves earlier;
        for (ScoredMove& ply : plies) {
            ply.move = move(pos, earlier, ply.move);
            ply.score = score(pos, scores, ply);
            earlier = {ply.move, earlier.theirs};
            pos.make(ply.move);
        }
    }

  private:
    template <std::size_t leaves>
    std::uint8_t leaf(Tree<leaves>& tree, std::uint8_t value) {
        std::size_t node = 1;
        for (std::size_t half = leaves / 2; half != 0; half /= 2)
            node = 2 * node + (coder_.code((value & half) != 0, tree.at(node)) ? 1 : 0);
        return static_cast<std::uint8_t>(node - leaves);
    }

    struct Digits {
        std::array<Tree<8>, MaxDigits + 1> high;  // the three below the highest
        std::array<std::array<AdaptiveBit, MaxDigits>, MaxDigits + 1> low;
    };
    // The length of the number in binary digits, then the digits after the first.
    unsigned number(std::array<AdaptiveBit, MaxDigits>& lengths, Digits& digits, unsigned value) {
        std::size_t length = 0;
        const auto wanted = static_cast<std::size_t>(std::bit_width(value));
        while (length < MaxDigits && !coder_.code(wanted == length, lengths.at(length)))
            ++length;
        unsigned result = length > 0 ? 1 : 0;
        for (std::size_t left = length; left-- > 1;) {
            const std::size_t done = length - 1 - left;
            AdaptiveBit& model =
                done < 3 ? digits.high.at(length).at(result & 7U) : digits.low.at(length).at(left);
            result = 2 * result + (coder_.code((value >> (left - 1) & 1U) != 0, model) ? 1 : 0);
        }
        return result;
    }

    engine::Move
    move(const engine::Position& pos, const EarlierMoves& earlier, engine::Move played) {
        const std::vector<RankedMove>& ranked = ranking_.rank(pos, earlier);
        for (std::size_t i = 0; i < ranked.size(); ++i) {
            const std::size_t left = std::min<std::size_t>((ranked.size() - 1 - i) / 4, 5);
            const int level = std::clamp((ranked[i].score / 256 + 1'024) / 64, 0, 31);
            AdaptiveBit& model = candidates_.at(left)
                                     .at(std::min<std::size_t>(i, 3))
                                     .at(static_cast<std::size_t>(level));
            const bool only = i + 1 == ranked.size();  // costs no bit
            const bool hit = only ? Coder::Decodes || ranked[i].move == played
                                  : coder_.code(ranked[i].move == played, model);
            if (!only)
                ranking_.learn(ranked[i], hit);
            if (hit)
                return ranked[i].move;
        }
        throw Failure("an illegal move in " + pos.fen());
    }

    std::int16_t score(const engine::Position& pos, ScoreContext& context, const ScoredMove& ply) {
        const bool tactical =
            pos.is_capture(ply.move) || ply.move.kind() == engine::MoveKind::Promotion;
        const bool white = pos.side_to_move() == engine::White;
        const std::size_t kind = (context.dropped ? 1U : 0U) + (pos.in_check() ? 2U : 0U) +
                                 (tactical ? 4U : 0U) + (game_ply(pos) < EarlyPly ? 8U : 0U);
        context.dropped = coder_.code(ply.score == NotForTraining, dropped_.at(kind));
        if (context.dropped)
            return NotForTraining;
        const int expected = white ? context.last : -context.last;
        const int change = ply.score - expected;
        const auto size = static_cast<int>(number(
            changes_.at(context.width()), change_digits_, static_cast<unsigned>(std::abs(change))));
        bool better = false;
        if (size != 0) {
            const int trend = white ? context.last - context.before : context.before - context.last;
            AdaptiveBit& sign = better_.at(leaning(trend, 8, 40))
                                    .at(leaning(context.last_change, 4, 20))
                                    .at(leaning(expected, 40, 300))
                                    .at(tactical ? 1 : 0);
            better = coder_.code(change > 0, sign);
        }
        const auto found = static_cast<std::int16_t>(expected + (better ? size : -size));
        context.add(white ? found : -found, better ? size : -size);
        return found;
    }

    Coder coder_;
    MoveRanking ranking_;
    const Board start_of_chess_ = parse_head(datagen::encode(TrainingGame{})).board;
    Board previous_ = start_of_chess_;
    Tree<4> result_;
    std::array<std::array<AdaptiveBit, 64>, 2> differs_;
    std::array<Tree<16>, 16> pieces_;  // by the piece expected there
    std::array<Tree<256>, 5> state_;
    std::array<AdaptiveBit, MaxDigits> plies_;
    Digits plies_digits_, change_digits_;
    // By the number of moves that are left, the rank and the score of the candidate.
    std::array<std::array<std::array<AdaptiveBit, 32>, 4>, 6> candidates_;
    std::array<AdaptiveBit, 16> dropped_;
    std::array<std::array<AdaptiveBit, MaxDigits>, 32> changes_;
    std::array<std::array<std::array<std::array<AdaptiveBit, 2>, 5>, 5>, 5> better_;
};

}  // namespace

Result<std::string> encode_block(std::string_view records) {
    return to_result([&] {
        const auto games = std::make_unique<GameCoder<BitEncoder>>(BitEncoder());
        while (!records.empty()) {
            const std::string_view record = records;
            TrainingGame game = value_or_throw(take_game(records));
            RecordHead head = parse_head(record);
            games->code(head);
            games->code(game.start, game.plies);
        }
        return games->coder().finish();
    });
}

Result<std::string> decode_block(std::string_view block, std::uint64_t games, std::size_t size) {
    return to_result([&] {
        const auto decoder = std::make_unique<GameCoder<BitDecoder>>(BitDecoder(block));
        std::string records;
        for (; games > 0; --games) {
            RecordHead head;
            decoder->code(head);
            const std::string bytes = encode(head);
            if (size - records.size() < GameHeaderSize + PlySize * head.plies)
                throw Failure("the games are longer than the block");
            std::vector<ScoredMove> plies(head.plies);
            decoder->code(value_or_throw(read_start(bytes)), plies);
            records += bytes;
            for (const ScoredMove& ply : plies) {
                append(records, ply.move.raw());
                append(records, ply.score);
            }
        }
        if (records.size() != size)
            throw Failure("the games are shorter than the block");
        return records;
    });
}

}  // namespace tools::datagen
