// The command serve: the live page.
#include "engine/platform/program.h"
#include "tools/book/serve/api.h"
#include "tools/book/serve/page_parts.h"

#include <iostream>

#include <fmt/format.h>

namespace tools::book_command {
namespace {

constexpr unsigned MinPort = 1024, MaxPort = 65535;
constexpr unsigned UsualPort = 28417;  // browsers remember the last visit by the port

std::map<std::string, Reply> page_files() {
    std::map<std::string, Reply> files;
    for (const PagePart* part = PageParts; part->path; ++part) {
        Reply& file = files[part->path];
        file.type = part->type;
        for (const char* const* line = part->lines; *line; ++line)
            file.body += *line;
    }
    return files;
}

// At the usual port, or at any if that is taken.
std::unique_ptr<Server> usual_server() {
    if (auto server = book::guarded([] { return std::make_unique<Server>(UsualPort); }))
        return std::move(*server);
    return std::make_unique<Server>(0);
}

}  // namespace

int serve(Call& call) {
    unsigned port = 0;
    bool open = false;
    call.option(
        "port",
        port,
        "port to listen on; 0: any free one (default: 28417, or any free one if it is in use)");
    call.option("open", open, "open the page in the browser");
    call.read();
    call.require(port == 0 || (MinPort <= port && port <= MaxPort),
                 fmt::format("--port must be {} to {}, or 0", MinPort, MaxPort));
    Api api(call);
    Request first;
    first.path = "/api/opponents";
    (void)api.answer(first);  // throws if the book cannot be read
    const std::map<std::string, Reply> files = page_files();
    const auto server = call.given("port") ? std::make_unique<Server>(port) : usual_server();
    const std::string address = server->guard().address() + "#token=" + server->guard().token();
    std::cout << address << std::endl;  // NOLINT(performance-avoid-endl): it is read now
    if (!std::cout)
        throw book::Failure("the address cannot be printed");
    if (open && !engine::platform::open_in_browser(address))
        std::cerr << "no program was found to open the page: open the address in a browser\n";
    server->run([&files](const std::string& path) { return files.contains(path); },
                [&](const Request& request) {
                    const auto file = files.find(request.path);
                    return file != files.end() && !request.post ? file->second
                                                                : api.answer(request);
                });
    return 0;
}

}  // namespace tools::book_command
