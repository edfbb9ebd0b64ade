// Command lines of all tools, and the reading of whole files.
#include "tools/common/command_line.h"

#include "tests/folder.h"
#include "tests/system.h"
#include "tools/common/files.h"

#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <boost/test/unit_test.hpp>

namespace {

namespace po = boost::program_options;

// A program with an option of each kind.
struct Read {
    std::optional<int> code;
    std::string said, complained;
    po::variables_map given;
    std::uint64_t nodes = 0;
    int score = 0, threads = 1;
    double share = 0;
};

Read read(const std::vector<std::string>& words, int max_files = -1) {
    Read r;
    po::options_description options("Usage");
    options.add_options()("help", "this")("nodes", po::value(&r.nodes), "a count")(
        "score", po::value(&r.score), "a number")(
        "threads", tools::bound(r.threads, 1, 256), "a number in a range")(
        "share", tools::ranged(r.share, 0), "a number without an upper limit")(
        "name", po::value<std::string>(), "a text");
    const std::ostringstream out, errors;
    std::streambuf* const standard = std::cout.rdbuf(out.rdbuf());
    std::streambuf* const error = std::cerr.rdbuf(errors.rdbuf());
    r.code = tools::read_options({.who = "program",
                                  .words = words,
                                  .rest = "file",
                                  .max_rest = max_files,
                                  .explanation = "More.\n"},
                                 options,
                                 r.given);
    std::cout.rdbuf(standard);
    std::cerr.rdbuf(error);
    r.said = out.str();
    r.complained = errors.str();
    return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(command_line)

BOOST_AUTO_TEST_CASE(options_and_other_words_are_kept_apart) {
    const Read r = read({"a.pgn", "--nodes", "5", "-", "--score=-3", "--name", "-x"});
    BOOST_TEST(!r.code.has_value());
    BOOST_TEST(r.nodes == 5U);
    BOOST_TEST(r.score == -3);
    BOOST_TEST(r.given["name"].as<std::string>() == "-x");
    BOOST_TEST(
        (r.given["file"].as<std::vector<std::string>>() == std::vector<std::string>{"a.pgn", "-"}));
    BOOST_TEST(r.said + r.complained == "");
}

BOOST_AUTO_TEST_CASE(wrong_words_get_one_line_and_code_2) {
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--what"},
                                                  {"--nodes"},
                                                  {"--nodes", "many"},
                                                  {"--nodes", "-5"},
                                                  {"--nodes=-5"},
                                                  {"one", "two"}}) {
        const Read r = read(wrong, 1);
        BOOST_TEST((r.code == 2), wrong.back());
        BOOST_TEST(r.said == "");
        BOOST_TEST(r.complained.starts_with("program: "));
        BOOST_TEST(r.complained.find('\n') + 1 == r.complained.size());
    }
}

BOOST_AUTO_TEST_CASE(numbers_out_of_range_are_refused_by_name) {
    for (const auto& [words, complaint] :
         {std::pair(std::vector<std::string>{"--threads", "0"}, "--threads must be 1 to 256"),
          {{"--threads=257"}, "--threads must be 1 to 256"},
          {{"--share=-0.1"}, "--share must be 0 or more"},
          {{"--share", "nan"}, "--share must be 0 or more"}}) {
        const Read r = read(words);
        BOOST_TEST((r.code == 2), words.back());
        BOOST_TEST(r.complained == fmt::format("program: {} (try --help)\n", complaint));
    }
    const Read r = read({"--threads", "256", "--share", "0"});
    BOOST_TEST(!r.code.has_value());
    BOOST_TEST(r.threads == 256);
    BOOST_TEST(read({}).threads == 1);
}

BOOST_AUTO_TEST_CASE(help_ends_the_program_well) {
    const Read r = read({"--help", "one"});
    BOOST_TEST((r.code == 0));
    BOOST_TEST(r.said.starts_with("Usage:\n"));
    BOOST_TEST(r.said.find("--nodes arg") != std::string::npos);
    BOOST_TEST(r.said.find("--file") == std::string::npos);
    BOOST_TEST(r.said.ends_with("More.\n"));
}

BOOST_AUTO_TEST_CASE(a_file_is_read_whole_or_not_at_all) {
    const Folder folder;
    const std::string file = (folder / "file").string();
    BOOST_TEST(!tools::read_bytes(file).has_value());
    BOOST_TEST(!tools::read_bytes(folder.path().string()).has_value());
    for (const std::size_t size : {0U, 1U, 65'536U, 200'000U}) {
        std::ofstream(file, std::ios::binary) << std::string(size, '\n');
        BOOST_TEST((tools::read_bytes(file) == std::string(size, '\n')));
    }
}

BOOST_AUTO_TEST_CASE(a_device_is_no_file, *test_system::needs_posix()) {
    for (const char* device : {"/dev/null", "/dev/zero"})
        BOOST_TEST(!tools::read_bytes(device).has_value());
}

BOOST_AUTO_TEST_CASE(a_file_is_replaced) {
    const Folder folder;
    const std::string file = (folder / "file").string();
    for (const std::string text : {"old", "new"}) {
        BOOST_TEST(tools::replace_file(file, text).has_value());
        BOOST_TEST((tools::read_bytes(file) == text));
    }
    BOOST_TEST(!tools::replace_file((folder / "none/file").string(), "text").has_value());
}

BOOST_AUTO_TEST_CASE(a_file_stays_as_it_was_if_its_writer_throws) {
    const Folder folder;
    const std::string file = (folder / "file").string();
    BOOST_TEST(tools::replace_file(file, "old").has_value());
    const auto broken = [](std::ostream& out) {
        out << "new";
        throw std::runtime_error("no more");
    };
    BOOST_CHECK_THROW((void)tools::replace_file(file, broken), std::runtime_error);
    BOOST_TEST((tools::read_bytes(file) == "old"));
    BOOST_TEST(!std::filesystem::exists(file + ".new"));
}

BOOST_AUTO_TEST_CASE(a_link_leads_to_the_new_file, *test_system::needs_posix()) {
    const Folder folder;
    const std::string file = (folder / "file").string(), link = (folder / "link").string();
    std::filesystem::create_symlink(file, link);
    for (const std::string text : {"old", "new"}) {
        std::ofstream(file) << "before";
        BOOST_TEST(tools::replace_file(link, text).has_value());
        BOOST_TEST((tools::read_bytes(file) == text));
        BOOST_TEST(std::filesystem::is_symlink(link));
    }
}

BOOST_AUTO_TEST_CASE(a_device_is_written_directly, *test_system::needs_posix()) {
    BOOST_TEST(tools::replace_file("/dev/null", "text").has_value());
    BOOST_TEST(!tools::replace_file("/dev/full", "text").has_value());
    BOOST_TEST(std::filesystem::is_character_file("/dev/null"));
    BOOST_TEST(!std::filesystem::exists("/dev/null.new"));
}

BOOST_AUTO_TEST_SUITE_END()
