#include "book/import/pgn_source.h"

#include "book/import/decompress.h"
#include "book/import/encoding.h"
#include "book/model/letter_case.h"
#include "book/store/failure.h"
#include "engine/platform/file.h"

#include <algorithm>

#include <fmt/format.h>

namespace book {
namespace {

namespace fs = std::filesystem;

using engine::platform::File;

// A file that counts the bytes that are read.
class CountedFile {
  public:
    explicit CountedFile(File file) : file_(std::move(file)) {}
    std::size_t read(std::span<char> to, SourceTrouble& trouble) {
        const std::ptrdiff_t n = file_.read(to);
        if (n < 0)
            trouble = {.what = fmt::format("reading failed: {}", engine::platform::error_text()),
                       .lost = true};
        *total_ += std::max<std::ptrdiff_t>(n, 0);
        return static_cast<std::size_t>(std::max<std::ptrdiff_t>(n, 0));
    }
    std::shared_ptr<std::atomic<std::int64_t>> counter() { return total_; }

  private:
    File file_;
    std::shared_ptr<std::atomic<std::int64_t>> total_ =
        std::make_shared<std::atomic<std::int64_t>>(0);
};

// The first four bytes of the source, or all that there are. The source gives them again.
std::string peek(TextSource& source) {
    std::string first(4, '\0');
    std::size_t size = 0;
    for (std::size_t n = 1; size < first.size() && n > 0; size += n)
        n = source(std::span(first).subspan(size));
    first.resize(size);
    source = [first, given = std::size_t{0}, rest = std::move(source)](std::span<char> to) mutable {
        if (given == first.size())
            return rest(to);
        const std::size_t n = first.copy(to.data(), to.size(), given);
        given += n;
        return n;
    };
    return first;
}

bool is_games_file(const fs::path& file) {
    const std::string name = lower(file.filename().string());
    for (const std::string_view end : {".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst"})
        if (name.ends_with(end))
            return true;
    return false;
}

// Then open_games() reports it, and the other files are read.
bool is_unreadable_folder(const fs::path& path) {
    std::error_code none, error;
    if (fs::is_directory(path, none))
        fs::directory_iterator(path, error);
    return static_cast<bool>(error);
}

}  // namespace

GamesFile open_games(const fs::path& file) {
    const bool standard = file == "-";
    File opened = standard ? File::standard_input() : File(file, File::Mode::Read);
    if (!opened.is_open())
        throw Failure(fmt::format(
            "\"{}\" cannot be read: {}", file.string(), engine::platform::error_text()));
    auto counted = std::make_shared<CountedFile>(std::move(opened));
    std::error_code none;
    if (fs::is_directory(file, none))
        throw Failure("\"" + file.string() + "\" is a folder");
    const std::uintmax_t size = standard ? 0 : fs::file_size(file, none);
    GamesFile games{.name = standard ? "standard input" : file.string(),
                    .read = {},
                    .size = none ? 0 : static_cast<std::int64_t>(size),
                    .raw_read = counted->counter()};
    games.read = [counted, trouble = games.trouble](std::span<char> to) {
        return counted->read(to, *trouble);
    };
    const std::string first = peek(games.read);
    if (const std::string_view archive = archive_name(first); !archive.empty())
        throw Failure(fmt::format("\"{}\" is {}: unpack it first", games.name, archive));
    if (is_packed(first)) {
        games.packed = true;
        games.read = decompressed(std::move(games.read), games.trouble);
    }
    if (const auto encoding = find_wide_encoding(peek(games.read))) {
        games.packed = true;
        games.read = to_utf8(std::move(games.read), *encoding);
    }
    return games;
}

std::vector<fs::path> games_files(const std::vector<fs::path>& given) {
    std::vector<fs::path> files;
    for (const fs::path& path : given) {
        std::error_code error;
        if (!fs::is_directory(path, error) || is_unreadable_folder(path)) {
            files.push_back(path);
            continue;
        }
        std::vector<fs::path> below;
        constexpr auto Options = fs::directory_options::skip_permission_denied;
        for (fs::recursive_directory_iterator at(path, Options, error), end; !error && at != end;
             at.increment(error))
            if (is_unreadable_folder(at->path()) ||
                (is_games_file(at->path()) && at->is_regular_file()))
                below.push_back(at->path());
        if (error)
            throw Failure(fmt::format("\"{}\" cannot be read: {}", path.string(), error.message()));
        std::sort(below.begin(), below.end());
        files.insert(files.end(), below.begin(), below.end());
    }
    return files;
}

}  // namespace book
