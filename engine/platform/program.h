// What a program knows about itself and the system it runs on.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace engine::platform {

// First in main(): the arguments without the program's name, in UTF-8. Files, standard input and
// output pass bytes as they are. A file that reaches the limit of its size (SIGXFSZ, `ulimit -f`)
// shows as a failed write, like a full disk, and does not end the program.
std::vector<std::string> begin_program(int argc, char** argv);

// A pipe that nobody reads any more shows as a failed write and does not end the program.
void ignore_broken_pipes();

std::filesystem::path program_file();  // empty if it is not known

// The folder for this user's data: $XDG_DATA_HOME or ~/.local/share, also where HOME is not set; on
// Windows %LOCALAPPDATA%. Empty if there is none.
std::filesystem::path user_data_folder();

// Expands `~/` to the user's home folder, at the beginning and after each path separator, as a
// shell does; blanks may follow a semicolon. On Windows unchanged.
std::string with_home(const std::string& paths);

int process_number();

void pause(std::chrono::milliseconds time);

bool is_terminal(int descriptor);

// False if SO_REUSEADDR lets one program take over a port on which another listens, as on Windows.
bool reuse_of_ports_is_safe();

// Shows an address in the user's browser; false if no program for that is found.
bool open_in_browser(const std::string& address);

}  // namespace engine::platform
