#include "engine/platform/memory.h"

#include "engine/platform/file.h"

#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace engine::platform {

std::size_t available_memory() {
    std::ifstream info("/proc/meminfo");
    for (std::string line; std::getline(info, line);)
        if (std::istringstream words(line); words >> line && line == "MemAvailable:") {
            std::size_t kibibytes = 0;
            words >> kibibytes;
            return kibibytes << 10;
        }
    return 0;
}

void Pages::Free::operator()(std::byte* p) const {
    munmap(p, size);
}

Pages::Pages(std::size_t wanted) {
    constexpr std::size_t HugePage = std::size_t{2} << 20;
    const std::size_t bytes = (wanted + HugePage - 1) & ~(HugePage - 1);
    void* const memory =
        mmap(nullptr, bytes + HugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    // Keep the part between two borders of huge pages.
    auto* const start = static_cast<std::byte*>(memory);
    const std::size_t before =
        (HugePage - reinterpret_cast<std::uintptr_t>(start) % HugePage) % HugePage;
    if (before > 0)
        munmap(start, before);
    munmap(start + before + bytes, HugePage - before);
    madvise(start + before, bytes, MADV_HUGEPAGE);  // for speed only, so failure does not matter
    memory_ = {start + before, Free{bytes}};
}

bool Pages::reset() const {
    return madvise(data(), size(), MADV_DONTNEED) == 0;
}

bool Pages::populate(std::size_t from, std::size_t bytes) const {
#ifdef MADV_POPULATE_WRITE
    return madvise(data() + from, bytes, MADV_POPULATE_WRITE) == 0;
#else
    return false;
#endif
}

void MappedFile::Unmap::operator()(const std::uint8_t* p) const {
    munmap(const_cast<std::uint8_t*>(p), size);
}

Result<MappedFile> MappedFile::open(const std::string& path) {
    const int descriptor = ::open(
        path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // not waiting for the writer of a pipe
    struct stat info {};
    if (descriptor < 0 || fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        const std::string why = descriptor < 0 ? error_text() : "not a file";
        if (descriptor >= 0)
            ::close(descriptor);
        return fail("cannot be read: " + why);
    }
    const auto size = static_cast<std::size_t>(info.st_size);
    void* const memory =
        size > 0 ? mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    ::close(descriptor);
    if (memory == MAP_FAILED)
        return fail(size > 0 ? "cannot be mapped into memory" : "is empty");
    madvise(memory, size, MADV_RANDOM);  // for speed only, so failure does not matter
    MappedFile file;
    file.memory_ = {static_cast<const std::uint8_t*>(memory), Unmap{size}};
    return file;
}

}  // namespace engine::platform
