// Requests to end the program: Ctrl-C, kill, the end of the session.
#pragma once

namespace tools {

// A file that becomes readable on SIGINT, SIGTERM or SIGHUP. Blocks these signals in this thread
// and in all that it starts later. A signal that the program was started to ignore, as under nohup,
// stays ignored.
int signals_as_file();

// A file that reaches the limit of its size (SIGXFSZ, `ulimit -f`) shows as a failed write, like a
// full disk, and does not end the program.
void ignore_file_size_signal();

}  // namespace tools
