#include "protocol/learning/book_worker.h"

#include "protocol/io/engine_name.h"

namespace protocol {

BookWorker::BookWorker(BookOpener open, const book::OpenOptions& options, Queue<Event>& mail)
    : open_(std::move(open)), mail_(mail) {
    this->open(options);
    thread_ = std::jthread([this] { run(); });
}

BookWorker::~BookWorker() {
    if (!stopping_)
        jobs_.put(nullptr);
}

void BookWorker::open(const book::OpenOptions& options) {
    {
        const std::lock_guard lock(progress_mutex_);
        opened_ = false;
    }
    experience_ = options.experience;
    jobs_.put([this, options] { open_now(options); });
}

void BookWorker::note(book::GameRecord game) {
    put_write([game = std::move(game)](book::Book& book) { return book.note(game); });
}

void BookWorker::learn(book::GameRecord game) {
    if (experience_ == NoBook)
        return;
    {
        const std::lock_guard lock(progress_mutex_);
        unlearned_.push_back({std::move(game), experience_});
    }
    jobs_.put([this] { learn_now(); });
}

void BookWorker::request_work(const book::WorkOptions& options) {
    jobs_.put([this, options] { answer_work(options); });
}

void BookWorker::finish_work(book::Work work, std::vector<book::Finding> findings) {
    put_write([work = std::move(work), findings = std::move(findings)](book::Book& book) {
        return book.finish_work(work, findings, EngineName);
    });
}

void BookWorker::put_write(std::function<Result<void>(book::Book&)> write) {
    jobs_.put([this, write = std::move(write)] {
        if (!can_write())
            return;
        if (const Result<void> written = write(*book_); !written)
            send({written.error().what}, true);
    });
}

void BookWorker::run() {
    while (const std::function<void()> job = jobs_.take())
        job();
    book_.reset();
    set(finished_);
}

void BookWorker::open_now(const book::OpenOptions& options) {
    book_.reset();
    if (options.experience == NoBook)
        return set(opened_);
    Result<std::unique_ptr<book::Book>> opened = open_(options);
    if (opened)
        book_ = std::move(*opened);
    set(opened_);
    if (!book_)
        return send({"playing without a book: " + opened.error().what}, true);
    if (const std::string warning = book_->warning(); !warning.empty())
        send({warning}, true);
    if (const std::string notice = book_->notice(); !notice.empty())
        send({notice});
    if (const Result<void> copied = book_->back_up(); !copied)
        send({copied.error().what});
}

void BookWorker::learn_now() {
    const auto [game, experience] = [this] {
        const std::lock_guard lock(progress_mutex_);
        return unlearned_.front();
    }();
    if (!book_) {
        const Result<void> kept = book::keep_for_later(experience, game);
        send({kept ? "the game is kept for later" : kept.error().what}, !kept);
    } else {
        Result<book::Learned> learned = book_->learn(game);
        if (!learned)
            send({learned.error().what}, true);
        else if (learned->lines.empty())
            send({learned->counted ? "game learned" : "nothing to learn"});
        else
            send(std::move(learned->lines), !learned->counted);
    }
    const std::lock_guard lock(progress_mutex_);
    unlearned_.pop_front();
}

void BookWorker::answer_work(const book::WorkOptions& options) {
    BookWorkAnswer answer;
    if (can_write()) {
        Result<std::optional<book::Work>> work = book_->next_work(options);
        if (work)
            answer.work = std::move(*work);
        else
            send({work.error().what});
    }
    mail_.put(std::move(answer));
}

void BookWorker::send(std::vector<std::string> lines, bool warning) {
    mail_.put(BookMessage{std::move(lines), warning});
}

void BookWorker::set(bool& flag) {
    const std::lock_guard lock(progress_mutex_);
    flag = true;
    progress_.notify_all();
}

bool BookWorker::wait_for(const bool& flag, std::chrono::milliseconds timeout) {
    std::unique_lock lock(progress_mutex_);
    return progress_.wait_for(lock, timeout, [&flag] { return flag; });
}

void BookWorker::wait_opened(std::chrono::milliseconds timeout) {
    wait_for(opened_, timeout);
}

bool BookWorker::finish(std::chrono::milliseconds timeout) {
    if (!stopping_)
        jobs_.put(nullptr);
    stopping_ = true;
    if (wait_for(finished_, timeout))
        return true;
    const std::lock_guard lock(progress_mutex_);
    for (const Unlearned& unlearned : unlearned_)
        // The program is ending: nothing is left to try if this fails.
        [[maybe_unused]] const Result<void> kept =
            book::keep_for_later(unlearned.experience, unlearned.game);
    return false;
}

}  // namespace protocol
