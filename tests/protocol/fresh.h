// The program with a folder of its own for the user's data.
#pragma once

#include "tests/protocol/program.h"

// An engine after the usual greeting, with a data folder of its own.
struct Fresh {
    Folder folder;
    Program program;

    explicit Fresh(const std::vector<std::string>& arguments = {"--no-book"})
        : program(arguments, folder.path()) {
        greet(program);
    }
    static void greet(Program& program) {
        program.send({"xboard", "protover 2"});
        program.until("feature done=1");
        program.send({"accepted debug", "new"});
    }
    // It ended with status 0 and wrote nothing to standard error.
    void ends_well() {
        BOOST_TEST(program.exit_status() == 0);
        BOOST_TEST(program.complaints() == "");
    }
};
