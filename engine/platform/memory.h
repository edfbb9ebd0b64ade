// Memory in pages of the operating system.
#pragma once

#include "engine/board/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>

namespace engine::platform {

// Bytes that programs can take before the system swaps; 0 if that is not known.
std::size_t available_memory();

// Memory that begins as zeros, on huge pages where the system has them; aligned to 64 KiB at least.
class Pages {
  public:
    Pages() = default;
    // Empty if there is not enough memory.
    explicit Pages(std::size_t wanted);  // bytes
    [[nodiscard]] bool empty() const { return memory_ == nullptr; }
    [[nodiscard]] std::byte* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t size() const { return memory_.get_deleter().size; }
    // Returns the memory to the system, so that all bytes are zero when next used. False if that is
    // not possible; then the contents may have changed.
    [[nodiscard]] bool reset() const;
    // Takes the pages of a part now, without changing their contents; any thread. False if that is
    // not possible: then they are taken when they are first used.
    [[nodiscard]] bool populate(std::size_t from, std::size_t bytes) const;

  private:
    struct Free {
        std::size_t size;
        void operator()(std::byte* p) const;
    };
    std::unique_ptr<std::byte, Free> memory_;
};

// A value-initialised T in Pages of its own. Throws std::bad_alloc.
template <typename T>
std::shared_ptr<T> make_in_pages() {
    static_assert(std::is_trivially_destructible_v<T>);
    auto pages = std::make_shared<Pages>(sizeof(T));
    if (pages->empty())
        throw std::bad_alloc();
    std::byte* const place = pages->data();
    return {std::move(pages), new (place) T()};
}

// A read-only file mapped into memory.
class MappedFile {
  public:
    // Fails with the reason, without the file's name.
    static Result<MappedFile> open(const std::string& path);
    [[nodiscard]] std::span<const std::uint8_t> bytes() const {
        return {memory_.get(), memory_.get_deleter().size};
    }

  private:
    struct Unmap {
        std::size_t size;
        void operator()(const std::uint8_t* p) const;
    };
    std::unique_ptr<const std::uint8_t, Unmap> memory_;
};

}  // namespace engine::platform
