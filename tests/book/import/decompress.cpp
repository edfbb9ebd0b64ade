// Unpacking in pieces of any size, and of data changed at random.
#include "book/import/decompress.h"

#include "tests/book/helpers.h"
#include "tests/book/import/packed.h"

#include <random>

namespace {

namespace io = boost::iostreams;

// Text that packs to about a third, with `size` numbers.
std::string text(int size) {
    std::mt19937_64 random(5);  // NOLINT(cert-msc*): the same text every time
    std::string all;
    for (int i = 0; i < size; ++i)
        all += std::to_string(random() % 100'000) + (i % 9 == 0 ? "\n" : " ");
    return all;
}

// Several parts in a row, with empty ones among them.
std::vector<std::string> files(int size) {
    const std::string a = text(size), b = text(size / 3);
    const auto parts = [&](const auto& compressor) {
        return helpers::packed(compressor, a) + helpers::packed(compressor, "") +
               helpers::packed(compressor, b);
    };
    return {parts(io::gzip_compressor()),
            parts(io::bzip2_compressor(io::bzip2_params(1))),
            parts(io::zstd_compressor()) + std::string("\x50\x2a\x4d\x18\x02\0\0\0..", 10)};
}

struct Unpacked {
    std::string text;
    book::SourceTrouble trouble;
};
Unpacked unpack(const std::string& bytes, std::size_t in, std::size_t out) {
    auto trouble = std::make_shared<book::SourceTrouble>();
    const book::TextSource source = book::decompressed(helpers::pieces(bytes, in), trouble);
    Unpacked all;
    std::vector<char> room(out);
    for (std::size_t n = 0; (n = source(room)) > 0;)
        all.text.append(room.data(), n);
    BOOST_TEST(source(room) == 0U);
    all.trouble = *trouble;
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(decompress)

BOOST_AUTO_TEST_CASE(pieces_of_any_size_give_the_same_text) {
    const std::string whole = text(60'000) + text(20'000);
    for (const std::string& bytes : files(60'000))
        for (const std::size_t in : {1U, 7U, 1U << 20})
            for (const std::size_t out : {1U, 1000U, 1U << 20}) {
                const Unpacked all = unpack(bytes, in, out);
                BOOST_TEST((all.text == whole));
                BOOST_TEST(all.trouble.what == "");
            }
}

BOOST_AUTO_TEST_CASE(data_cut_anywhere_gives_a_part_of_the_text_and_trouble) {
    const std::string whole = text(600) + text(200);
    for (const std::string& bytes : files(600)) {
        std::size_t complete = 0;
        for (std::size_t size = 4; size < bytes.size(); ++size) {
            const Unpacked part = unpack(bytes.substr(0, size), 1000, 1 << 20);
            BOOST_TEST_REQUIRE(whole.starts_with(part.text));
            complete += part.trouble.lost ? 0U : 1U;
        }
        BOOST_TEST(complete <= 3U);  // cuts between two parts
    }
}

BOOST_AUTO_TEST_CASE(data_changed_at_random_ends_and_gives_the_same_in_any_pieces) {
    std::mt19937_64 random(5);  // NOLINT(cert-msc*): the same data every time
    const std::vector<std::string> originals = files(600);
    for (int i = 0; i < 1500; ++i) {
        std::string bytes = originals[random() % originals.size()];
        for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
            const std::size_t at = random() % bytes.size();
            switch (random() % 4) {
            case 0:
                bytes[at] = static_cast<char>(random());
                break;
            case 1:
                bytes.erase(at, 1 + random() % 20);
                break;
            case 2:
                bytes.insert(at, random() % 20, static_cast<char>(random()));
                break;
            default:
                bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 100));
            }
            bytes.resize(std::max<std::size_t>(bytes.size(), 1));
        }
        const Unpacked all = unpack(bytes, 1 << 20, 1 << 20);
        const Unpacked parts = unpack(bytes, 1 + random() % 50, 1 + random() % 50);
        BOOST_TEST_REQUIRE(all.trouble.lost == parts.trouble.lost);
    }
}

BOOST_AUTO_TEST_SUITE_END()
