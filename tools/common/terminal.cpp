#include "tools/common/terminal.h"

#include "engine/platform/program.h"

#include <algorithm>
#include <cstdlib>
#include <ostream>

namespace tools {
namespace {

bool colours = false;  // NOLINT(readability-identifier-naming)

bool is_set(const char* variable) {
    const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
    return value && *value != '\0';
}

// Characters of UTF-8.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

std::string padded(const Cell& cell, const std::string& text, std::size_t columns, bool last) {
    const std::string blanks(columns - std::min(columns, width(text)), ' ');
    const std::string shown = coloured(text, cell.colour);
    return cell.right ? blanks + shown : last ? shown : shown + blanks;
}

}  // namespace

bool is_terminal() {
    return engine::platform::is_terminal(1);
}

void use_colour(ColourWhen when) {
    const char* const term = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe)
    colours = when == ColourWhen::Always ||
              (when == ColourWhen::Auto && is_terminal() && !is_set("NO_COLOR") &&
               !(term && std::string_view(term) == "dumb"));
}

std::string coloured(std::string_view text, Colour colour) {
    if (!colours || colour == Colour::Plain || text.empty())
        return std::string(text);
    const char* const code = colour == Colour::Good   ? "\033[32m"
                             : colour == Colour::Bad  ? "\033[31m"
                             : colour == Colour::Soft ? "\033[2m"
                                                      : "\033[1m";
    return code + std::string(text) + "\033[0m";
}

std::string printable(std::string_view text) {
    std::string clean(text);
    for (char& c : clean)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            c = '?';
    return clean;
}

void print_table(std::ostream& out,
                 const std::vector<std::string>& heads,
                 const std::vector<std::vector<Cell>>& rows,
                 bool aligned) {
    std::vector<std::size_t> widths;
    for (const std::string& head : heads)
        widths.push_back(width(head));
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i].text));
    if (aligned && !rows.empty())
        for (std::size_t i = 0; i < heads.size(); ++i) {
            const bool last = i + 1 == heads.size();
            const Cell head{.text = heads[i], .colour = Colour::Soft, .right = rows[0][i].right};
            out << padded(head, heads[i], widths[i], last) << (last ? "\n" : "  ");
        }
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool last = i + 1 == row.size();
            const std::string text = printable(row[i].text);
            out << (aligned ? padded(row[i], text, widths[i], last) : coloured(text, row[i].colour))
                << (last      ? "\n"
                    : aligned ? "  "
                              : "\t");
        }
}

}  // namespace tools
