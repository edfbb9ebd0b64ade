// A small HTTP server for one user on this machine: listens on 127.0.0.1 alone, answers one request
// at a time, closes connections that are slow or too many, and runs until it is interrupted.
#pragma once

#include "tools/book/serve/guard.h"

#include <functional>
#include <map>
#include <memory>

namespace tools::book_command {

struct Request {
    bool post = false;
    std::string path;                          // "/api/position", decoded
    std::map<std::string, std::string> query;  // decoded; the last of equal names
    std::string body;
};
struct Reply {
    unsigned status = 200;
    std::string type = "application/json", body{};
};

// The path and query of a request's target; nothing if it is malformed.
std::optional<Request> parse_target(std::string_view target);

class Server {
  public:
    // `port` 0: any that is free. Throws book::Failure if it cannot listen there.
    explicit Server(unsigned port);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    [[nodiscard]] const Guard& guard() const;
    // Returns after SIGINT or SIGTERM. `open`: true if the path needs no token. Both functions
    // are called on this thread and may throw: the answer is then status 500.
    void run(const std::function<bool(const std::string& path)>& open,
             const std::function<Reply(const Request&)>& answer);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tools::book_command
