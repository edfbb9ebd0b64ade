// Own games for the live page.
#include "tools/book/serve/api.h"

#include <nlohmann/json.hpp>

namespace tools::book_command {

using Json = nlohmann::json;

nlohmann::json games_json(LiveBook&, const Query&) {
    return Json::array();
}
nlohmann::json game_json(LiveBook&, const Query&) {
    return Json::object();
}

}  // namespace tools::book_command
