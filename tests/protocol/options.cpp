#include "protocol/options.h"

#include "engine/platform/program.h"
#include "tests/system.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>

#include <boost/test/unit_test.hpp>

using namespace protocol;

BOOST_AUTO_TEST_SUITE(options)

BOOST_AUTO_TEST_CASE(every_option_is_announced_in_a_form_clients_read) {
    const std::regex form(
        R"re(option="[A-Za-z]+ (-check [01]|-file \S*|-path \S*|-string \S*|-spin -?\d+ -?\d+ -?\d+)")re");
    const std::vector<std::string> features = option_features({});
    BOOST_TEST(features.size() == 18U);
    for (const std::string& feature : features)
        BOOST_TEST(std::regex_match(feature, form), feature);
}

BOOST_AUTO_TEST_CASE(an_empty_default_keeps_its_blank) {
    const auto features = option_features({});
    BOOST_TEST(std::count(features.begin(), features.end(), "option=\"BookFile -file \"") == 1);
}

BOOST_AUTO_TEST_CASE(a_file_name_that_would_break_the_line_is_not_shown) {
    Settings settings;
    settings.book_file = "/tmp/a book\"s.db";
    const auto features = option_features(settings);
    BOOST_TEST(std::count(features.begin(), features.end(), "option=\"BookFile -file \"") == 1);
    for (const std::string& name :
         {std::string("/tmp/b\xc3\xbc") + "cher.db", std::string(300, 'x')}) {
        settings.book_file = name;
        const auto hidden = option_features(settings);
        BOOST_TEST(std::count(hidden.begin(), hidden.end(), "option=\"BookFile -file \"") == 1);
    }
    settings.book_file = "/tmp/book.db";
    const auto shown = option_features(settings);
    BOOST_TEST(std::count(shown.begin(), shown.end(), "option=\"BookFile -file /tmp/book.db\"") ==
               1);
}

BOOST_AUTO_TEST_CASE(numbers_are_clamped_and_nonsense_kept_out) {
    Settings settings;
    BOOST_TEST((set_option(settings, "ResignScore", "5") == Setting::Changed));
    BOOST_TEST(settings.resign_score_cp == 200);
    BOOST_TEST((set_option(settings, "ResignScore", "99999999999999") == Setting::Changed));
    BOOST_TEST(settings.resign_score_cp == 10'000);
    BOOST_TEST((set_option(settings, "ResignScore", "much") == Setting::Invalid));
    BOOST_TEST(settings.resign_score_cp == 10'000);
    BOOST_TEST((set_option(settings, "MoveOverhead", "100") == Setting::Changed));
    BOOST_TEST(settings.move_overhead_ms == 100);
}

BOOST_AUTO_TEST_CASE(checks_take_numbers_and_words) {
    Settings settings;
    BOOST_TEST((set_option(settings, "ownbook", "false") == Setting::Changed));
    BOOST_TEST(!settings.own_book);
    BOOST_TEST((set_option(settings, "OWNBOOK", " 1 ") == Setting::Changed));
    BOOST_TEST(settings.own_book);
    BOOST_TEST((set_option(settings, "OwnBook", "1") == Setting::Kept));
    BOOST_TEST((set_option(settings, "OwnBook", "2") == Setting::Invalid));
    BOOST_TEST((set_option(settings, "OwnBook", "") == Setting::Invalid));
    BOOST_TEST(settings.own_book);
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(the_home_folder_may_be_a_tilde) {
    const char* const variable = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
    BOOST_TEST_REQUIRE(variable != nullptr);
    const std::string home = variable;
    Settings settings;
    BOOST_TEST((set_option(settings, "BookFile", "~/x~/y.db") == Setting::Changed));
    BOOST_TEST(settings.book_file == home + "/x~/y.db");
    BOOST_TEST((set_option(settings, "BookFiles", "a.bin;~/b.bin;~c") == Setting::Changed));
    BOOST_TEST(settings.book_files == "a.bin;" + home + "/b.bin;~c");
    BOOST_TEST(
        (set_option(settings, "BookFiles", "~/a.bin; ~/b.bin ; x ~/c.bin") == Setting::Changed));
    BOOST_TEST(settings.book_files == home + "/a.bin; " + home + "/b.bin ; x ~/c.bin");
}

// As in many services.
BOOST_AUTO_TEST_CASE(the_home_folder_is_known_without_its_variable) {
    std::map<const char*, std::string> before;
    for (const char* const name : {"HOME", test_system::DataFolderVariable}) {
        if (const char* const value = std::getenv(name))  // NOLINT(concurrency-mt-unsafe)
            before[name] = value;
        test_system::set_variable(name, std::nullopt);
    }
    const std::string home = engine::platform::with_home("~/");
    const std::filesystem::path data = engine::platform::user_data_folder();
    for (const auto& [name, value] : before)
        test_system::set_variable(name, value);
    BOOST_TEST(home.starts_with('/'));
    BOOST_TEST(data == home + ".local/share");
}
#endif

BOOST_AUTO_TEST_CASE(text_may_hold_blanks_and_equals_signs) {
    Settings settings;
    BOOST_TEST((set_option(settings, "BookFile", " /a b=c.db ") == Setting::Changed));
    BOOST_TEST(settings.book_file == "/a b=c.db");
    // With a blank it was announced as empty, and clients may send that back.
    BOOST_TEST((set_option(settings, "BookFile", "") == Setting::Kept));
    BOOST_TEST(settings.book_file == "/a b=c.db");
    BOOST_TEST((set_option(settings, "BookFile", "/a.db") == Setting::Changed));
    BOOST_TEST((set_option(settings, "BookFile", " ") == Setting::Empty));
    BOOST_TEST(settings.book_file == "/a.db");
}

BOOST_AUTO_TEST_CASE(an_unknown_option_is_reported) {
    Settings settings;
    BOOST_TEST((set_option(settings, "Hsah", "16") == Setting::Unknown));
    BOOST_TEST((set_option(settings, "", "") == Setting::Unknown));
}

BOOST_AUTO_TEST_SUITE_END()
