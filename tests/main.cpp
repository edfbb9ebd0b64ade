// The main program of every test_<room>; Boost.Test supplies it.
#define BOOST_TEST_MODULE nutcracker
#include <boost/test/unit_test.hpp>
