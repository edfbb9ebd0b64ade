// A library for LD_PRELOAD: calls of a program on the files of one folder fail, as they do on a bad
// or a full disk. The environment variable NUTCRACKER_FAULT says which:
//   FOLDER:KIND:N:stays|passes:COUNTER
// The N-th call fails, or with "stays" every call from the N-th on. N 0: none. KIND is
//   eio    any of the calls below fails with EIO
//   full   a call that needs space on the disk fails with ENOSPC
//   short  a write or a read transfers half of its bytes
// Only the calls that can fail so are counted; COUNTER is a file of 8 bytes that gets their number.
// No file of the folder is really synchronised with the disk, which saves time.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

enum class Kind { Eio, Full, Short };
enum class Call { NeedsSpace, Other };

template <typename Function>
Function* next(Function* /*ours*/, const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}
#define NEXT(function) next(::function, #function)

struct Plan {
    std::string folder;  // empty: nothing fails
    Kind kind = Kind::Eio;
    long at = 0;
    bool stays = false;
    std::atomic<long>* calls = nullptr;

    Plan() {
        std::vector<std::string> words{""};
        const char* const text = std::getenv("NUTCRACKER_FAULT");
        for (const char* c = text ? text : ""; *c != '\0'; ++c)
            *c == ':' ? words.emplace_back() : words.back() += *c;
        if (words.size() != 5)
            return;
        kind = words[1] == "eio" ? Kind::Eio : words[1] == "full" ? Kind::Full : Kind::Short;
        at = std::atol(words[2].c_str());
        stays = words[3] == "stays";
        const int file = NEXT(open)(words[4].c_str(), O_RDWR);
        void* const shared =
            NEXT(mmap)(nullptr, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (file < 0 || shared == MAP_FAILED)
            ::_exit(126);
        calls = static_cast<std::atomic<long>*>(shared);
        folder = words[0] + '/';
    }
    [[nodiscard]] bool strikes() const {
        const long call = ++*calls;
        return call == at || (stays && at > 0 && call > at);
    }
};

const Plan& plan() {
    static const Plan the_plan;
    return the_plan;
}

bool in_folder(const char* path) {
    const std::string& folder = plan().folder;
    return !folder.empty() && std::strncmp(path, folder.c_str(), folder.size()) == 0;
}

constexpr int MaxFiles = 1024;
std::atomic<bool> in_folder_by_file[MaxFiles];

bool watched(int file) {
    return 0 <= file && file < MaxFiles && in_folder_by_file[file];
}

bool fails(Call call) {
    const Kind kind = plan().kind;
    if (kind == Kind::Short || (kind == Kind::Full && call != Call::NeedsSpace) ||
        !plan().strikes())
        return false;
    errno = kind == Kind::Eio ? EIO : ENOSPC;
    return true;
}

// How many of so many bytes are read or written.
std::size_t part(std::size_t size) {
    return plan().kind == Kind::Short && plan().strikes() ? (size + 1) / 2 : size;
}

template <typename Open>
int open_file(const char* path, int flags, const Open& open) {
    const bool ours = in_folder(path);
    const bool creates = (flags & O_CREAT) != 0 && ::access(path, F_OK) != 0;
    if (ours && fails(creates ? Call::NeedsSpace : Call::Other))
        return -1;
    const int file = open();
    if (0 <= file && file < MaxFiles)
        in_folder_by_file[file] = ours;
    return file;
}

template <typename Write>
ssize_t write_file(int file, std::size_t size, const Write& write) {
    if (!watched(file))
        return write(size);
    return fails(Call::NeedsSpace) ? -1 : write(part(size));
}

template <typename Change>
auto change(bool ours, Call call, const Change& change) -> decltype(change()) {
    return ours && fails(call) ? -1 : change();
}

int mode_of(int flags, va_list more) {
    return (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
}

}  // namespace

extern "C" {

#define OPEN(name)                                                                                 \
    int name(const char* path, int flags, ...) {                                                   \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        const int mode = mode_of(flags, more);                                                     \
        va_end(more);                                                                              \
        return open_file(path, flags, [&] { return NEXT(name)(path, flags, mode); });              \
    }
OPEN(open)
OPEN(open64)

int mkostemp(char* path, int flags) {
    return open_file(path, flags | O_CREAT, [&] { return NEXT(mkostemp)(path, flags); });
}

#define FOPEN(name)                                                                                \
    FILE* name(const char* path, const char* mode) {                                               \
        FILE* file = nullptr;                                                                      \
        open_file(path, *mode == 'r' ? 0 : O_CREAT, [&] {                                          \
            file = NEXT(name)(path, mode);                                                         \
            return file ? fileno(file) : -1;                                                       \
        });                                                                                        \
        return file;                                                                               \
    }
FOPEN(fopen)
FOPEN(fopen64)

int close(int file) {
    if (watched(file))
        in_folder_by_file[file] = false;
    return NEXT(close)(file);
}

ssize_t read(int file, void* to, size_t size) {
    if (!watched(file))
        return NEXT(read)(file, to, size);
    return fails(Call::Other) ? -1 : NEXT(read)(file, to, part(size));
}
ssize_t write(int file, const void* from, size_t size) {
    return write_file(file, size, [&](size_t n) { return NEXT(write)(file, from, n); });
}
// SQLite takes a short pread for the end of the file, which no local file system does otherwise.
#define PREAD(name, Offset)                                                                        \
    ssize_t name(int file, void* to, size_t size, Offset at) {                                     \
        return change(watched(file), Call::Other, [&] { return NEXT(name)(file, to, size, at); }); \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)
#define PWRITE(name, Offset)                                                                       \
    ssize_t name(int file, const void* from, size_t size, Offset at) {                             \
        return write_file(file, size, [&](size_t n) { return NEXT(name)(file, from, n, at); });    \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define SYNC(name)                                                                                 \
    int name(int file) {                                                                           \
        return change(                                                                             \
            watched(file), Call::Other, [&] { return watched(file) ? 0 : NEXT(name)(file); });     \
    }
SYNC(fsync)
SYNC(fdatasync)

#define FTRUNCATE(name, Offset)                                                                    \
    int name(int file, Offset size) {                                                              \
        return change(watched(file), Call::Other, [&] { return NEXT(name)(file, size); });         \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define MMAP(name, Offset)                                                                         \
    void* name(void* place, size_t size, int protection, int flags, int file, Offset at) {         \
        if (watched(file) && fails(Call::Other))                                                   \
            return MAP_FAILED;                                                                     \
        return NEXT(name)(place, size, protection, flags, file, at);                               \
    }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

int unlink(const char* path) {
    return change(in_folder(path), Call::Other, [&] { return NEXT(unlink)(path); });
}
int remove(const char* path) {
    return change(in_folder(path), Call::Other, [&] { return NEXT(remove)(path); });
}
int rename(const char* from, const char* to) {
    return change(in_folder(to), Call::Other, [&] { return NEXT(rename)(from, to); });
}
int mkdir(const char* path, mode_t mode) {
    return change(in_folder(path), Call::NeedsSpace, [&] { return NEXT(mkdir)(path, mode); });
}

}  // extern "C"
