#include "protocol/learning/book_worker.h"

#include "protocol/io/engine_name.h"

namespace protocol {

BookWorker::BookWorker(BookOpener open,
                       book::OpenOptions options,
                       std::function<void(BookNews)> tell,
                       std::function<void(BookWork)> offer)
    : open_(std::move(open)), tell_(std::move(tell)), offer_(std::move(offer)),
      experience_(options.experience) {
    jobs_.put(std::move(options));
    thread_ = std::jthread([this] { work(); });
}

BookWorker::~BookWorker() {
    if (!stopping_)
        jobs_.put(Stop{});
}

void BookWorker::open(book::OpenOptions options) {
    {
        const std::lock_guard lock(progress_mutex_);
        opened_ = false;
    }
    experience_ = options.experience;
    jobs_.put(std::move(options));
}

void BookWorker::learn(book::GameRecord game) {
    if (experience_ == NoBook)
        return;
    {
        const std::lock_guard lock(progress_mutex_);
        unlearned_.push_back({std::move(game), experience_});
    }
    jobs_.put(Learn{});
}

void BookWorker::work() {
    bool stop = false;
    while (!stop) {
        const Job job = jobs_.take();
        std::visit([this](const auto& todo) { run(todo); }, job);
        stop = std::holds_alternative<Stop>(job);
    }
    book_.reset();
    set(&BookWorker::finished_);
}

void BookWorker::run(const book::OpenOptions& options) {
    book_.reset();
    if (options.experience == NoBook)
        return set(&BookWorker::opened_);
    Result<std::unique_ptr<book::Book>> opened = open_(options);
    if (opened)
        book_ = std::move(*opened);
    set(&BookWorker::opened_);
    if (!book_)
        return tell_({{"playing without a book: " + opened.error().what}, true});
    if (const std::string notice = book_->notice(); !notice.empty())
        tell_({{notice}});
}

void BookWorker::run(const Note& note) {
    if (!book_ || book_->read_only())
        return;
    const Result<void> noted = book_->note(note.game);
    if (!noted)
        tell_({{noted.error().what}});
}

void BookWorker::run(const Learn&) {
    const book::GameRecord game = [this] {
        const std::lock_guard lock(progress_mutex_);
        return unlearned_.front().game;
    }();
    if (book_)
        learn_now(game);
    const std::lock_guard lock(progress_mutex_);
    unlearned_.pop_front();
}

void BookWorker::learn_now(const book::GameRecord& game) {
    Result<book::Learned> learned = book_->learn(game);
    if (!learned)
        return tell_({{learned.error().what}});
    if (learned->lines.empty())
        learned->lines.emplace_back(learned->counted ? "game learned" : "nothing to learn");
    tell_({std::move(learned->lines)});
}

void BookWorker::run(const book::WorkOptions& wanted) {
    BookWork answer;
    if (book_ && !book_->read_only()) {
        Result<std::optional<book::Work>> work = book_->next_work(wanted);
        if (!work)
            tell_({{work.error().what}});
        else
            answer.work = std::move(*work);
    }
    offer_(std::move(answer));
}

void BookWorker::run(const Found& found) {
    if (!book_ || book_->read_only())
        return;
    const Result<void> stored = book_->finish_work(found.work, found.findings, EngineName);
    if (!stored)
        tell_({{stored.error().what}});
}

void BookWorker::set(bool BookWorker::*what) {
    const std::lock_guard lock(progress_mutex_);
    this->*what = true;
    progress_.notify_all();
}

bool BookWorker::wait_for(bool BookWorker::*what, std::chrono::milliseconds longest) {
    std::unique_lock lock(progress_mutex_);
    return progress_.wait_for(lock, longest, [this, what] { return this->*what; });
}

void BookWorker::wait_opened(std::chrono::milliseconds longest) {
    wait_for(&BookWorker::opened_, longest);
}

bool BookWorker::finish(std::chrono::milliseconds longest) {
    if (!stopping_)
        jobs_.put(Stop{});
    stopping_ = true;
    if (wait_for(&BookWorker::finished_, longest))
        return true;
    const std::lock_guard lock(progress_mutex_);
    for (const Unlearned& waiting : unlearned_)
        // There is no time left for anything else to be done if this fails.
        [[maybe_unused]] const Result<void> kept =
            book::keep_for_later(waiting.experience, waiting.game);
    return false;
}

}  // namespace protocol
