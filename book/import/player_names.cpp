#include "book/import/player_names.h"

#include "book/model/letter_case.h"
#include "book/model/utf8.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace book {
namespace {

constexpr std::size_t MaxNames = 100'000, MaxSuggestions = 3;
constexpr std::size_t MinWord = 3;   // bytes: initials say nothing
constexpr std::size_t MaxWord = 40;  // that may be misspelt

bool is_letter(char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || (c & 0x80) != 0;
}

// The words of at least so many bytes, in lower case.
std::vector<std::string> words_of(const std::string& name, std::size_t min = MinWord) {
    std::vector<std::string> words(1);
    for (const char c : lower(utf8_of(name)))
        if (is_letter(c))
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    std::erase_if(words, [min](const std::string& word) { return word.size() < min; });
    return words;
}

// True if the surname, which is a word of three letters or more, is the same, and each other word
// of the one name begins another word of the other: "Kasparov,G" and "Kasparov, Gary".
bool abbreviates(const std::vector<std::string>& brief, std::vector<std::string> full) {
    bool same_word = false;
    if (brief.size() < 2 || brief.size() > full.size())
        return false;
    for (const std::string& word : brief) {
        const auto found = std::find_if(
            full.begin(), full.end(), [&word](const auto& w) { return w.starts_with(word); });
        if (found == full.end())
            return false;
        same_word = same_word || (word.size() >= MinWord && *found == word);
        full.erase(found);
    }
    return same_word;
}

// The share of the words that the name contains.
double likeness(const std::string& name, const std::vector<std::string>& words) {
    const auto found = std::count_if(words.begin(), words.end(), [&](const std::string& word) {
        return contains_ignoring_case(name, word);
    });
    return words.empty() ? 0 : static_cast<double>(found) / static_cast<double>(words.size());
}

// The least number of letters to insert, delete or replace that makes the words equal.
std::size_t distance(const std::string& a, const std::string& b) {
    std::array<std::size_t, MaxWord + 1> row{};
    if (b.size() > MaxWord)
        return b.size();
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.at(b.size());
}

// The share of the words that the name has with one wrong letter, or two in long words.
double misspelt_likeness(const std::string& name, const std::vector<std::string>& words) {
    constexpr std::size_t MinLength = 5, Long = 8;
    const std::vector<std::string> names = words_of(name);
    const auto found = std::count_if(words.begin(), words.end(), [&](const std::string& word) {
        return word.size() >= MinLength &&
               std::any_of(names.begin(), names.end(), [&word](const std::string& other) {
                   return distance(word, other) <= (word.size() < Long ? 1U : 2U);
               });
    });
    return words.empty() ? 0 : static_cast<double>(found) / static_cast<double>(words.size());
}

struct Suggestion {
    double likeness = 0;
    PlayerNames::Player player;
};

bool plays_more(const PlayerNames::Player& a, const PlayerNames::Player& b) {
    return a.games != b.games ? a.games > b.games : a.name < b.name;
}

}  // namespace

void PlayerNames::add(const std::string& name, std::int64_t games) {
    if (name.empty() || name == "?")
        return;
    const std::string key = player_key(name);
    if (const auto known = players_.find(key); known != players_.end())
        known->second.games += games;
    else if (players_.size() < MaxNames)
        players_.emplace(key, Player{.name = utf8_of(identity(name)), .games = games});
}

std::vector<PlayerNames::Player>
PlayerNames::similar(const std::vector<std::string>& wanted) const {
    std::vector<std::vector<std::string>> words;
    words.reserve(wanted.size());
    for (const std::string& name : wanted)
        words.push_back(words_of(name));
    std::vector<Suggestion> all;
    for (const auto& like : {likeness, misspelt_likeness}) {
        for (const auto& [key, player] : players_) {
            Suggestion s{.player = player};
            for (const std::vector<std::string>& name_words : words)
                s.likeness = std::max(s.likeness, like(key, name_words));
            if (s.likeness > 0)
                all.push_back(std::move(s));
        }
        if (!all.empty())
            break;
    }
    std::sort(all.begin(), all.end(), [](const Suggestion& a, const Suggestion& b) {
        return a.likeness != b.likeness ? a.likeness > b.likeness : plays_more(a.player, b.player);
    });
    std::vector<Player> best;
    for (std::size_t i = 0; i < std::min(all.size(), MaxSuggestions); ++i)
        best.push_back(all[i].player);
    return best;
}

std::vector<PlayerNames::Player>
PlayerNames::abbreviations(const std::vector<std::string>& wanted) const {
    std::vector<std::pair<std::string, std::vector<std::string>>> ours;  // keys and their words
    for (const std::string& name : wanted)
        ours.emplace_back(player_key(name), words_of(player_key(name), 1));
    std::vector<Player> found;
    for (const auto& [key, player] : players_) {
        const std::vector<std::string> theirs = words_of(key, 1);
        bool same = false, similar = false;
        for (const auto& [name, words] : ours) {
            same = same || key == name;
            similar = similar || abbreviates(theirs, words) || abbreviates(words, theirs);
        }
        if (similar && !same)
            found.push_back(player);
    }
    std::sort(found.begin(), found.end(), plays_more);
    found.resize(std::min(found.size(), MaxSuggestions));
    return found;
}

std::vector<PlayerNames::Player>
PlayerNames::suggestions(const std::vector<std::string>& wanted) const {
    std::vector<Player> best = similar(wanted);
    const auto most =
        std::min_element(players_.begin(), players_.end(), [](const auto& a, const auto& b) {
            return plays_more(a.second, b.second);
        });
    if (best.empty() && most != players_.end())
        best.push_back(most->second);
    return best;
}

std::string suggestion_text(const std::vector<PlayerNames::Player>& players) {
    std::string text;
    for (const PlayerNames::Player& p : players)
        text += fmt::format("{}\"{}\" ({} {})",
                            text.empty() ? "; did you mean " : " or ",
                            p.name,
                            p.games,
                            p.games == 1 ? "game" : "games");
    return text.empty() ? text : text + "?";
}

}  // namespace book
