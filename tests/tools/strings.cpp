#include "tools/common/strings.h"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

namespace {

std::vector<std::string> words(std::string_view text) {
    const auto result = tools::split_command(text);
    BOOST_REQUIRE(result.has_value());
    return *result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(strings)

BOOST_AUTO_TEST_CASE(commands_split_as_in_a_shell) {
    using Words = std::vector<std::string>;
    BOOST_CHECK((words("  a  b\tc ") == Words{"a", "b", "c"}));
    BOOST_CHECK((words(R"(run "a b" 'c "d"' e\ f "g\"h" '')") ==
                 Words{"run", "a b", "c \"d\"", "e f", "g\"h", ""}));
    BOOST_CHECK((words("a'b'\"c\"") == Words{"abc"}));
    BOOST_CHECK(words("").empty());
}

BOOST_AUTO_TEST_CASE(an_open_quote_is_refused) {
    BOOST_TEST(!tools::split_command("a 'b").has_value());
    BOOST_TEST(!tools::split_command("\"").has_value());
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_no_part_of_the_text) {
    BOOST_TEST(tools::without_mark("\xEF\xBB\xBF"
                                   "a") == "a");
    BOOST_TEST(tools::without_mark("a\xEF\xBB\xBF") == "a\xEF\xBB\xBF");
    BOOST_TEST(tools::without_mark("\xEF\xBB") == "\xEF\xBB");
}

BOOST_AUTO_TEST_CASE(numbers_must_fill_the_text) {
    BOOST_CHECK(tools::number<int>("42") == 42);
    BOOST_CHECK(tools::number<int>("+7") == 7);
    BOOST_CHECK(tools::number<int>("-7") == -7);
    BOOST_CHECK(tools::number<double>("0.5") == 0.5);
    for (const char* bad : {"", "+", "4x", " 4", "99999999999"})
        BOOST_TEST(!tools::number<int>(bad).has_value());
}

BOOST_AUTO_TEST_CASE(times_are_written_without_needless_zeros) {
    BOOST_TEST(tools::seconds_text(1250ms) == "1.25");
    BOOST_TEST(tools::seconds_text(10ms) == "0.01");
    BOOST_TEST(tools::seconds_text(60s) == "60");
    BOOST_TEST(tools::seconds_text(0ms) == "0");
    BOOST_TEST(tools::clock_text(65s) == "1:05");
    BOOST_TEST(tools::clock_text(4230ms) == "0:04.2");
    BOOST_TEST(tools::clock_text(-5s) == "0:00.0");
}

BOOST_AUTO_TEST_CASE(equal_names_are_numbered) {
    const std::vector<std::string> taken{"a", "b", "b (2)"};
    BOOST_TEST(tools::distinct_name("c", taken) == "c");
    BOOST_TEST(tools::distinct_name("a", taken) == "a (2)");
    BOOST_TEST(tools::distinct_name("b", taken) == "b (3)");
}

BOOST_AUTO_TEST_CASE(dates_name_days_months_and_years) {
    constexpr std::int64_t Day = 86'400;
    const auto days = [](const char* text) {
        const auto period = tools::period_from(text);
        return period ? (period->end - period->first) / Day : 0;
    };
    const std::pair<const char*, int> dates[] = {{"2024", 366},
                                                 {"2023", 365},
                                                 {"2024-02", 29},
                                                 {"2024.12", 31},
                                                 {"2024-05-31", 1},
                                                 {"2024.5.3", 1},
                                                 {"20240531", 1},
                                                 {"today", 1},
                                                 {"yesterday", 1}};
    for (const auto& [text, length] : dates)
        BOOST_TEST(days(text) == length, text);
    for (const char* const text : {"",
                                   "24",
                                   "2024-13",
                                   "2024-02-30",
                                   "2024-",
                                   "2024-05-31-1",
                                   "+1984",
                                   "19842",
                                   "0000",
                                   "Today",
                                   "tomorrow"})
        BOOST_TEST(days(text) == 0, text);
    BOOST_TEST(tools::period_from("2024-05-31")->first == 1'717'113'600);
    BOOST_TEST(tools::date_text(1'717'113'600 + Day - 1) == "2024-05-31");
    BOOST_TEST(tools::date_text(0) == "?");
}

BOOST_AUTO_TEST_SUITE_END()
