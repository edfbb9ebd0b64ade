// A small chess server on the loopback address for tests of real clients: it speaks as FICS does to
// xboard and icsdrone, and referees rated games between two of them.
#pragma once

#include "tests/clients/server/ics_match.h"

#include <functional>
#include <list>
#include <map>
#include <memory>

namespace ics {

class Server {
  public:
    // Listens on a free port of 127.0.0.1; throws std::system_error.
    Server();
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] int port() const;
    void run(std::chrono::seconds at_most);

  private:
    struct Client {
        int socket = -1;
        std::string input{};
        Account account{};
        enum { Name, Password, LoggedIn, Gone } state = Name;
        bool milliseconds = false;
        bool offers_draw = false;
    };
    struct Challenge {
        std::string from{}, to{};
        int minutes = 0, increment = 0;
        std::optional<engine::Color> color{};  // of the challenger
    };
    using Words = std::vector<std::string>;

    void accept_client();
    void read_from(Client& client);
    void handle(Client& client, std::string line);
    void log_in(Client& client, const std::string& line);
    void command(Client& client, const Words& words, const std::string& line);
    bool game_command(Client& client, const Words& words);
    void challenge(Client& client, const Words& words);
    void accept_challenge(Client& client);
    void start(Match match);
    void send_boards(const Match& match);
    void finish(const Ending& ending, Match& match);
    void offer_draw(Client& client, Match& match);
    void disconnect(Client& client);
    void check_flags();

    Client* find(std::string_view name);
    Match* match_of(const Client& client);
    Client* opponent_of(const Client& client, const Match& match);
    static void send(const Client& client, std::string_view text);
    static void prompt(const Client& client, std::string_view text);

    int listener_ = -1;
    int games_ = 0;
    std::list<Client> clients_;
    std::list<Challenge> challenges_;
    std::list<Match> matches_;
    std::list<Match> adjourned_;
};

}  // namespace ics
