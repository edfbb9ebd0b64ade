#include "engine/endgame/win_solver.h"

#include "engine/endgame/conversions.h"
#include "engine/endgame/word_moves.h"

namespace engine {

// Solves slice by slice: a slice has fixed pawns, and pawn moves lead to slices solved before.
class WinSolver {
  public:
    WinSolver(WinTable& table,
              const WinTables& known,
              const std::function<bool()>& stopped,
              int given_up);
    bool solve();  // false if stopped

  private:
    using Men = WinTable::Men;
    using Words = std::vector<Bitboard>;
    // Squares that become won, or can become lost, once a number of plies is reached.
    struct Change {
        std::size_t index;  // in the slice
        Bitboard squares;
    };
    using Changes = std::vector<std::vector<Change>>;  // by plies

    [[nodiscard]] std::vector<Men> slices() const;
    bool solve_slice(const Men& pawns);
    void begin_block(std::size_t k, Men men);
    void begin_position(std::size_t index, Square king, const Men& men);
    void find_reaching(std::size_t first);
    void find_mates(std::size_t k);
    void schedule(Changes& changes, std::size_t index, Bitboard squares, const DatedSquares& dated);
    void extend_wins(std::size_t k);
    void add_king_moves(std::size_t k);
    void extend_losses(std::size_t k, std::size_t plies);
    void apply_wins(std::size_t k, std::size_t plies);
    void note(std::vector<std::uint8_t>& list,
              std::size_t index,
              Bitboard squares,
              std::size_t plies) const;

