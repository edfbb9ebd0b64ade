// What the generated evaluation sees of a position: for each man a vector of facts that hold or do
// not. Endings of three and four men with a bare black king and no pawns, and of pawns alone.
// Source: M. Luescher, "Automatisierte Generierung einer Bewertungsfunktion für
// Schachendspiele", ETH Zürich, 2000.
#pragma once

#include "engine/board/attacks.h"
#include "tools/lab/retro/table_set.h"

namespace tools::facts {

using retro::Board;
using retro::Ending;
using retro::MaxMen;

using Facts = std::uint64_t;  // a bit for each fact

// Men with the same facts; each role has configurations of its own.
enum class Role : std::uint8_t { StrongKing, BareKing, Queen, Rook, Bishop, Knight, King, Pawn };
inline constexpr std::size_t Roles = 8;
// A king beside pawns is neither strong nor bare.
Role role_of(const Ending& ending, const retro::Man& man);

// Fails unless Black has nothing but the king, and White pieces but no pawns, or there are only
// pawns beside the kings.
Result<Ending> ending_for_facts(std::string_view name);

// The facts of each man, in the order of the ending. Requires a legal position.
std::array<Facts, MaxMen> facts_of(const Ending& ending, const Board& board);

}  // namespace tools::facts
