// Finds openings by what users call them. Upper and lower case, hyphens, apostrophes and accents
// make no difference, nor "ü", "ue" and "u", or "defense" and "defence". The Spanish is also the
// Ruy Lopez, and the Petroff or the Russian Game the Petrov.
#pragma once

#include "book/probe/opening_names.h"

#include <optional>

namespace book {

// Chooses openings. All words of the text must be parts of the code or name, in any order: "sicil",
// "B90", "Sicilian Najdorf", "Caro Kann", "Grünfeld". A text without words matches all.
class OpeningPattern {
  public:
    explicit OpeningPattern(std::string_view text);
    [[nodiscard]] bool matches(std::string_view opening) const;

  private:
    std::vector<std::vector<std::string>> words_;  // with their synonyms
};

// The compiled-in opening that the text names: by its code, or by words that its name has or words
// of the name begin with; "Opening", "Defence" and the like may be left out. Of several, the best
// known and most general one. Nothing if there is none, or if the text may be meant as moves.
std::optional<Opening> find_opening(std::string_view text);

}  // namespace book
