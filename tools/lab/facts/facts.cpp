#include "tools/lab/facts/facts.h"

#include "tools/lab/facts/fact_writer.h"
#include "tools/lab/facts/pawn_facts.h"

#include <fmt/format.h>

namespace tools::facts {
namespace {

using engine::bit;
using engine::Bitboard;
using engine::file_of;
using engine::rank_of;
using engine::Square;
using retro::Squares;

int to_edge(int coordinate) {
    return std::min(coordinate, 7 - coordinate);
}
int square_to_edge(Square s) {
    return std::min(to_edge(file_of(s)), to_edge(rank_of(s)));
}

// What is common to the facts of all men.
struct Scene {
    Square strong, bare;  // kings
    bool bare_moves;
    Bitboard occupied = 0, attacked = 0;  // by White, through the bare king
    int kings, edge, other_edge;  // distances; of the bare king to two edges, the nearer first
    int mobility = 0;             // squares the bare king can go to
    int area = 0;                 // class of the number of squares it can reach in the end
    int corner = 7;               // its distance to a corner of the only bishop's colour
    std::array<Bitboard, MaxMen> reach{};

    Scene(const Ending& ending, const Board& board);
};

// 1, 2, 3, 4, 5-6, 7-8, 9-12, 13-17, 18-25, more: 0 to 9.
int area_class(int squares) {
    constexpr std::array Limits = {1, 2, 3, 4, 6, 8, 12, 17, 25};
    int found = 0;
    while (found < static_cast<int>(Limits.size()) &&
           squares > Limits[static_cast<std::size_t>(found)])
        ++found;
    return found;
}

int reachable(Square from, Bitboard forbidden) {
    Bitboard area = bit(from), next = area;
    while (next != 0) {
        Bitboard found = 0;
        while (next != 0)
            found |= engine::attacks(engine::King, engine::pop_lowest(next), 0);
        next = found & ~forbidden & ~area;
        area |= next;
    }
    return engine::popcount(area);
}

// The distance to the nearest corner of the colour of `bishop`.
int to_corner(Square from, Square bishop) {
    const bool dark = (file_of(bishop) + rank_of(bishop)) % 2 == 0;
    return dark ? std::min(distance(from, engine::A1), distance(from, engine::H8))
                : std::min(distance(from, engine::H1), distance(from, engine::A8));
}

Scene::Scene(const Ending& ending, const Board& board)
    : strong(board.squares[0]), bare(board.squares[1]), bare_moves(board.side == engine::Black),
      kings(distance(strong, bare)), edge(std::min(to_edge(file_of(bare)), to_edge(rank_of(bare)))),
      other_edge(std::max(to_edge(file_of(bare)), to_edge(rank_of(bare)))) {
    int bishops = 0;
    Square bishop = engine::NoSquare;
    for (std::size_t i = 0; i < ending.size(); ++i)
        occupied |= bit(board.squares[i]);
    for (std::size_t i = 0; i < ending.size(); ++i) {
        if (ending[i].color != engine::White)
            continue;
        reach[i] = engine::attacks(ending[i].type, board.squares[i], occupied & ~bit(bare));
        attacked |= reach[i];
        if (ending[i].type == engine::Bishop) {
            ++bishops;
            bishop = board.squares[i];
        }
    }
    if (bishops == 1)
        corner = to_corner(bare, bishop);
    mobility = engine::popcount(engine::attacks(engine::King, bare, 0) & ~attacked);
    area = area_class(reachable(bare, attacked));
}

// Where the strong king stands, seen from the edge to which the bare king is nearest: how much
// nearer to the middle it is, and how far to the side.
std::pair<int, int> seen_from_edge(const Scene& s) {
    const int file = file_of(s.bare), rank = rank_of(s.bare);
    const bool by_file = to_edge(file) < to_edge(rank) ||
                         (to_edge(file) == to_edge(rank) &&
                          std::abs(file_of(s.strong) - file) > std::abs(rank_of(s.strong) - rank));
    const int own = by_file ? file : rank, theirs = by_file ? file_of(s.strong) : rank_of(s.strong);
    const int above = own < 4 ? theirs - own : own - theirs;
    const int aside =
        by_file ? std::abs(rank_of(s.strong) - rank) : std::abs(file_of(s.strong) - file);
    return {above, aside};
}

Facts king_facts(const Scene& s, bool strong) {
    const auto [above, aside] = seen_from_edge(s);
    FactWriter out;
    out.flag(s.bare_moves);
    out.one_of(s.kings, 2, 7);
    out.one_of(s.edge, 0, 3);
    out.one_of(above, -1, 3);
    out.one_of(aside, 0, 4);
    out.one_of(s.corner, 0, 7);
    if (strong) {
        out.one_of(square_to_edge(s.strong), 0, 3);
        out.one_of(s.area, 0, 9);
    } else {
        out.one_of(s.other_edge, 0, 3);
        out.one_of(s.mobility, 0, 8);
        out.one_of(s.area, 0, 9);
        out.flag((s.attacked & bit(s.bare)) != 0);
    }
    return out.facts();
}

// Of the rectangle in which a rook or queen encloses the bare king: the smaller and the larger
// side.
std::pair<int, int> box(Square rook, Square king) {
    const auto side = [](int r, int k) { return k < r ? r : k > r ? 7 - r : 8; };
    const int file = side(file_of(rook), file_of(king)), rank = side(rank_of(rook), rank_of(king));
    return {std::min(file, rank), std::max(file, rank)};
}

bool between(int a, int x, int b) {
    return (a < x && x < b) || (b < x && x < a);
}

Facts piece_facts(const Scene& s, const Ending& ending, const Board& board, std::size_t man) {
    const Square here = board.squares[man];
    FactWriter out;
    out.flag(s.bare_moves);
    out.one_of(distance(here, s.bare), 1, 5);
    out.one_of(distance(here, s.strong), 1, 4);
    out.flag((s.attacked & bit(here)) != 0);
    out.one_of(engine::popcount(engine::attacks(engine::King, s.bare, 0) & s.reach[man]), 0, 4);
    out.one_of(s.kings, 2, 5);
    out.one_of(s.edge, 0, 3);
    out.one_of(s.area, 0, 9);
    if (ending[man].type == engine::Rook || ending[man].type == engine::Queen) {
        const auto [small, large] = box(here, s.bare);
        out.one_of(small, 1, 7);
        out.one_of(large, 2, 8);
        out.flag(between(file_of(s.bare), file_of(here), file_of(s.strong)));
        out.flag(between(rank_of(s.bare), rank_of(here), rank_of(s.strong)));
        out.flag(file_of(here) == file_of(s.bare) || rank_of(here) == rank_of(s.bare));
        out.flag(file_of(here) == file_of(s.strong) || rank_of(here) == rank_of(s.strong));
    } else {
        out.one_of(s.corner, 0, 7);
        out.one_of(square_to_edge(here), 0, 3);
        out.flag((s.reach[man] & bit(s.bare)) != 0);
        int friends = 7;
        for (std::size_t i = 2; i < ending.size(); ++i)
            if (i != man)
                friends = distance(here, board.squares[i]);
        out.one_of(friends, 1, 4);
        out.one_of(s.mobility, 0, 6);
    }
    return out.facts();
}

}  // namespace

Role role_of(const Ending& ending, const retro::Man& man) {
    switch (man.type) {
    case engine::King:
        if (ending.has_pawns())
            return Role::King;
        return man.color == engine::White ? Role::StrongKing : Role::BareKing;
    case engine::Queen:
        return Role::Queen;
    case engine::Rook:
        return Role::Rook;
    case engine::Bishop:
        return Role::Bishop;
    case engine::Pawn:
        return Role::Pawn;
    default:
        return Role::Knight;
    }
}

Result<Ending> ending_for_facts(std::string_view name) {
    Result<Ending> ending = Ending::from_name(name);
    if (!ending)
        return ending;
    bool bare = true, only_pawns = true;
    for (std::size_t i = 2; i < ending->size(); ++i) {
        const bool pawn = (*ending)[i].type == engine::Pawn;
        bare = bare && (*ending)[i].color == engine::White && !pawn;
        only_pawns = only_pawns && pawn;
    }
    if (!bare && !only_pawns)
        return fail(
            fmt::format("neither pieces against a bare king nor pawns alone: \"{}\"", name));
    return ending;
}

std::array<Facts, MaxMen> facts_of(const Ending& ending, const Board& board) {
    if (ending.has_pawns())
        return pawn_facts_of(ending, board);
    const Scene scene(ending, board);
    std::array<Facts, MaxMen> facts{king_facts(scene, true), king_facts(scene, false)};
    for (std::size_t i = 2; i < ending.size(); ++i)
        facts[i] = piece_facts(scene, ending, board, i);
    return facts;
}

}  // namespace tools::facts
