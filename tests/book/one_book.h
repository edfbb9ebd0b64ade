// A book that may not be written, and a data folder of its own for its overlay and spool.
#pragma once

#include "book/book.h"
#include "book/learn/user_edits.h"
#include "tests/book/helpers.h"
#include "tests/system.h"

#include <algorithm>

namespace helpers {

struct OneBook : Folder {
    std::filesystem::path file = *this / "book.db", data = *this / "data";
    test_system::Variable home{test_system::DataFolderVariable, data};

    [[nodiscard]] std::unique_ptr<book::Book> open(bool read_only = false) const {
        return must(book::Book::open({.experience = file, .base = {}, .read_only = read_only}));
    }
    void set(book::Learning how) const {
        book::Store store(file, true);
        book::set_learning(store, how);
    }
    [[nodiscard]] std::int64_t games_in(const std::filesystem::path& name) const {
        book::Store store(name, false);
        for (const std::string& complaint : book::verify(store))
            BOOST_ERROR(complaint);
        return store.games.counts().applied;
    }
};

// A folder that its owner may not write while this lives.
class ReadOnlyFolder {
  public:
    explicit ReadOnlyFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
        std::filesystem::permissions(folder_, std::filesystem::perms{0555});
    }
    ReadOnlyFolder(const ReadOnlyFolder&) = delete;
    ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;
    ~ReadOnlyFolder() { std::filesystem::permissions(folder_, std::filesystem::perms{0755}); }

  private:
    std::filesystem::path folder_;
};

// As an imported game does.
inline void add_e4(const std::filesystem::path& file) {
    book::Store store(file, true);
    const book::KeyedEdge e4{
        .key = engine::Position().key(),
        .edge = {.move = book::store(move(engine::Game(), "e4"), engine::White),
                 .white = 5,
                 .black = 1}};
    book::Transaction transaction(store.db);
    store.positions.add_edges(std::span(&e4, 1), true);
    transaction.commit();
}

// A book in a folder of its own that everybody may use, as well as the data folder.
struct SharedBook : OneBook {
    std::filesystem::path folder = *this / "folder";

    SharedBook() {
        file = folder / "book.db";
        for (const std::filesystem::path& made : {path(), folder, data}) {
            std::filesystem::create_directories(made);
            std::filesystem::permissions(made, std::filesystem::perms{0777});
        }
        must(open()->learn(record("before", "e4 e5 Nf3 Nc6", 1, 4)));
        std::filesystem::permissions(file, std::filesystem::perms{0666});
    }
    // Learns a game while the folder of the book cannot be written.
    [[nodiscard]] int learn_without_the_folder(const std::string& name) const {
        const ReadOnlyFolder closed(folder);
        return test_system::in_a_child_without_rights([&] {
            const auto book = open();
            if (book->read_only() || book->notice().find("read-only") == std::string::npos)
                return 1;
            if (!must(book->learn(record(name, "d4 d5 Nf3 Nf6", 0.5, 4))).counted)
                return 2;
            return must(book->stats()).own_games < 2 ? 3 : 0;
        });
    }
    static std::vector<std::string> files_in(const std::filesystem::path& place) {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(place))
            if (entry.is_regular_file())
                names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
};

}  // namespace helpers
