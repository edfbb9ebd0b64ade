// Memory in pages: it can be taken before it is used, and given back.
#include "engine/platform/memory.h"
#include "tests/system.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace {

bool all_there(const engine::platform::Pages& pages) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> there(pages.size() / page);
    BOOST_REQUIRE(mincore(pages.data(), pages.size(), there.data()) == 0);
    return std::all_of(there.begin(), there.end(), [](unsigned char c) { return (c & 1U) != 0; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pages)

BOOST_AUTO_TEST_CASE(pages_are_taken_with_their_contents_and_given_back) {
    const engine::platform::Pages pages(std::size_t{6} << 20);
    BOOST_REQUIRE(!pages.empty());
    BOOST_TEST(!all_there(pages));
    pages.data()[5] = std::byte{7};
    if (test_system::is_emulated() || !pages.populate(0, pages.size())) {
        BOOST_TEST_MESSAGE("the kernel cannot do this");
        return;
    }
    BOOST_TEST(all_there(pages));
    BOOST_TEST((pages.data()[5] == std::byte{7}));
    BOOST_TEST_REQUIRE(pages.reset());
    BOOST_TEST(!all_there(pages));
    BOOST_TEST((pages.data()[5] == std::byte{0}));
}

BOOST_AUTO_TEST_CASE(the_system_tells_how_much_memory_is_available) {
    BOOST_TEST(engine::platform::available_memory() < std::size_t{1} << 50);
}

BOOST_AUTO_TEST_SUITE_END()
