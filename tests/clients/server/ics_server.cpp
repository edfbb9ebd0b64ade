#include "tests/clients/server/ics_server.h"

#include "tools/common/strings.h"

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ics {
namespace {

constexpr std::string_view Greeting =
    "\nWelcome to a test server that speaks like freechess.org\n\nlogin: ";
constexpr std::string_view Prompt = "\nfics% ";

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

int number(std::string_view text) {
    return tools::number<int>(text).value_or(0);
}
int number(const std::vector<std::string>& words, std::size_t index) {
    return index < words.size() ? number(words[index]) : 0;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Server::Server() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener_ < 0 ||
        ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener_, 8) != 0)
        fail("no port");
}

Server::~Server() {
    for (const Client& client : clients_)
        ::close(client.socket);
    ::close(listener_);
}

int Server::port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

void Server::run(std::chrono::seconds at_most) {
    const Clock::time_point end = Clock::now() + at_most;
    while (Clock::now() < end) {
        std::vector<pollfd> waited{{.fd = listener_, .events = POLLIN, .revents = 0}};
        for (const Client& client : clients_)
            waited.push_back({.fd = client.socket, .events = POLLIN, .revents = 0});
        Clock::time_point wake = end;
        for (const Match& match : matches_)
            wake = std::min(wake, match.flag_falls());
        const auto pause = std::chrono::ceil<Milliseconds>(wake - Clock::now()).count();
        if (::poll(waited.data(),
                   waited.size(),
                   static_cast<int>(std::max<std::int64_t>(pause, 0))) < 0 &&
            errno != EINTR)
            fail("poll");
        check_flags();
        auto waiting = waited.begin() + 1;
        for (Client& client : clients_)
            if (waiting++->revents != 0)
                read_from(client);
        clients_.remove_if([](const Client& client) { return client.state == Client::Gone; });
        if (waited.front().revents != 0)
            accept_client();
    }
}

void Server::accept_client() {
    Client client;
    client.socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client.socket < 0)
        return;
    send(client, Greeting);
    clients_.push_back(std::move(client));
}

void Server::read_from(Client& client) {
    std::array<char, 4096> buffer{};
    const ssize_t count = ::recv(client.socket, buffer.data(), buffer.size(), 0);
    if (count <= 0)
        return disconnect(client);
    client.input.append(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t end = 0;
         client.state != Client::Gone && (end = client.input.find('\n')) != std::string::npos;) {
        std::string line = client.input.substr(0, end);
        client.input.erase(0, end + 1);
        std::erase(line, '\r');
        handle(client, std::move(line));
    }
}

void Server::handle(Client& client, std::string line) {
    if (client.state != Client::LoggedIn)
        return log_in(client, line);
    line.erase(0, line.find_first_not_of(" $"));  // "$": without aliases
    std::istringstream text(line);
    Words words;
    for (std::string word; text >> word;)
        words.push_back(word);
    if (words.empty())
        return prompt(client, "");
    if (!game_command(client, words))
        command(client, words, line);
}

// Every name is registered; the password is the rating.
void Server::log_in(Client& client, const std::string& line) {
    if (client.state == Client::Password) {
        client.account.rating = number(line);
        client.state = Client::LoggedIn;
        return prompt(client,
                      fmt::format("**** Starting FICS session as {} ****\n", client.account.name));
    }
    client.account.name = line;
    client.state = Client::Password;
    send(client, fmt::format("\n\"{}\" is a registered name.\npassword: ", line));
}

