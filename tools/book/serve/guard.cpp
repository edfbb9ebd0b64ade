#include "tools/book/serve/guard.h"

#include <array>
#include <random>

#include <fmt/format.h>

namespace tools::book_command {
namespace {

std::string random_token() {
    std::random_device source;  // the kernel's generator
    std::string token;
    for (int i = 0; i < 8; ++i)
        token += fmt::format("{:08x}", source() & 0xFFFF'FFFFU);
    return token;
}

// Takes the same time wherever the texts differ.
bool same_secret(const std::string& a, const std::string& b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        difference |= static_cast<unsigned>(a[i] ^ b[i]);
    return difference == 0;
}

}  // namespace

Guard::Guard(unsigned port) : port_(port), token_(random_token()) {}

std::string Guard::address() const {
    return fmt::format("http://127.0.0.1:{}/", port_);
}

std::optional<Refusal> Guard::refusal(const RequestHead& head, bool open) const {
    const std::array hosts{fmt::format("127.0.0.1:{}", port_), fmt::format("localhost:{}", port_)};
    if (head.host != hosts[0] && head.host != hosts[1])
        return Refusal{.what = "this page is only for 127.0.0.1"};
    const std::string self = "http://" + head.host;
    if ((!head.origin.empty() && head.origin != self) ||
        (!head.referer.empty() && !head.referer.starts_with(self + "/")) ||
        (!head.fetch_site.empty() && head.fetch_site != "same-origin" && head.fetch_site != "none"))
        return Refusal{.what = "requests from other pages are refused"};
    if (!open && !same_secret(head.token, token_))
        return Refusal{.what = "open the address that \"nutcracker-book serve\" printed"};
    if (head.post && head.content_type != "application/json")
        return Refusal{.status = 415, .what = "changes must be sent as application/json"};
    return std::nullopt;
}

}  // namespace tools::book_command
