// Suggests names where a file has no game of the wanted player. PGN has the same player under
// several names: "Kasparov, Gary" in databases, "Garry Kasparov" or an account's name elsewhere.
#pragma once

#include "book/store/opponents.h"

#include <string>
#include <unordered_map>

namespace book {

class PlayerNames {
  public:
    struct Player {
        std::string name;
        std::int64_t games = 0;
    };

    // A player of so many games, by the name in the file. Titles, and upper and lower case, make no
    // difference. Names beyond the first 100,000 are ignored.
    void add(const std::string& name, std::int64_t games = 1);
    // The three players with the most games whose names contain a word of `wanted`, those with all
    // words of it first.
    [[nodiscard]] std::vector<Player> similar(const std::vector<std::string>& wanted) const;
    // The players whose names are abbreviations of one in `wanted`, or the other way round:
    // "Kasparov,G" of "Kasparov, Gary". The names in `wanted` themselves are left out. Those with
    // the most games, at most three.
    [[nodiscard]] std::vector<Player> abbreviations(const std::vector<std::string>& wanted) const;
    // The players similar() lists or, if there are none, the one player with the most games. Empty
    // if no game was added.
    [[nodiscard]] std::vector<Player> suggestions(const std::vector<std::string>& wanted) const;

  private:
    std::unordered_map<std::string, Player> players_;  // by the name in lower case
};

// "; did you mean ...?", or nothing if there is no suggestion.
std::string suggestion_text(const std::vector<PlayerNames::Player>& players);

}  // namespace book
