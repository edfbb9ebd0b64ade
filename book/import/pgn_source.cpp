#include "book/import/pgn_source.h"

#include "book/store/failure.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace book {
namespace {

namespace fs = std::filesystem;
namespace io = boost::iostreams;

// A file descriptor that counts its bytes and lets the first four be read twice.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ > 0)
            ::close(number_);
    }
    std::size_t read(char* to, std::size_t size) {
        if (peeked_ > given_) {
            const std::size_t n = std::min(size, peeked_ - given_);
            std::memcpy(to, first_.data() + given_, n);
            given_ += n;
            return n;
        }
        return read_more(to, size);
    }
    std::string_view peek() {
        for (std::size_t n = 1; peeked_ < first_.size() && n > 0; peeked_ += n)
            n = read_more(first_.data() + peeked_, first_.size() - peeked_);
        return {first_.data(), peeked_};
    }
    std::shared_ptr<std::atomic<std::int64_t>> counter() { return total_; }

  private:
    std::size_t read_more(char* to, std::size_t size) {
        ssize_t n = 0;
        do
            n = ::read(number_, to, size);
        while (n < 0 && errno == EINTR);
        *total_ += std::max<ssize_t>(n, 0);
        return n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    int number_;
    std::array<char, 4> first_{};
    std::size_t peeked_ = 0, given_ = 0;
    std::shared_ptr<std::atomic<std::int64_t>> total_ =
        std::make_shared<std::atomic<std::int64_t>>(0);
};

// Boost.Iostreams reads through this Source.
struct Device {
    using char_type = char;
    using category = io::source_tag;
    std::shared_ptr<Descriptor> descriptor;
    std::streamsize read(char* to, std::streamsize size) const {
        const std::size_t n = descriptor->read(to, static_cast<std::size_t>(size));
        return n == 0 ? -1 : static_cast<std::streamsize>(n);
    }
};

using Unpacked = io::filtering_streambuf<io::input>;

PgnReader::Source unpacking(std::shared_ptr<Unpacked> stream,
                            std::shared_ptr<std::string> trouble) {
    return [stream = std::move(stream),
            trouble = std::move(trouble)](std::span<char> to) -> std::size_t {
        if (!trouble->empty())
            return 0;
        std::size_t done = 0;
        try {
            // The text in front of a damaged place is still read.
            for (std::streamsize n = 1; done < to.size() && n > 0;
                 done += static_cast<std::size_t>(n)) {
                const auto part = std::min<std::size_t>(to.size() - done, 4096);
                n = stream->sgetn(to.data() + done, static_cast<std::streamsize>(part));
            }
        } catch (const std::exception& e) {
            *trouble = fmt::format("the packed file is damaged ({})", e.what());
        }
        return done;
    };
}

bool is_games_file(const fs::path& file) {
    const std::string name = file.filename().string();
    for (const std::string_view end : {".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst", ".PGN"})
        if (name.ends_with(end))
            return true;
    return false;
}

}  // namespace

GamesFile open_games(const fs::path& file) {
    const int number = file == "-" ? 0 : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (number < 0)
        throw Failure(
            fmt::format("\"{}\" cannot be read: {}", file.string(), std::strerror(errno)));
    auto descriptor = std::make_shared<Descriptor>(number);
    std::error_code none;
    if (fs::is_directory(file, none))
        throw Failure("\"" + file.string() + "\" is a folder");
    const std::uintmax_t size = number == 0 ? 0 : fs::file_size(file, none);
    GamesFile games{.name = file == "-" ? "standard input" : file.string(),
                    .read = {},
                    .size = none ? 0 : static_cast<std::int64_t>(size),
                    .raw_read = descriptor->counter(),
                    .trouble = std::make_shared<std::string>()};
    const std::string_view first = descriptor->peek();
    constexpr std::streamsize Room = 1 << 16;
    auto stream = std::make_shared<Unpacked>();
    if (first.starts_with("\x1f\x8b"))
        stream->push(io::gzip_decompressor(io::zlib::default_window_bits, Room), Room);
    else if (first.starts_with("BZh"))
        stream->push(io::bzip2_decompressor(false, Room), Room);
    else if (first.starts_with("\x28\xb5\x2f\xfd"))
        stream->push(io::zstd_decompressor(Room), Room);
    if (stream->empty()) {
        games.read = [descriptor](std::span<char> to) {
            return descriptor->read(to.data(), to.size());
        };
        return games;
    }
    games.packed = true;
    stream->push(Device{descriptor}, Room);
    games.read = unpacking(std::move(stream), games.trouble);
    return games;
}

std::vector<fs::path> games_files(const std::vector<fs::path>& given) {
    std::vector<fs::path> files;
    for (const fs::path& path : given) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        std::vector<fs::path> below;
        for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
             at.increment(error))
            if (is_games_file(at->path()) && at->is_regular_file())
                below.push_back(at->path());
        if (error)
            throw Failure(fmt::format("\"{}\" cannot be read: {}", path.string(), error.message()));
        std::sort(below.begin(), below.end());
        files.insert(files.end(), below.begin(), below.end());
    }
    return files;
}

}  // namespace book
