// ics_server SECONDS: prints its port and serves for that long.
#include "tests/clients/server/ics_server.h"

#include <cstdio>
#include <exception>
#include <string>

int main(int argc, char** argv) try {
    ics::Server server;
    std::printf("%d\n", server.port());
    std::fflush(stdout);
    server.run(std::chrono::seconds(argc > 1 ? std::stoi(argv[1]) : 600));
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "ics_server: %s\n", e.what());
    return 1;
}
