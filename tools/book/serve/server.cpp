#include "tools/book/serve/server.h"

#include "book/store/failure.h"
#include "engine/platform/program.h"

#include <array>
#include <chrono>
#include <csignal>
#include <list>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

namespace tools::book_command {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Answer = std::function<Reply(const http::request<http::string_body>&)>;

constexpr std::chrono::seconds Patience{10};  // for a whole request, and for a whole answer
constexpr std::size_t MaxConnections = 32;
constexpr unsigned MethodNotAllowed = 405;         // the status
constexpr std::uint32_t MaxHeaderBytes = 262'144;  // a visit names all games in progress
constexpr std::uint64_t MaxBodyBytes = 65536;
constexpr std::size_t MaxDiscardedBytes = 1'000'000;

std::string text(beast::string_view view) {
    return {view.data(), view.size()};
}

// Decodes "%2f" and the like, and '+' as a blank; nothing if the text is malformed.
std::optional<std::string> decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i] == '+' ? ' ' : text[i];
            continue;
        }
        unsigned value = 0;
        if (i + 2 >= text.size())
            return std::nullopt;
        for (const char digit : text.substr(i + 1, 2)) {
            const std::size_t number = std::string_view("0123456789abcdefABCDEF").find(digit);
            if (number == std::string_view::npos)
                return std::nullopt;
            value = 16 * value + static_cast<unsigned>(number < 16 ? number : number - 6);
        }
        result += static_cast<char>(value);
        i += 2;
    }
    return result;
}

// One connection. It lives as long as an operation on it is under way.
class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(tcp::socket socket, const Answer& answer)
        : stream_(std::move(socket)), answer_(answer) {}

    void read() {
        parser_.emplace();
        parser_->header_limit(MaxHeaderBytes);
        parser_->body_limit(MaxBodyBytes);
        stream_.expires_after(Patience);
        http::async_read(stream_,
                         buffer_,
                         *parser_,
                         [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                             self->have_read(error);
                         });
    }
    void close() {
        beast::error_code none;
        stream_.socket().close(none);
    }

  private:
    void have_read(const beast::error_code& error) {
        if (error.category() == make_error_code(http::error::bad_method).category()) {
            if (error == http::error::end_of_stream || error == http::error::partial_message)
                return;
            write({.status = error == http::error::body_limit     ? 413U
                             : error == http::error::header_limit ? 431U
                                                                  : 400U,
                   .type = "text/plain",
                   .body = error.message() + "\n"},
                  false);
        } else if (!error) {
            const http::request<http::string_body>& request = parser_->get();
            write(answer_(request), request.keep_alive(), request.method() == http::verb::head);
        }
    }

    // `head`: the request was HEAD, whose answer has no body.
    void write(Reply reply, bool keep, bool head = false) {
        reply_ = {};
        reply_.version(11);
        reply_.result(reply.status);
        reply_.set(http::field::content_type, reply.type);
        reply_.set(http::field::cache_control, "no-store");
        reply_.set("Content-Security-Policy",
                   "default-src 'self'; base-uri 'none'; form-action 'none'; "
                   "frame-ancestors 'none'; object-src 'none'");
        reply_.set("X-Content-Type-Options", "nosniff");
        reply_.set("X-Frame-Options", "DENY");
        reply_.set("Referrer-Policy", "no-referrer");
        reply_.set("Cross-Origin-Resource-Policy", "same-origin");
        reply_.set("Cross-Origin-Opener-Policy", "same-origin");
        if (reply.status == MethodNotAllowed)
            reply_.set(http::field::allow, "GET, POST");
        reply_.body() = std::move(reply.body);
        reply_.keep_alive(keep);
        reply_.prepare_payload();
        if (head)
            reply_.body().clear();
        stream_.expires_after(Patience);
        http::async_write(
            stream_,
            reply_,
            [self = shared_from_this(), keep](const beast::error_code& error, std::size_t) {
                if (!error && keep)
                    self->read();
                else if (!error)
                    self->finish();
            });
    }
    // Reads what still arrives: closing at once might make the client lose the answer.
    void finish() {
        beast::error_code none;
        stream_.socket().shutdown(tcp::socket::shutdown_send, none);
        discard(MaxDiscardedBytes);
    }
    void discard(std::size_t bytes) {
        stream_.async_read_some(
            asio::buffer(discarded_),
            [self = shared_from_this(), bytes](const beast::error_code& error, std::size_t read) {
                if (!error && read < bytes)
                    self->discard(bytes - read);
            });
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{MaxHeaderBytes + MaxBodyBytes};
    std::optional<http::request_parser<http::string_body>> parser_{};
    http::response<http::string_body> reply_{};
    std::array<char, 4096> discarded_{};
    const Answer& answer_;
};