void Server::command(Client& client, const Words& words, const std::string& line) {
    const std::string& verb = words.front();
    if (verb == "match") {
        challenge(client, words);
    } else if (verb == "accept") {
        accept_challenge(client);
    } else if (verb == "decline") {
        std::erase_if(challenges_, [&](const Challenge& c) { return c.to == client.account.name; });
        prompt(client, "");
    } else if (verb == "iset") {
        if (words.size() > 1 && words[1] == "ms")
            client.milliseconds = number(words, 2) != 0;
        prompt(client, words.size() > 1 ? words[1] + " set.\n" : "");
    } else if (verb == "style" || verb == "set" || verb == "alias") {
        prompt(client, verb == "style" ? "Style 12 set.\n" : "Set.\n");
    } else if (verb == "finger") {
        prompt(client,
               fmt::format("Finger of {}:\n", words.size() > 1 ? words[1] : client.account.name));
    } else if (verb == "quit") {
        disconnect(client);
    } else if (contains({"tell", "say", "kibitz", "whisper", "resume", "variables", "date"},
                        verb)) {
        prompt(client, "");
    } else {
        prompt(client, fmt::format("{}: Command not found.\n", line));
    }
}

// What is said in a game; false if it is no such command.
bool Server::game_command(Client& client, const Words& words) {
    Match* const match = match_of(client);
    const std::string& verb = words.front();
    if (!match)
        return false;
    const engine::Color side = *match->colour_of(client.account.name);
    const std::string other_wins = side == engine::White ? "0-1" : "1-0";
    if (verb == "resign") {
        finish({client.account.name + " resigns", other_wins}, *match);
    } else if (verb == "draw") {
        offer_draw(client, *match);
    } else if (verb ==
               "adjudicate") {  // as an administrator says it, here without names: adjudicate abort
        finish({"Game aborted by adjudication", "*"}, *match);
    } else if (verb == "flag") {
        prompt(client, "Your opponent is not out of time, wait before calling flag.\n");
    } else if (verb == "moves") {
        prompt(client, match->move_list());
    } else if (match->side_to_move() == side && match->play(verb)) {
        if (Client* other = opponent_of(client, *match))
            other->offers_draw = false;  // a move declines
        send_boards(*match);
        if (const std::optional<Ending> ending = match->ending())
            finish(*ending, *match);
    } else {
        return false;
    }
    return true;
}

// match NAME [rated] MINUTES INCREMENT [white|black]; with an opponent of an adjourned game:
// resumes it.
void Server::challenge(Client& client, const Words& words) {
    Client* const other = words.size() > 1 ? find(words[1]) : nullptr;
    if (!other || other == &client || match_of(*other) || match_of(client))
        return prompt(client, "That player cannot be matched now.\n");
    const auto time = std::find_if(words.begin() + 2, words.end(), [](const std::string& word) {
        return std::isdigit(static_cast<unsigned char>(word.front())) != 0;
    });
    const auto index = static_cast<std::size_t>(time - words.begin());
    Challenge made{.from = client.account.name,
                   .to = other->account.name,
                   .minutes = number(words, index),
                   .increment = number(words, index + 1)};
    if (contains(words, "white") || contains(words, "black"))
        made.color = contains(words, "white") ? engine::White : engine::Black;
    prompt(client, "Issuing match request.\n");
    prompt(*other,
           fmt::format("\nChallenge: {} ({}) {}{} ({}) rated blitz {} {}.\n"
                       "You can \"accept\" or \"decline\", or propose different parameters.\n",
                       made.from,
                       client.account.rating,
                       !made.color                    ? ""
                       : *made.color == engine::White ? "[white] "
                                                      : "[black] ",
                       made.to,
                       other->account.rating,
                       made.minutes,
                       made.increment));
    challenges_.push_back(std::move(made));
}

void Server::accept_challenge(Client& client) {
    const auto made = std::find_if(challenges_.begin(), challenges_.end(), [&](const Challenge& c) {
        return c.to == client.account.name;
    });
    Client* const other = made != challenges_.end() ? find(made->from) : nullptr;
    if (!other || match_of(*other) || match_of(client))
        return prompt(client, "There are no offers to accept.\n");
    const Challenge accepted = *made;
    challenges_.erase(made);
    const auto stored = std::find_if(adjourned_.begin(), adjourned_.end(), [&](const Match& match) {
        return match.colour_of(accepted.from) && match.colour_of(accepted.to);
    });
    ++games_;
    if (stored != adjourned_.end()) {
        stored->resume(games_);
        matches_.splice(matches_.end(), adjourned_, stored);
        for (Client* player : {&client, other})
            send(*player, "\n" + matches_.back().continued() + "\n");
        return send_boards(matches_.back());
    }
    Account white = other->account, black = client.account;
    if (accepted.color == engine::Black)
        std::swap(white, black);
    start(Match(games_, white, black, accepted.minutes, accepted.increment));
}

