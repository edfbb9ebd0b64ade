#include "book/probe/opening_search.h"

#include "book/model/letter_case.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <tuple>

namespace book {
namespace {

constexpr std::array Synonyms{std::pair("spanish", "ruy lopez"),
                              std::pair("petroff", "petrov"),
                              std::pair("russian", "petrov"),
                              std::pair("center", "centre"),
                              std::pair("centre", "center")};

// Words that say what kind of line a name is.
constexpr std::array Kinds{
    "opening", "game", "defence", "variation", "system", "attack", "gambit", "line", "with"};

// Lower case, words between single blanks, letters without accents, and one spelling of "ue" and
// "ü", and of "defense" and "defence".
std::string folded(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 20> Replacements{
        {{"\u00E4", "a"}, {"\u00E5", "a"}, {"\u00E1", "a"}, {"\u00E0", "a"}, {"\u00F6", "o"},
         {"\u00F8", "o"}, {"\u00F3", "o"}, {"\u00FC", "u"}, {"\u00FA", "u"}, {"\u00E9", "e"},
         {"\u00E8", "e"}, {"\u00ED", "i"}, {"\u00F1", "n"}, {"\u00E7", "c"}, {"\u010D", "c"},
         {"\u0161", "s"}, {"\u017E", "z"}, {"ae", "a"},     {"oe", "o"},     {"ue", "u"}}};
    std::string result(" ");
    std::string small = lower(text);
    for (std::size_t i = 1; i < small.size(); ++i)  // \u00C0 to \u00DE, which are capitals
        if (small[i - 1] == '\xC3' && (small[i] & 0x20) == 0)
            small[i] = static_cast<char>(small[i] | 0x20);
    for (std::size_t i = 0; i < small.size();) {
        const std::string_view rest = std::string_view(small).substr(i);
        const auto* const found =
            std::find_if(Replacements.begin(), Replacements.end(), [rest](const auto& r) {
                return rest.starts_with(r.first);
            });
        const char c = rest.front();
        if (found != Replacements.end())
            result += found->second;
        else if (('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || (c & 0x80) != 0)
            result += c;
        else if (c != '\'' && result.back() != ' ')
            result += ' ';
        i += found != Replacements.end() ? found->first.size() : 1;
    }
    for (std::size_t i = 0; (i = result.find("defens", i)) != std::string::npos;)
        result[i + 5] = 'c';
    return result.back() == ' ' ? result : result + ' ';
}

using Words = std::vector<std::string>;
using Meanings = std::vector<Words>;  // of some words: each with its synonyms

// A word and its synonyms, of which any may be meant.
Words with_synonyms(const std::string& word) {
    Words either{word};
    if (word.size() > 3 && word.ends_with('s'))  // "Alekhine's"
        either.push_back(word.substr(0, word.size() - 1));
    for (const auto& [name, other] : Synonyms)
        if (word == name)
            either.emplace_back(other);
    return either;
}

Words words_of(std::string_view text) {
    std::istringstream words(folded(text));
    Words all;
    for (std::string word; words >> word;)
        all.push_back(word);
    return all;
}

bool is_kind_of_line(const std::string& word) {
    return std::find(Kinds.begin(), Kinds.end(), word) != Kinds.end();
}

// Names end with moves where the table has no other name for a line.
bool is_move(const std::string& word) {
    return word == "o" || word.find_first_of("0123456789") != std::string::npos;
}

bool is_code(const std::string& word) {
    return word.size() == 3 && 'a' <= word[0] && word[0] <= 'e' &&
           word.find_first_not_of("0123456789", 1) == std::string::npos;
}

// What find_opening() looks for.
struct Wanted {
    std::string code{};  // "b90", or ""
    Meanings names{};
    Words kinds{};
};

// True if each word is there in one of its meanings, as `has` finds it.
template <typename Has>
bool has_all(const Meanings& words, const Has& has) {
    return std::all_of(words.begin(), words.end(), [&has](const Words& either) {
        return std::any_of(either.begin(), either.end(), has);
    });
}

// Nothing if the text may be meant as moves or anything else that has digits or signs.
std::optional<Wanted> read_wanted(std::string_view text) {
    constexpr std::size_t MinLetters = 4, MaxBytes = 100;
    Wanted wanted;
    bool has_name = false;
    if (text.size() > MaxBytes || text.find_first_of("/=+#!?*;()[]{}") != std::string_view::npos)
        return std::nullopt;
    for (const std::string& word : words_of(text)) {
        if (is_code(word) && wanted.code.empty())
            wanted.code = word;
        else if (is_move(word))
            return std::nullopt;
        else if (is_kind_of_line(word))
            wanted.kinds.push_back(word);
        else
            wanted.names.push_back(with_synonyms(word));
        has_name = has_name || (!is_kind_of_line(word) && word.size() >= MinLetters);
    }
    return has_name || !wanted.code.empty() ? std::optional(wanted) : std::nullopt;
}

bool is_whole_word(const std::string& name, const std::string& word) {
    return name.find(' ' + word + ' ') != std::string::npos;
}

// Whether the name has the word, or else a word that begins with it. Two words as one, such as
// "ruy lopez", must be there as they are.
bool has_word(const std::string& name, const std::string& word, bool whole) {
    constexpr std::size_t MinLetters = 3;
    if (whole || is_whole_word(name, word))
        return is_whole_word(name, word);
    const std::size_t at = word.size() < MinLetters ? name.npos : name.find(' ' + word);
    return at != name.npos &&
           !is_kind_of_line(name.substr(at + 1, name.find(' ', at + 1) - at - 1));
}

// The name without moves, folded, and how many of its words are no kinds of lines.
struct Name {
    std::string text{" "};
    std::ptrdiff_t words = 0;

    explicit Name(std::string_view name) {
        for (const std::string& word : words_of(name))
            if (!is_move(word)) {
                text += word + ' ';
                words += is_kind_of_line(word) ? 0 : 1;
            }
    }
};

struct Candidate {
    const Opening* opening = nullptr;
    std::string family{};  // "Sicilian Defence" of "Sicilian Defence: Dragon"
    std::tuple<bool, bool, std::ptrdiff_t, bool> fit{};  // the lowest is the best
};

std::optional<Candidate> candidate(const Opening& opening, const Wanted& wanted) {
    if (!wanted.code.empty() && lower(opening.eco) != wanted.code)
        return std::nullopt;
    const std::string_view name = opening.name;
    const std::string family(name.substr(0, name.find_first_of(":,")));
    const Name main(family), all(name);
    const auto has_names = [&wanted](const std::string& text, bool whole) {
        return has_all(wanted.names, [&](const auto& word) { return has_word(text, word, whole); });
    };
    if (!has_names(all.text, false))
        return std::nullopt;
    const bool whole = has_names(all.text, true);
    const bool is_part = !has_names(main.text, whole);  // of a family
    const std::string& text = is_part ? all.text : main.text;
    const auto lacking =
        std::count_if(wanted.kinds.begin(), wanted.kinds.end(), [&text](const std::string& kind) {
            return !has_word(text, kind, true);
        });
    // "English Attack" is none of the English Opening.
    const bool other_kind =
        std::any_of(wanted.kinds.begin(), wanted.kinds.end(), [&text](const std::string& kind) {
            return (kind == "attack" || kind == "gambit") && !has_word(text, kind, true);
        });
    return Candidate{
        .opening = &opening, .family = family, .fit = {other_kind, is_part, lacking, !whole}};
}

// The shortest line with this name, or code and name, all folded.
std::optional<Opening> with_this_name(const std::vector<Opening>& all, const std::string& name) {
    const Opening* found = nullptr;
    for (const Opening& o : all)
        if ((folded(o.name) == name || folded(o.eco + " " + o.name) == name) &&
            (!found || o.moves.size() < found->moves.size()))
            found = &o;
    return found ? std::optional(*found) : std::nullopt;
}

}  // namespace

OpeningPattern::OpeningPattern(std::string_view text) {
    for (const std::string& word : words_of(text))
        words_.push_back(with_synonyms(word));
}

bool OpeningPattern::matches(std::string_view opening) const {
    const std::string name = folded(opening);
    return has_all(
        words_, [&name](const std::string& word) { return name.find(word) != std::string::npos; });
}

std::optional<Opening> find_opening(std::string_view text) {
    const std::vector<Opening> all = compiled_in_openings();
    if (std::optional<Opening> named = with_this_name(all, folded(text)))
        return named;
    const std::optional<Wanted> wanted = read_wanted(text);
    if (!wanted)
        return std::nullopt;
    std::vector<Candidate> found;
    for (const Opening& opening : all)
        if (std::optional<Candidate> c = candidate(opening, *wanted))
            found.push_back(std::move(*c));
    if (found.empty())
        return std::nullopt;
    const auto best =
        std::min_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.fit < b.fit;
        })->fit;
    std::erase_if(found, [&best](const Candidate& c) { return c.fit != best; });
    std::map<std::string, std::ptrdiff_t> lines;  // of each family
    for (const Candidate& c : found)
        ++lines[c.family];
    // If the text names a family, the one with the shortest name: "Queen's Gambit", not "Queen's
    // Gambit Declined". Else the family with the most such lines, and the line of the shortest
    // name.
    const auto rank = [&](const Candidate& c) {
        const bool is_part = std::get<1>(c.fit);
        return std::tuple(is_part ? 0 : Name(c.family).words,
                          -lines[c.family],
                          is_part ? Name(c.opening->name).words : 0,
                          c.opening->moves.size(),
                          c.opening->name != c.family);
    };
    return *std::min_element(found.begin(), found.end(), [&rank](const auto& a, const auto& b) {
                return rank(a) < rank(b);
            })->opening;
}

}  // namespace book