RequestHead head_of(const http::request<http::string_body>& request) {
    return {.post = request.method() == http::verb::post,
            .host = text(request[http::field::host]),
            .origin = text(request[http::field::origin]),
            .referer = text(request[http::field::referer]),
            .fetch_site = text(request["Sec-Fetch-Site"]),
            .content_type = text(request[http::field::content_type]),
            .token = text(request[TokenHeader])};
}

Reply plain(unsigned status, const std::string& what) {
    return {.status = status, .type = "text/plain; charset=utf-8", .body = what + "\n"};
}

}  // namespace

std::optional<Request> parse_target(std::string_view target) {
    const std::string_view path = target.substr(0, target.find('?'));
    Request request;
    const std::optional<std::string> decoded_path = decoded(path);
    if (!decoded_path || !decoded_path->starts_with('/'))
        return std::nullopt;
    request.path = *decoded_path;
    target.remove_prefix(std::min(path.size() + 1, target.size()));
    while (!target.empty()) {
        const std::string_view pair = target.substr(0, target.find('&'));
        target.remove_prefix(std::min(pair.size() + 1, target.size()));
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const auto name = decoded(pair.substr(0, equals));
        const auto value = decoded(pair.substr(std::min(equals + 1, pair.size())));
        if (!name || !value)
            return std::nullopt;
        request.query[*name] = *value;
    }
    return request;
}

struct Server::Impl {
    asio::io_context context{1};
    tcp::acceptor acceptor{context};
    asio::signal_set signals{context, SIGINT, SIGTERM};
    asio::steady_timer pause{context};
    Answer answer{};
    std::list<std::weak_ptr<Connection>> connections{};  // the oldest first
    std::optional<Guard> guard{};

    void listen(unsigned port) {
        const tcp::endpoint here(asio::ip::address_v4::loopback(),
                                 static_cast<unsigned short>(port));
        acceptor.open(here.protocol());
        acceptor.set_option(
            tcp::acceptor::reuse_address(engine::platform::reuse_of_ports_is_safe()));
        acceptor.bind(here);
        acceptor.listen();
        guard.emplace(acceptor.local_endpoint().port());
    }
    void accept() {
        acceptor.async_accept([this](const beast::error_code& error, tcp::socket socket) {
            if (error) {  // no descriptors are left, perhaps
                pause.expires_after(std::chrono::milliseconds(100));
                return pause.async_wait([this](const beast::error_code&) { accept(); });
            }
            take(std::move(socket));
            accept();
        });
    }
    // If there are too many, closes the oldest, so that held connections keep nobody out.
    void take(tcp::socket socket) {
        connections.remove_if([](const auto& known) { return known.expired(); });
        if (connections.size() >= MaxConnections) {
            if (const auto oldest = connections.front().lock())
                oldest->close();
            connections.pop_front();
        }
        const auto connection = std::make_shared<Connection>(std::move(socket), answer);
        connections.push_back(connection);
        connection->read();
    }
};

Server::Server(unsigned port) : impl_(std::make_unique<Impl>()) {
    try {
        impl_->listen(port);
    } catch (const boost::system::system_error& e) {
        throw book::Failure(
            fmt::format("cannot listen on 127.0.0.1:{}: {}", port, e.code().message()));
    }
}

Server::~Server() = default;

const Guard& Server::guard() const {
    return *impl_->guard;
}

void Server::run(const std::function<bool(const std::string& path)>& open,
                 const std::function<Reply(const Request&)>& answer) {
    impl_->answer = [&](const http::request<http::string_body>& message) -> Reply {
        if (message.method() != http::verb::get && message.method() != http::verb::post)
            return plain(MethodNotAllowed, "only GET and POST");
        std::optional<Request> request =
            parse_target({message.target().data(), message.target().size()});
        if (!request || message.count(http::field::host) != 1)
            return plain(400, "this page has no such address");
        if (const auto refusal = guard().refusal(head_of(message), open(request->path)))
            return plain(refusal->status, refusal->what);
        request->post = message.method() == http::verb::post;
        request->body = message.body();
        Result<Reply> reply = book::guarded([&] { return answer(*request); });
        return reply ? *reply : plain(500, reply.error().what);
    };
    impl_->signals.async_wait([this](const beast::error_code&, int) { impl_->context.stop(); });
    impl_->accept();
    impl_->context.run();
}

}  // namespace tools::book_command