void Server::start(Match match) {
    matches_.push_back(std::move(match));
    const Match& started = matches_.back();
    for (const engine::Color c : {engine::White, engine::Black})
        send(*find(started.account(c).name),
             fmt::format("\nCreating: {}\n{}\n", started.title(), started.started()));
    send_boards(started);
}

void Server::send_boards(const Match& match) {
    for (const engine::Color c : {engine::White, engine::Black})
        if (const Client* client = find(match.account(c).name))
            prompt(*client, "\n" + match.board(c, client->milliseconds));
}

void Server::finish(const Ending& ending, Match& match) {
    for (const engine::Color c : {engine::White, engine::Black})
        if (Client* client = find(match.account(c).name)) {
            client->offers_draw = false;
            prompt(*client, "\n" + match.headline(ending.comment, ending.result));
        }
    matches_.remove_if([&match](const Match& m) { return &m == &match; });
}

void Server::offer_draw(Client& client, Match& match) {
    Client* const other = opponent_of(client, match);
    if (const std::optional<Ending> claimed = match.drawn_by_claim())
        return finish(*claimed, match);
    if (other && other->offers_draw)
        return finish({"Game drawn by mutual agreement", "1/2-1/2"}, match);
    if (other && !client.offers_draw)
        prompt(*other, fmt::format("\n{} offers you a draw.\n", client.account.name));
    client.offers_draw = true;
    prompt(client, "Offering a draw.\n");
}

// A player who leaves a rated game adjourns it.
void Server::disconnect(Client& client) {
    ::close(client.socket);
    client.state = Client::Gone;
    Match* const match = match_of(client);
    if (!match)
        return;
    if (Client* other = opponent_of(client, *match))
        prompt(*other,
               "\n" +
                   match->headline(client.account.name + " lost connection; game adjourned", "*"));
    const auto left = std::find_if(
        matches_.begin(), matches_.end(), [match](const Match& m) { return &m == match; });
    adjourned_.splice(adjourned_.end(), matches_, left);
}

void Server::check_flags() {
    for (auto match = matches_.begin(); match != matches_.end();) {
        Match& checked = *match++;
        if (const std::optional<Ending> ending = checked.ending())
            finish(*ending, checked);
    }
}

Server::Client* Server::find(std::string_view name) {
    const auto found = std::find_if(clients_.begin(), clients_.end(), [name](const Client& client) {
        return client.state == Client::LoggedIn && client.account.name == name;
    });
    return found != clients_.end() ? &*found : nullptr;
}

Match* Server::match_of(const Client& client) {
    const auto found =
        std::find_if(matches_.begin(), matches_.end(), [&client](const Match& match) {
            return match.colour_of(client.account.name).has_value();
        });
    return found != matches_.end() ? &*found : nullptr;
}

Server::Client* Server::opponent_of(const Client& client, const Match& match) {
    return find(match.account(~*match.colour_of(client.account.name)).name);
}

void Server::send(const Client& client, std::string_view text) {
    std::string lines;
    for (const char c : text)
        lines += c == '\n' ? "\n\r" : std::string(1, c);  // as FICS ends its lines
    // A client that reads nothing more is found by its closed connection.
    [[maybe_unused]] const ssize_t sent =
        ::send(client.socket, lines.data(), lines.size(), MSG_NOSIGNAL);
}

void Server::prompt(const Client& client, std::string_view text) {
    send(client, std::string(text) + std::string(Prompt));
}

}  // namespace ics
