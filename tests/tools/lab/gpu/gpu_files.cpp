// The files of the training on a GPU: what is written can be read back, and damage is refused.
#include "tools/lab/train/gpu_files.h"

#include "tests/folder.h"
#include "tools/common/files.h"

#include <cstring>
#include <limits>

#include <boost/test/unit_test.hpp>

using namespace tools::train;  // NOLINT(google-build-using-namespace)

namespace {

struct Files {
    Folder folder;
    std::string prefix = (folder / "x").string();
    std::string weights = prefix + ".weights";
    Model model{16, 1};
    SampleSet samples;

    Files() {
        samples.training = {sample("8/8/1k6/8/8/5K2/4R3/8 w - - 0 1", 320),
                            sample("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", -15)};
        samples.held_out = {sample("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 90)};
        BOOST_TEST_REQUIRE(write_gpu_files(prefix, samples, model).has_value());
    }
    static Sample sample(const char* fen, int score) {
        return make_sample(
            engine::Position::from_fen(fen).value(), score, tools::datagen::GameResult::Drawn);
    }
    static void check(const std::string& path, const std::vector<Sample>& written) {
        const std::string bytes = tools::read_bytes(path).value();
        BOOST_TEST_REQUIRE(bytes.size() == written.size() * sizeof(Sample));
        BOOST_TEST(std::memcmp(bytes.data(), written.data(), bytes.size()) == 0);
    }
    void check_refused(const std::string& bytes, const std::string& why) const {
        BOOST_TEST_REQUIRE(tools::replace_file(weights, bytes).has_value());
        Model other(16, 2);
        const auto read = read_gpu_weights(weights, other);
        BOOST_TEST_REQUIRE(!read.has_value());
        BOOST_TEST(read.error().what.ends_with(why));
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(gpu_files)

BOOST_FIXTURE_TEST_CASE(samples_and_weights_are_written_whole, Files) {
    check(prefix + ".samples", samples.training);
    check(prefix + ".held-out", samples.held_out);
    Model other(16, 2);
    BOOST_TEST_REQUIRE(read_gpu_weights(weights, other).has_value());
    BOOST_TEST(other.weights == model.weights);
}

BOOST_FIXTURE_TEST_CASE(weights_that_do_not_fit_are_refused, Files) {
    const std::string bytes = tools::read_bytes(weights).value();
    check_refused(bytes.substr(4), "weights of another network");
    std::string broken = bytes;
    const float infinite = std::numeric_limits<float>::infinity();
    std::memcpy(broken.data() + 400, &infinite, sizeof infinite);
    check_refused(broken, "weights that are no numbers");
}

BOOST_AUTO_TEST_SUITE_END()
