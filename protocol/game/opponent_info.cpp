#include "protocol/game/opponent_info.h"

#include <algorithm>
#include <array>

namespace protocol {
namespace {

// As lichess has the name: lichess-bot puts the title before it, and leaves out "lichess" before
// "AI level 3".
std::string without_title(std::string_view name) {
    constexpr std::array<std::string_view, 12> Titles = {
        "BOT", "GM", "IM", "FM", "CM", "NM", "LM", "WGM", "WIM", "WFM", "WCM", "WNM"};
    if (name.starts_with("AI level "))
        return "lichess " + std::string(name);
    const std::size_t blank = name.find(' ');
    const bool is_titled =
        blank != std::string_view::npos && blank + 1 < name.size() &&
        name.find(' ', blank + 1) == std::string_view::npos &&
        std::find(Titles.begin(), Titles.end(), name.substr(0, blank)) != Titles.end();
    return std::string(is_titled ? name.substr(blank + 1) : name);
}

}  // namespace

void OpponentInfo::forget() {
    opponent_ = {.name = {}, .server = opponent_.server, .computer = computer_now_};
    our_rating_ = 0;
}

void OpponentInfo::set_name(std::string_view sent) {
    std::string name = without_title(sent);
    // If a second name comes before the first move, the opponent named before `new` has left.
    if (!introduced_ || (introduced_before_ && name != opponent_.name))
        forget();
    opponent_.name = std::move(name);
    introduced_ = true;
    introduced_before_ = false;
}

// Servers do not repeat the ratings of an adjourned game.
void OpponentInfo::set_ratings(int ours, int theirs) {
    if (ours > 0)
        our_rating_ = ours;
    if (theirs > 0)
        opponent_.rating = theirs;
    introduced_ = introduced_ || ours > 0 || theirs > 0;
}

void OpponentInfo::set_computer() {
    opponent_.computer = computer_now_ = true;
    introduced_ = true;
}

void OpponentInfo::replace(std::string_view name, int rating, bool computer) {
    computer_now_ = computer;
    forget();
    opponent_.name = name;
    opponent_.rating = std::max(rating, 0);
    introduced_ = !name.empty();
    introduced_before_ = false;
}

void OpponentInfo::new_game() {
    if (!introduced_)
        forget();
    introduced_before_ = introduced_;
    computer_now_ = false;
}

int OpponentInfo::rating_lead() const {
    return our_rating_ > 0 && opponent_.rating > 0 ? our_rating_ - opponent_.rating : 0;
}

bool OpponentInfo::on_server() const {
    return !opponent_.server.empty() && opponent_.server != "-";
}

std::string OpponentInfo::event() const {
    return on_server() ? "Game on " + opponent_.server : "";
}

}  // namespace protocol
