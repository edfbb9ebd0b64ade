#include "tools/common/pgn_text.h"

namespace tools {

void add_tag(std::string& pgn, std::string_view name, std::string_view value) {
    pgn.append("[").append(name).append(" \"");
    for (const char c : value) {
        if (c == '"' || c == '\\')
            pgn += '\\';
        if (static_cast<unsigned char>(c) >= ' ')
            pgn += c;
    }
    pgn += "\"]\n";
}

void Movetext::add(std::string_view word) {
    if (column_ > 0) {
        const bool fits = column_ + 1 + word.size() < 80;
        text_ += fits ? ' ' : '\n';
        column_ = fits ? column_ + 1 : 0;
    }
    text_ += word;
    column_ += word.size();
}

std::string_view result_text(Outcome outcome) {
    return outcome == Outcome::Unfinished ? "*" : result_text(white_points(outcome));
}

std::optional<Outcome> parse_result(std::string_view text) {
    for (const Outcome o :
         {Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unfinished})
        if (text == result_text(o))
            return o;
    return std::nullopt;
}

const char* result_text(double white_score) {
    return white_score > 0.75 ? "1-0" : white_score < 0.25 ? "0-1" : "1/2-1/2";
}

}  // namespace tools
