// Source: Y. Collet, M. Kucherawy, "Zstandard Compression and the application/zstd Media Type",
// RFC 8878, 2021.
#include "book/import/decompress.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <fmt/format.h>

namespace book {
namespace {

namespace io = boost::iostreams;

// Packed data that ends by itself: a member of gzip, all streams of bzip2, a frame of zstd.
class Member {
  public:
    Member() = default;
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    virtual ~Member() = default;
    // Unpacks from `in` to `out` while there are bytes and room, and advances both. True if the
    // member has ended at `in`. Throws if it is damaged; `out` is then at the end of the intact
    // bytes.
    virtual bool step(const char*& in, const char* in_end, char*& out, char* out_end) = 0;
};

class Gzip : public Member {
  public:
    bool step(const char*& in, const char* in_end, char*& out, char* out_end) override {
        try {
            return !zlib_.filter().filter(in, in_end, out, out_end, false);
        } catch (const io::zlib_error& e) {
            if (e.error() == io::zlib::buf_error)  // it wants more bytes, or more room
                return false;
            throw;
        }
    }

  private:
    static constexpr int GzipFormat = 16;  // of zlib's "window bits"
    io::zlib_decompressor zlib_{io::zlib::default_window_bits + GzipFormat};
};

class Bzip2 : public Member {
  public:
    bool step(const char*& in, const char* in_end, char*& out, char* out_end) override {
        try {
            return !bzip2_.filter().filter(in, in_end, out, out_end, false);
        } catch (const io::bzip2_error& e) {
            if (e.error() != io::bzip2::data_error_magic)
                throw;
            --in;  // something else follows a stream
            return true;
        }
    }

  private:
    io::bzip2_decompressor bzip2_;
};

// Finds the end of a zstd frame, which the decompressor does not report.
class ZstdFrame {
  public:
    // Bytes left in the present part of the frame; 0: the frame has ended.
    [[nodiscard]] std::size_t left() const { return left_; }
    void pass(std::string_view bytes) {  // requires size() <= left()
        if (part_ != Part::Content)
            for (const char c : bytes)
                number_[read_++] = static_cast<unsigned char>(c);
        left_ -= bytes.size();
        while (left_ == 0 && part_ != Part::End)
            begin_next_part();
    }

  private:
    // Content: of a block, or to be skipped; its bytes do not matter.
    enum class Part : std::uint8_t {
        Magic,
        SkippedSize,
        Descriptor,
        Header,
        BlockHeader,
        Content,
        Checksum,
        End
    };

    void begin(Part part, std::size_t size) {
        part_ = part;
        left_ = size;
        read_ = 0;
    }
    [[nodiscard]] std::uint32_t little_endian() const {
        return number_[0] | static_cast<std::uint32_t>(number_[1]) << 8 |
               static_cast<std::uint32_t>(number_[2]) << 16 |
               static_cast<std::uint32_t>(number_[3]) << 24;
    }
    void begin_next_part();
    void read_descriptor();
    void read_block_header();

    Part part_ = Part::Magic;
    std::size_t left_ = 4, read_ = 0;
    std::array<unsigned char, 16> number_{};  // the part, if it is not content
    bool last_block_ = false, has_checksum_ = false;
};

void ZstdFrame::read_descriptor() {
    const unsigned flags = number_[0];
    const bool single_segment = (flags & 0x20) != 0;
    constexpr std::array<std::size_t, 4> DictionarySizes{0, 1, 2, 4}, ContentSizes{0, 2, 4, 8};
    has_checksum_ = (flags & 4) != 0;
    begin(Part::Header,
          1 + DictionarySizes[flags & 3] + ContentSizes[flags >> 6] -
              (single_segment && flags >> 6 != 0 ? 1 : 0));
}

void ZstdFrame::read_block_header() {
    constexpr std::uint32_t RepeatedByte = 1;
    number_[3] = 0;
    const std::uint32_t header = little_endian();
    last_block_ = (header & 1) != 0;
    begin(Part::Content, (header >> 1 & 3) == RepeatedByte ? 1 : header >> 3);
}

void ZstdFrame::begin_next_part() {
    switch (part_) {
    case Part::Magic:
        if (number_[1] == 0x2A)
            return begin(Part::SkippedSize, 4);
        return begin(Part::Descriptor, 1);
    case Part::SkippedSize:
        last_block_ = true;
        return begin(Part::Content, little_endian());
    case Part::Descriptor:
        return read_descriptor();
    case Part::Header:
        return begin(Part::BlockHeader, 3);
    case Part::BlockHeader:
        return read_block_header();
    case Part::Content:
        if (!last_block_)
            return begin(Part::BlockHeader, 3);
        if (has_checksum_)
            return begin(Part::Checksum, 4);
        [[fallthrough]];
    case Part::Checksum:
    case Part::End:
        return begin(Part::End, 0);
    }
}

class Zstd : public Member {
  public:
    // Stops after every part of the frame: what a call unpacks before it finds damage is lost.
    bool step(const char*& in, const char* in_end, char*& out, char* out_end) override {
        const char* const from = in;
        const auto size = std::min(static_cast<std::size_t>(in_end - in), frame_.left());
        zstd_.filter().filter(in, in + size, out, out_end, false);
        frame_.pass({from, in});
        return frame_.left() == 0 && out != out_end;
    }

