// A temporary folder, which the destructor removes.
#pragma once

#include <filesystem>
#include <random>
#include <string>

#include <boost/test/unit_test.hpp>

class Folder {
  public:
    Folder() {
        std::random_device random;
        path_ = std::filesystem::temp_directory_path() /
                ("nutcracker-" + std::to_string(random()) + std::to_string(random()));
        BOOST_TEST_REQUIRE(std::filesystem::create_directory(path_));
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};
