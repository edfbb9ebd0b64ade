#include "book/model/ending.h"

#include "book/model/letter_case.h"

#include <algorithm>
#include <array>
#include <string>

namespace book {
namespace {

struct Wording {
    std::string_view words;
    std::optional<Termination> termination;  // none: the game was adjourned
};
// How servers and clients word the endings that are not on the board, in lower case and with blanks
// for hyphens. The first of these that a comment contains decides.
constexpr auto Wordings = std::to_array<Wording>({
    {"adjourn", {}},
    {"adjourns", {}},
    {"adjourned", {}},
    {"adjournment", {}},
    {"courtesyadjourned", {}},

    {"abort", Termination::Aborted},
    {"aborts", Termination::Aborted},
    {"aborted", Termination::Aborted},
    {"courtesyaborted", Termination::Aborted},
    {"canceled", Termination::Aborted},
    {"cancelled", Termination::Aborted},
    {"cheat", Termination::Aborted},
    {"cheated", Termination::Aborted},
    {"cheating", Termination::Aborted},
    {"no start", Termination::Aborted},
    {"nostart", Termination::Aborted},
    {"unknownfinish", Termination::Aborted},
    {"variantend", Termination::Aborted},

    {"abandon", Termination::Disconnection},
    {"abandons", Termination::Disconnection},
    {"abandoned", Termination::Disconnection},
    {"connection", Termination::Disconnection},
    {"crashed", Termination::Disconnection},
    {"crashes", Termination::Disconnection},
    {"died", Termination::Disconnection},
    {"disconnect", Termination::Disconnection},
    {"disconnects", Termination::Disconnection},
    {"disconnected", Termination::Disconnection},
    {"disconnection", Termination::Disconnection},
    {"exited", Termination::Disconnection},
    {"exits", Termination::Disconnection},
    {"has left", Termination::Disconnection},
    {"leaves", Termination::Disconnection},
    {"left the game", Termination::Disconnection},
    // The opponent's program failed.
    {"false draw claim", Termination::Disconnection},
    {"false mate claim", Termination::Disconnection},
    {"false win claim", Termination::Disconnection},
    {"illegal move", Termination::Disconnection},
    {"invalid move", Termination::Disconnection},
    {"rules infraction", Termination::Disconnection},

    {"by time", Termination::Flag},
    {"flag", Termination::Flag},
    {"flags", Termination::Flag},
    {"flagfall", Termination::Flag},
    {"flagged", Termination::Flag},
    {"has fallen", Termination::Flag},
    {"no time", Termination::Flag},
    {"on time", Termination::Flag},
    {"out of time", Termination::Flag},
    {"outoftime", Termination::Flag},
    {"ran out", Termination::Flag},
    {"runs out", Termination::Flag},
    {"time exceeded", Termination::Flag},
    {"time expired", Termination::Flag},
    {"time expires", Termination::Flag},
    {"time forfeit", Termination::Flag},
    {"time forfeits", Termination::Flag},
    {"time forfeiture", Termination::Flag},
    {"time is up", Termination::Flag},
    {"time limit", Termination::Flag},
    {"time loss", Termination::Flag},
    {"time out", Termination::Flag},
    {"time up", Termination::Flag},
    {"timed out", Termination::Flag},
    {"timeout", Termination::Flag},
    {"times out", Termination::Flag},
});

// The name of a player stands before these.
constexpr auto Verbs = std::to_array<std::string_view>(
    {" abandons",  " abandoned", " checkmated",  " disconnected", " disconnects",  " exited",
     " exits",     " flagged",   " forfeits by", " forfeits on",  " has ",         " leaves",
     " left the",  " loses",     " lost by",     " lost connect", " lost on time", " mated",
     " mates",     " ran out",   " resigned",    " resigns",      " runs out",     " stalemated",
     " timed out", " times out", " was ",        " wins",         " won"});

// A player may be called "Timeout". `text` and `opponent` are in lower case.
std::string without_players(std::string text, std::string_view opponent) {
    for (const std::string_view verb : Verbs) {
        const std::size_t end = text.find(verb);
        if (end == std::string::npos)
            continue;
        const std::string_view before(text.data(), end);
        const std::size_t start = !opponent.empty() && before.ends_with(opponent)
                                      ? end - opponent.size()
                                      : before.rfind(' ') + 1;  // 0 if there is no blank
        text.erase(start, end - start);
    }
    return text;
}

bool is_letter(char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '_';
}

// True if `text` contains `words` as whole words.
bool contains_words(std::string_view text, std::string_view words) {
    for (std::size_t at = text.find(words); at != std::string_view::npos;
         at = text.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end])))
            return true;
    }
    return false;
}

}  // namespace

std::optional<Termination>
termination_of(std::string_view comment, std::string_view opponent, bool drawn) {
    std::string text = lower(comment);
    // lichess-bot calls games that the opponent left drawn, whoever won.
    if (drawn && text == "timeout")
        return Termination::Aborted;
    text = without_players(std::move(text), lower(opponent));
    std::replace(text.begin(), text.end(), '-', ' ');
    for (const Wording& wording : Wordings)
        if (contains_words(text, wording.words))
            return wording.termination;
    return Termination::Board;
}

}  // namespace book
