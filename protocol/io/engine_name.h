#pragma once

namespace protocol {

// The name and version that the client shows and that the book stores with every game.
inline constexpr const char* EngineName = "Nutcracker " NUTCRACKER_VERSION;

}  // namespace protocol