    WinTable& table_;
    std::function<bool()> stopped_;
    std::size_t pawns_;
    std::vector<Square> kings_;  // the attacker's
    BySquare<std::size_t> king_index_{};
    std::size_t block_ = 1;  // words for one square of the attacker's king
    std::size_t base_ = 0;   // the first word of the slice
    Bitboard *open_ = nullptr, *lost_ = nullptr;
    // By word of the slice. Free: the men stand on different squares, the defender's king on none
    // of them. Candidates: the defender, to move, loses unless a piece or the king has a move that
    // saves the game. Movable: the defender has a capture, a promotion or a pawn move.
    Words free_, candidates_, movable_, to_defend_, new_wins_;
    Words reaching_;  // of one block
    std::vector<WordMoves> attackers_, defenders_;
    std::vector<char> open_changed_, lost_changed_, lost_changed_before_;  // by block
    Changes wins_, releases_;
    Words stuck_;  // stalemates, if en passant may end them; else empty
    Conversions conversions_;
};

WinSolver::WinSolver(WinTable& table,
                     const WinTables& known,
                     const std::function<bool()>& stopped,
                     int given_up)
    : table_(table), stopped_(stopped), pawns_(static_cast<std::size_t>(table.material().pawns())),
      conversions_(table, known, stuck_, given_up) {
    for (Square s = 0; s < 64; ++s)
        if (pawns_ > 0 || turn_to_triangle(s) == 0) {
            king_index_[s] = kings_.size();
            kings_.push_back(s);
        }
    for (std::size_t i = pawns_; i < table.men().size(); ++i)
        block_ *= 64;
    std::size_t stride = block_;
    for (std::size_t i = pawns_; i < table.men().size(); ++i) {
        stride /= 64;
        const auto [attacks, type] = table.men()[i];
        (attacks ? attackers_ : defenders_).emplace_back(type, block_, stride);
    }
    for (Words* words : {&free_, &candidates_, &movable_, &to_defend_, &new_wins_})
        words->resize(kings_.size() * block_);
    reaching_.resize(block_);
    for (auto* flags : {&open_changed_, &lost_changed_, &lost_changed_before_})
        flags->resize(kings_.size());
    if (conversions_.en_passant())
        stuck_.resize(table.open_.size());
}

// Squares of the pawns, each slice after those that pawn moves lead to.
std::vector<WinSolver::Men> WinSolver::slices() const {
    std::vector<std::pair<int, Men>> found = {{0, {}}};
    for (std::size_t i = 0; i < pawns_; ++i) {
        std::vector<std::pair<int, Men>> longer;
        for (const auto& [left, men] : found)
            for (Square s = 8; s < 56; ++s) {
                if (i == 0 && file_of(s) > 3)
                    continue;
                longer.emplace_back(left + (table_.men()[i].attacks ? 7 - rank_of(s) : rank_of(s)),
                                    men);
                longer.back().second[i] = s;
            }
        found = std::move(longer);
    }
    std::stable_sort(
        found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Men> list;
    list.reserve(found.size());
    for (const auto& [left, men] : found)
        list.push_back(men);
    return list;
}

bool WinSolver::solve() {
    for (const Men& pawns : slices())
        if (!solve_slice(pawns))
            return false;
    return true;
}

bool WinSolver::solve_slice(const Men& pawns) {
    base_ = table_.place(kings_[0], pawns).index;
    open_ = table_.open_.data() + base_;
    lost_ = table_.lost_.data() + base_;
    wins_.assign(1, {});
    releases_.assign(1, {});
    for (std::size_t k = 0; k < kings_.size(); ++k) {
        constexpr std::size_t WordsInMillisecond = 4'096;
        if (k * block_ % WordsInMillisecond == 0 && stopped_ && stopped_())
            return false;
        begin_block(k, pawns);
    }
    std::fill(open_changed_.begin(), open_changed_.end(), char{1});
    std::fill(lost_changed_.begin(), lost_changed_.end(), char{1});
    const auto any = [](const std::vector<char>& flags) {
        return std::find(flags.begin(), flags.end(), 1) != flags.end();
    };
    for (std::size_t plies = 1; plies < std::max(wins_.size(), releases_.size()) ||
                                any(open_changed_) || any(lost_changed_);
         ++plies) {
        if (stopped_ && stopped_())
            return false;
        std::swap(lost_changed_, lost_changed_before_);
        std::fill(lost_changed_.begin(), lost_changed_.end(), char{0});
        for (std::size_t k = 0; k < kings_.size(); ++k)
            extend_wins(k);
        if (plies < wins_.size())
            for (const Change& c : wins_[plies])
                new_wins_[c.index] |= c.squares & open_[c.index];
        if (plies < releases_.size())
            for (const Change& c : releases_[plies]) {
                candidates_[c.index] |= c.squares;
                open_changed_[c.index / block_] = 1;
            }
        for (std::size_t k = 0; k < kings_.size(); ++k) {
            extend_losses(k, plies);
            apply_wins(k, plies);
        }
    }
    return true;
}

void WinSolver::begin_block(std::size_t k, Men men) {
    const std::size_t first = k * block_;
    for (std::size_t i = 0; i < block_; ++i) {
        std::size_t rest = i;
        for (std::size_t man = table_.men().size(); man-- > pawns_; rest /= 64)
            men[man] = static_cast<Square>(rest % 64);
        begin_position(first + i, kings_[k], men);
    }
    find_mates(k);
}

void WinSolver::schedule(Changes& changes,
                         std::size_t index,
                         Bitboard squares,
                         const DatedSquares& dated) {
    while (squares != 0) {
        const std::size_t plies = table_.has_distances() ? dated.plies[lowest(squares)] : 1;
        Bitboard same = 0;
        for (Bitboard b = squares; b != 0;) {
            const Square s = pop_lowest(b);
            if (!table_.has_distances() || dated.plies[s] == plies)
                same |= bit(s);
        }
        if (changes.size() <= plies)
            changes.resize(plies + 1);
        changes[plies].push_back({index, same});
        squares &= ~same;
    }
}

// Sets up a word by all moves except quiet moves of pieces and kings.
void WinSolver::begin_position(std::size_t index, Square king, const Men& men) {
    free_[index] = candidates_[index] = movable_[index] = to_defend_[index] = 0;
    open_[index] = lost_[index] = new_wins_[index] = 0;
    Bitboard occupied = bit(king);
    for (std::size_t i = 0; i < table_.men().size(); ++i) {
        if ((occupied & bit(men[i])) != 0)
            return;
        occupied |= bit(men[i]);
    }
    free_[index] = ~occupied;
    open_[index] = table_.legal(king, men);
    to_defend_[index] = conversions_.legal_to_defend(king, men);
    DatedSquares wins;
    conversions_.find_wins(king, men, wins);
    schedule(wins_, index, wins.squares & open_[index], wins);
    Defence defence;
    conversions_.find_defence(king, men, defence);
    movable_[index] = defence.moves;
    candidates_[index] = to_defend_[index] & ~defence.saved;
    const Bitboard late = defence.late.squares & candidates_[index];
    schedule(releases_, index, late, defence.late);
    candidates_[index] &= ~late;
}

// Sets reaching_: from where the defender can move to an open position, in the block that begins at
// `first`.
void WinSolver::find_reaching(std::size_t first) {
    for (std::size_t i = 0; i < block_; ++i)
        reaching_[i] = king_steps(open_[first + i]);
    for (const WordMoves& man : defenders_)
        man.add({open_ + first, block_}, {&free_[first], block_}, reaching_);
}

// Requires that nothing is won yet in the block.
void WinSolver::find_mates(std::size_t k) {
    const std::size_t first = k * block_;
    find_reaching(first);
    for (std::size_t i = 0; i < block_; ++i) {
        const std::size_t index = first + i;
        const Bitboard motionless = to_defend_[index] & ~(reaching_[i] | movable_[index]);
        const Bitboard mated = motionless & ~open_[index];
        candidates_[index] &= ~motionless;
        lost_[index] = mated;
        if (!stuck_.empty())
            stuck_[base_ + index] = motionless & open_[index];
    }
}

void WinSolver::add_king_moves(std::size_t k) {
    for (Bitboard to = king_attacks(kings_[k]); to != 0;) {
        const Square t = pop_lowest(to);
        const Turn turn = pawns_ > 0 ? Turn{0} : turn_to_triangle(t);
        const Bitboard* lost = lost_ + king_index_[turned(t, turn)] * block_;
        if (turn == 0) {
            for (std::size_t i = 0; i < block_; ++i)
                reaching_[i] |= lost[i];
            continue;
        }
        std::array<std::size_t, 64> square{};
        for (Square s = 0; s < 64; ++s)
            square[static_cast<std::size_t>(s)] = static_cast<std::size_t>(turned(s, turn));
        for (std::size_t i = 0; i < block_; ++i) {
            if (open_[k * block_ + i] == 0)
                continue;
            std::size_t there = 0;
            for (std::size_t unit = block_ / 64; unit > 0; unit /= 64)
                there += unit * square[i / unit % 64];
            reaching_[i] |= turned_back(lost[block_ == 1 ? 0 : there], turn);
        }
    }
}

// The attacker wins if a move leads to a position that the defender loses.
void WinSolver::extend_wins(std::size_t k) {
    bool changed = lost_changed_before_[k] != 0;
    for (Bitboard to = king_attacks(kings_[k]); to != 0;) {
        const Square t = pop_lowest(to);
        changed =
            changed ||
            lost_changed_before_[king_index_[pawns_ > 0 ? t : turned(t, turn_to_triangle(t))]] != 0;
    }
    if (!changed)
        return;
    const std::size_t first = k * block_;
    std::fill(reaching_.begin(), reaching_.end(), 0);
    add_king_moves(k);
    for (const WordMoves& man : attackers_)
        man.add({lost_ + first, block_}, {&free_[first], block_}, reaching_);
    for (std::size_t i = 0; i < block_; ++i)
        new_wins_[first + i] = reaching_[i] & open_[first + i];
}

// The defender loses if no move leads to an open position.
void WinSolver::extend_losses(std::size_t k, std::size_t plies) {
    if (open_changed_[k] == 0)
        return;
    const std::size_t first = k * block_;
    find_reaching(first);
    for (std::size_t i = 0; i < block_; ++i) {
        const std::size_t index = first + i;
        const Bitboard lost = candidates_[index] & ~reaching_[i];
        if (lost == 0)
            continue;
        candidates_[index] &= ~lost;
        lost_[index] |= lost;
        lost_changed_[k] = 1;
        note(table_.lost_plies_, index, lost, plies);
    }
}

void WinSolver::apply_wins(std::size_t k, std::size_t plies) {
    open_changed_[k] = 0;
    for (std::size_t index = k * block_; index < (k + 1) * block_; ++index) {
        const Bitboard won = new_wins_[index];
        if (won == 0)
            continue;
        open_[index] &= ~won;
        new_wins_[index] = 0;
        open_changed_[k] = 1;
        note(table_.won_plies_, index, won, plies);
    }
}

void WinSolver::note(std::vector<std::uint8_t>& list,
                     std::size_t index,
                     Bitboard squares,
                     std::size_t plies) const {
    if (!list.empty())
        while (squares != 0)
            list[64 * (base_ + index) + static_cast<std::size_t>(pop_lowest(squares))] =
                static_cast<std::uint8_t>(plies);
}

std::shared_ptr<const WinTable> solve_wins(const WinMaterial& material,
                                           const WinTables& known,
                                           bool distances,
                                           const std::function<bool()>& stopped,
                                           int given_up) {
    auto table = std::make_shared<WinTable>(material, distances);
    if (!WinSolver(*table, known, stopped, given_up).solve())
        return nullptr;
    return table;
}

}  // namespace engine
