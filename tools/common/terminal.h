// Text for people on standard output: colours, and tables that are aligned on a terminal and
// separated by tabs elsewhere. One thread only.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

enum class ColourWhen { Auto, Always, Never };
// Sets whether coloured() uses colours. Auto: on a terminal, unless the variable NO_COLOR is set or
// TERM is "dumb" (see no-color.org).
void use_colour(ColourWhen when);

enum class Colour { Plain, Good, Bad, Soft, Strong };
std::string coloured(std::string_view text, Colour colour);

bool is_terminal();  // standard output

// Without control characters, which could break a table or command a terminal.
std::string printable(std::string_view text);

struct Cell {
    std::string text;
    Colour colour = Colour::Plain;
    bool right = false;  // aligned to the right
};

// Prints rows with as many cells as there are heads: aligned, under their heads, on a terminal;
// else separated by tabs, without heads.
void print_table(std::ostream& out,
                 const std::vector<std::string>& heads,
                 const std::vector<std::vector<Cell>>& rows,
                 bool aligned = is_terminal());

}  // namespace tools
