#include "protocol/learning/books.h"

namespace protocol {

Books::Books(BookOpener open,
             book::OpenOptions options,
             Tell tell,
             Offer offer,
             std::chrono::milliseconds opening_wait)
    : open_(std::move(open)), tell_(std::move(tell)), options_(std::move(options)),
      opening_wait_(opening_wait), first_experience_(options_.experience),
      worker_(open_, options_, tell_, std::move(offer)) {}

void Books::use_file(const std::string& file) {
    options_.experience = file.empty() ? first_experience_ : std::filesystem::path(file);
    book_.reset();
    tried_ = told_ = false;
    worker_.open(options_);
}

// Opened at the first need. The worker's turn comes first: it may have to create the file.
book::Book* Books::reading() {
    if (tried_ || options_.experience == NoBook)
        return book_.get();
    tried_ = true;
    worker_.wait_opened(opening_wait_);
    book::OpenOptions options = options_;
    options.read_only = true;
    Result<std::unique_ptr<book::Book>> opened = open_(options);
    if (opened)
        book_ = std::move(*opened);
    return book_.get();
}

void Books::failed(const Error& error) {
    if (!told_)
        tell_({{error.what}});
    told_ = true;
}

std::optional<book::Chosen> Books::choose(const engine::Game& game,
                                          const book::ChooseOptions& options) {
    book::Book* const book = reading();
    if (!book)
        return std::nullopt;
    Result<std::optional<book::Chosen>> chosen = book->choose(game, options);
    if (!chosen) {
        failed(chosen.error());
        return std::nullopt;
    }
    if (*chosen && !game.position().is_legal((*chosen)->move))
        return std::nullopt;
    return std::move(*chosen);
}

std::vector<book::Row> Books::table(const engine::Position& pos, book::TimeClass time) {
    book::Book* const book = reading();
    if (!book)
        return {};
    Result<std::vector<book::Row>> rows = book->table(pos, time);
    if (!rows) {
        failed(rows.error());
        return {};
    }
    return std::move(*rows);
}

std::string Books::opening(const engine::Game& game) {
    book::Book* const book = reading();
    return book ? book->opening(game) : "";
}

void Books::note(book::GameRecord game) {
    worker_.note(std::move(game));
}

void Books::learn(book::GameRecord game) {
    worker_.learn(std::move(game));
}

void Books::ask_work(const book::WorkOptions& options) {
    worker_.ask_work(options);
}

void Books::finish_work(book::Work work, std::vector<book::Finding> findings) {
    worker_.finish_work(std::move(work), std::move(findings));
}

bool Books::finish(std::chrono::milliseconds longest) {
    return worker_.finish(longest);
}

}  // namespace protocol
