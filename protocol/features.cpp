#include "protocol/features.h"

#include "protocol/io/engine_name.h"

namespace protocol {

// One blank stands before each item, also after `feature`: simple clients search the line for
// " ping=1", others split it as a shell would.
std::vector<std::string> feature_lines(const Settings& settings) {
    std::vector<std::string> lines = {
        "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0",
        "feature reuse=1 analyze=1 colors=0 ics=1 name=1 pause=1 nps=1 debug=1 memory=1 smp=1",
        "feature exclude=1 setscore=0 highlight=0 egt=\"syzygy\" variants=\"normal,fischerandom\"",
        "feature myname=\"" + std::string(EngineName) + '"',
    };
    for (const std::string& option : option_features(settings))
        lines.push_back("feature " + option);
    lines.emplace_back("feature done=1");
    return lines;
}

}  // namespace protocol
