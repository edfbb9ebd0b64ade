#include "tools/learning/commands.h"
#include "tools/learning/report.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <boost/program_options.hpp>

namespace tools::learning::command {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

int complain(const std::string& what, int code) {
    std::cerr << "nutcracker-learningmatch: " << what << '\n';
    return code;
}

// The runs in a folder, by name.
Result<std::vector<Series>> read_runs(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const bool run = name.find("-learning") != std::string::npos ||
                         name.find("-control") != std::string::npos;
        if (run && entry.path().extension() == ".tsv")
            files.push_back(entry.path());
    }
    if (error)
        return fail("\"" + folder.string() + "\" cannot be read: " + error.message());
    std::sort(files.begin(), files.end());
    std::vector<Series> all;
    for (const fs::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        Result<Series> series = series_from_text(text.str());
        if (!series)
            return fail("\"" + file.string() + "\": " + series.error().what);
        if (series->complete)
            all.push_back(std::move(*series));
    }
    return all;
}

bool write(const std::string& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    return bool{out.flush()};
}

}  // namespace

int report(const Arguments& arguments) try {
    std::string folder, name, note;
    po::options_description options(
        "Usage: nutcracker-learningmatch report --folder DIR --out NAME [--note TEXT]\n\nWrites "
        "NAME.md and NAME.svg about the complete runs in the folder, and the measures to\nstandard "
        "output. Exit code 1 if one failed.\n\nOptions");
    options.add_options()("help", "this text")(
        "folder", po::value(&folder)->required(), "where the runs are")(
        "out", po::value(&name)->required(), "the report, without extension")(
        "note", po::value(&note)->default_value("tools/learning-match"), "how it was made");
    po::variables_map given;
    po::store(po::command_line_parser(arguments).options(options).run(), given);
    if (given.contains("help")) {
        std::cout << options;
        return 0;
    }
    po::notify(given);
    const Result<std::vector<Series>> all = read_runs(folder);
    if (!all)
        return complain(all.error().what, 1);
    if (all->empty())
        return complain("no complete run in \"" + folder + "\"", 1);
    const std::string picture = fs::path(name).filename().string() + ".svg";
    if (!write(name + ".md", report_text(*all, note, picture)) ||
        !write(name + ".svg", report_picture(*all)))
        return complain("\"" + name + "\" cannot be written", 1);
    bool passed = true;
    for (const Verdict& v : verdicts(*all)) {
        std::cout << (v.passed ? "passed\t" : "FAILED\t") << v.what << '\t' << v.found << '\t'
                  << v.demanded << '\n';
        passed = passed && v.passed;
    }
    return passed ? 0 : 1;
} catch (const po::error& e) {
    return complain(e.what(), 2);
}

}  // namespace tools::learning::command
