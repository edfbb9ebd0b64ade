#include "book/probe/polyglot_book.h"

#include "book/store/failure.h"

#include <array>

namespace book {
namespace {

constexpr std::int64_t EntryBytes = PolyglotEntry::Bytes;

// The moves that PolyGlot encodes alike; at most one of them is legal.
std::vector<Move> decoded(std::uint16_t bits) {
    const auto to = static_cast<engine::Square>(bits & 63),
               from = static_cast<engine::Square>(bits >> 6 & 63);
    const int promotion = bits >> 12 & 7;
    if (promotion > 4)
        return {};
    if (promotion > 0)
        return {Move::promotion(
            from, to, static_cast<engine::PieceType>(engine::Knight + promotion - 1))};
    return {Move(from, to),
            Move(from, to, engine::MoveKind::Castling),
            Move(from, to, engine::MoveKind::EnPassant)};
}

}  // namespace

PolyglotBook::PolyglotBook(const std::filesystem::path& file) : file_(file) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file, error);  // fails on pipes
    if (!error)
        in_.open(file, std::ios::binary);
    if (!in_.is_open())
        throw Failure("\"" + file.string() + "\" cannot be read");
    entries_ = static_cast<std::int64_t>(bytes) / EntryBytes;
    if (entries_ == 0 || bytes % EntryBytes != 0 || read(0).key > read(entries_ - 1).key)
        throw Failure("\"" + file.string() + "\" is not a PolyGlot book");
}

PolyglotEntry PolyglotBook::read(std::int64_t index) {
    std::array<char, PolyglotEntry::Bytes> bytes{};
    in_.clear();
    in_.seekg(index * EntryBytes);
    if (!in_.read(bytes.data(), bytes.size()))
        throw Failure("\"" + file_.string() + "\" cannot be read");
    return polyglot_entry(bytes);
}

std::vector<PolyglotBook::KnownMove>
PolyglotBook::moves(Key key, const std::function<bool(StoredMove)>& is_legal) {
    std::int64_t first = 0, last = entries_;
    while (first < last) {
        const std::int64_t middle = (first + last) / 2;
        if (read(middle).key < key)
            first = middle + 1;
        else
            last = middle;
    }
    std::vector<KnownMove> found;
    for (; first < entries_; ++first) {
        const PolyglotEntry entry = read(first);
        if (entry.key != key)
            break;
        if (entry.weight > 0)
            for (const Move move : decoded(entry.move))
                for (const Color side : {engine::White, engine::Black})
                    if (const StoredMove stored = store(move, side); is_legal(stored))
                        found.push_back({.move = stored, .weight = entry.weight});
    }
    return found;
}

}  // namespace book
