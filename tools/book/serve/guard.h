// Who may ask the live page. Other programs and pages on this machine can reach its port, too:
// pages of other sites through the user's browser, also under a name that resolves to this machine.
// So a request must name this machine as host, must not come from another page, and must carry the
// token that only the printed address has. No cookie: it would be sent to every port of this
// machine.
#pragma once

#include <optional>
#include <string>

namespace tools::book_command {

inline constexpr const char* TokenHeader = "X-Nutcracker-Token";

struct RequestHead {  // header fields; "" where there is none
    bool post = false;
    std::string host, origin, referer, fetch_site, content_type, token;
};

struct Refusal {
    unsigned status = 403;  // of HTTP
    std::string what;
};

class Guard {
  public:
    // `port`: where the server listens; 1 to 65535.
    explicit Guard(unsigned port);

    // The token, 64 hexadecimal digits, new for each guard.
    [[nodiscard]] const std::string& token() const { return token_; }
    // "http://127.0.0.1:8000/".
    [[nodiscard]] std::string address() const;
    // Why the request is not answered, or nothing. `open`: it asks for a part of the page, which
    // holds no data and needs no token.
    [[nodiscard]] std::optional<Refusal> refusal(const RequestHead& head, bool open) const;

  private:
    unsigned port_;
    std::string token_;
};

}  // namespace tools::book_command
