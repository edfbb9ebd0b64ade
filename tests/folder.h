// A temporary folder, which the destructor removes.
#pragma once

#include <filesystem>
#include <string>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "nutcracker-XXXXXX").string();
        BOOST_TEST_REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
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
