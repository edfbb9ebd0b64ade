// Being asked to end.
#pragma once

namespace tools {

// A file that becomes readable on Ctrl-C or a polite kill; what the caller's parents ignore, as
// nohup does, stays ignored. From now on the signals end neither this thread nor any it starts.
int signals_as_file();

}  // namespace tools
