#include "engine/platform/memory.h"

#include "engine/platform/file.h"
#include "engine/platform/windows/handles.h"

namespace engine::platform {

std::size_t available_memory() {
    return 0;
}

void Pages::Free::operator()(std::byte* p) const {
    ::VirtualFree(p, 0, MEM_RELEASE);
}

// Large pages need a right that programs do not have by default.
Pages::Pages(std::size_t wanted) {
    const std::size_t bytes = wanted > 0 ? wanted : 1;
    void* const memory = ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (memory)
        memory_ = {static_cast<std::byte*>(memory), Free{bytes}};
}

// Not possible: memory that was released might not be available again.
bool Pages::reset() const {
    return false;
}

bool Pages::populate(std::size_t /*from*/, std::size_t /*bytes*/) const {
    return false;
}

void MappedFile::Unmap::operator()(const std::uint8_t* p) const {
    ::UnmapViewOfFile(p);
}

Result<MappedFile> MappedFile::open(const std::string& path) {
    const HANDLE handle = ::CreateFileW(long_path(path).c_str(),
                                        GENERIC_READ,
                                        FILE_SHARE_READ | FILE_SHARE_DELETE,
                                        nullptr,
                                        OPEN_EXISTING,
                                        FILE_FLAG_RANDOM_ACCESS,
                                        nullptr);
    LARGE_INTEGER size{};
    if (handle == INVALID_HANDLE_VALUE || ::GetFileSizeEx(handle, &size) == 0) {
        if (handle != INVALID_HANDLE_VALUE)
            ::CloseHandle(handle);
        return fail("cannot be read");
    }
    const HANDLE mapping = size.QuadPart > 0
                               ? ::CreateFileMappingW(handle, nullptr, PAGE_READONLY, 0, 0, nullptr)
                               : nullptr;
    ::CloseHandle(handle);
    const void* const memory = mapping ? ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0) : nullptr;
    if (mapping)
        ::CloseHandle(mapping);
    if (!memory)
        return fail(size.QuadPart > 0 ? "cannot be mapped into memory" : "is empty");
    MappedFile file;
    file.memory_ = {static_cast<const std::uint8_t*>(memory),
                    Unmap{static_cast<std::size_t>(size.QuadPart)}};
    return file;
}

}  // namespace engine::platform