  private:
    io::zstd_decompressor zstd_;
    ZstdFrame frame_;
};

std::unique_ptr<Member> make_member(std::string_view first) {
    using namespace std::string_view_literals;
    if (first.starts_with("\x1f\x8b"))
        return std::make_unique<Gzip>();
    if (first.starts_with("BZh") && first.size() > 3 && '1' <= first[3] && first[3] <= '9')
        return std::make_unique<Bzip2>();
    const bool skippable = !first.empty() && (first[0] & '\xF0') == '\x50' &&
                           first.substr(1).starts_with("\x2A\x4D\x18"sv);
    if (skippable || first.starts_with("\x28\xb5\x2f\xfd"))
        return std::make_unique<Zstd>();
    return nullptr;
}

class Decompressor {
  public:
    Decompressor(TextSource source, std::shared_ptr<SourceTrouble> trouble)
        : source_(std::move(source)), trouble_(std::move(trouble)) {}
    std::size_t read(std::span<char> to);

  private:
    static constexpr std::size_t RoomForPacked = 1 << 16, Magic = 4;

    bool begin_member();
    bool step(char*& out, char* out_end);
    // Reads on until `size` bytes are there, or all that are left.
    void need(std::size_t size);
    void end(std::string what, bool lost);
    void end_after_members();

    TextSource source_;
    std::shared_ptr<SourceTrouble> trouble_;
    std::unique_ptr<Member> member_;  // null between members
    std::vector<char> buffer_ = std::vector<char>(RoomForPacked);
    const char *in_ = buffer_.data(), *in_end_ = in_;
    bool source_ended_ = false, ended_ = false;
};

void Decompressor::need(std::size_t size) {
    auto have = static_cast<std::size_t>(in_end_ - in_);
    if (have >= size)
        return;
    std::memmove(buffer_.data(), in_, have);
    while (have < size && !source_ended_) {
        const std::size_t n = source_(std::span(buffer_).subspan(have));
        source_ended_ = n == 0;
        have += n;
    }
    in_ = buffer_.data();
    in_end_ = in_ + have;
}

void Decompressor::end(std::string what, bool lost) {
    ended_ = true;
    if (trouble_->what.empty())
        *trouble_ = {.what = std::move(what), .lost = lost};
}

// Ignores zero bytes: padding from tapes and some download programs.
void Decompressor::end_after_members() {
    for (need(1); in_ != in_end_; need(1))
        for (; in_ != in_end_; ++in_)
            if (*in_ != '\0')
                return end("other bytes after the compressed games were not read", true);
    end("zero bytes after the compressed games were ignored", false);
}

// False if there is none.
bool Decompressor::begin_member() {
    need(Magic);
    member_ = make_member({in_, in_end_});
    if (member_ != nullptr)
        return true;
    if (in_ == in_end_)
        ended_ = true;
    else
        end_after_members();
    return false;
}

// Unpacks some bytes; false if there are no more.
bool Decompressor::step(char*& out, char* out_end) {
    if (member_ == nullptr && !begin_member())
        return false;
    need(1);
    const char* const before = out;
    const bool ended = member_->step(in_, in_end_, out, out_end);
    if (ended) {
        member_.reset();
    } else if (out == before && in_ == in_end_ && source_ended_) {
        end("the compressed file ends too early", true);
        return false;
    }
    return true;
}

std::size_t Decompressor::read(std::span<char> to) {
    char* out = to.data();
    char* const out_end = out + to.size();
    try {
        while (!ended_ && out != out_end && step(out, out_end)) {
        }
    } catch (const std::exception& e) {
        end(fmt::format("the compressed file is damaged ({})", e.what()), true);
    }
    return static_cast<std::size_t>(out - to.data());
}

}  // namespace

bool is_packed(std::string_view first) {
    return make_member(first) != nullptr;
}

std::string_view archive_name(std::string_view first) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> Archives{
        {{"PK\x03\x04", "a zip archive"},
         {"PK\x05\x06", "a zip archive without files"},
         {"7z\xBC\xAF", "a 7z archive"},
         {"Rar!", "a rar archive"},
         {"\xFD\x37zX", "an xz file"}}};
    for (const auto& [magic, name] : Archives)
        if (first.starts_with(magic))
            return name;
    return "";
}

TextSource decompressed(TextSource source, std::shared_ptr<SourceTrouble> trouble) {
    auto data = std::make_shared<Decompressor>(std::move(source), std::move(trouble));
    return [data = std::move(data)](std::span<char> to) { return data->read(to); };
}

}  // namespace book
