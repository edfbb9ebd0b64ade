#include "protocol/adapter.h"

#include "engine/platform/file.h"
#include "protocol/io/text.h"
#include "protocol/options.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace protocol {

Adapter::Adapter(const Parts& parts, const Settings& settings, const Resources& resources)
    : searcher_(parts.searcher), books_(parts.books), out_(parts.out), settings_(settings),
      player_(parts.searcher, parts.books, parts.mail, parts.out), wanted_(resources),
      mail_(parts.mail) {
    apply_settings();
}

bool Adapter::handle(const Event& event) {
    if (const auto* line = std::get_if<Line>(&event)) {
        player_.stop_improving();
        receive(*line);
    } else if (const auto* search_report = std::get_if<SearchReport>(&event)) {
        player_.receive(*search_report);
    } else if (const auto* message = std::get_if<BookMessage>(&event)) {
        tell(*message, "book: ");
    } else if (const auto* answer = std::get_if<BookWorkAnswer>(&event)) {
        player_.receive(*answer);
    } else if (const auto* alarm = std::get_if<Alarm>(&event)) {
        ring(alarm->at);
    } else {
        input_ended();
    }
    run_deferred();
    if (!quitting_ && !out_.closed()) {
        player_.improve_when_idle();
        return true;
    }
    player_.stop_improving();
    player_.halt();
    end_game();
    return false;
}

// Shows each warning once, in a window. On a server, where nobody may be watching, it is a comment.
void Adapter::tell(const BookMessage& message, std::string_view about) {
    for (const std::string& text : message.lines)
        if (message.warning && !player_.opponent().on_server() && told_.insert(text).second)
            notify(text);
        else
            out_.comment(fmt::format("{}{}", about, text));
}

// A line of `help`, unless the command has no help text.
void Adapter::explain(std::string_view command, std::string_view args, std::string_view help) {
    if (!help.empty())
        out_.answer(fmt::format("{}{}{}: {}", command, args.empty() ? "" : " ", args, help));
}

// Resources and options

// Clears the request, so that it is carried out only once.
void Adapter::allot_resources() {
    const Resources wanted = std::exchange(wanted_, {});
    if (wanted.hash_mib > 0)
        set_hash(wanted.hash_mib);
    if (wanted.threads > 0)
        set_threads(wanted.threads);
}

// If a resource is not available, the user is told, and the game goes on without it.

void Adapter::set_hash(int mebibytes) {
    if (mebibytes == hash_mib_)
        return;
    player_.while_idle([this, mebibytes] {
        if (const Result<void> set = searcher_.set_hash(mebibytes))
            hash_mib_ = mebibytes;
        else
            tell({{set.error().what + "; the old one stays"}, true});
    });
}

void Adapter::set_threads(int count) {
    if (count == threads_)
        return;
    threads_ = count;
    int had = 0;
    player_.while_idle([&] { had = searcher_.set_threads(count); });
    player_.threads_changed(had);
    if (had < count)
        tell({{fmt::format("only {} of {} search threads could be started", had, count)}, true});
}

void Adapter::apply_settings() {
    player_.use(settings_);
    // On a server the clock runs on until our move has arrived there.
    const int default_overhead_ms = player_.opponent().on_server() ? 200 : 10;
    searcher_.set_move_overhead(engine::milliseconds(
        settings_.move_overhead_ms >= 0 ? settings_.move_overhead_ms : default_overhead_ms));
}

void Adapter::set_option(std::string_view name, std::string_view value, bool by_user) {
    const Settings before = settings_;
    const Setting done = protocol::set_option(settings_, name, value);
    if (done == Setting::Unknown)
        out_.error("unknown option", name);
    if (done == Setting::Invalid)
        out_.error("bad value", std::string(name) + "=" + std::string(value));
    if (done == Setting::Empty)
        notify(printable(name) + ": no file is named; the option is unchanged");
    if (done != Setting::Changed)
        return;
    if (settings_.book_file != before.book_file)
        use_book(before.book_file);
    if (settings_.book_files != before.book_files)
        use_further_books();
    player_.while_idle([this, &before, by_user] {
        if (settings_.eval_file != before.eval_file)
            use_network(before.eval_file);
        if (settings_.syzygy_path != before.syzygy_path)
            use_tables(before.syzygy_path, by_user);
        apply_settings();
    });
}

// A file that cannot be used leaves everything as it was. The name of a new one may be mistyped.
void Adapter::use_book(const std::string& before) {
    end_game();  // it is learned in the book it was played with
    std::error_code ignored;
    const bool is_new =
        settings_.book_file != NoBook &&
        std::filesystem::status(engine::platform::resolved(settings_.book_file), ignored).type() ==
            std::filesystem::file_type::not_found;
    if (const Result<void> used = books_.use_file(settings_.book_file); !used) {
        notify("BookFile: " + used.error().what + "; the previous book stays in use");
        settings_.book_file = before;
    } else if (is_new) {
        notify("BookFile: " + printable(settings_.book_file) + " is a new book without games");
    }
}

void Adapter::use_further_books() {
    std::vector<std::filesystem::path> files;
    for (std::string_view rest = settings_.book_files; !rest.empty() && rest != NoBook;) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view file = trimmed(rest.substr(0, end));
        if (!file.empty())
            files.push_back(engine::platform::long_path(file));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    for (const std::string& error : books_.use_further(files))
        notify("BookFiles: " + printable(error) + "; the game goes on without it");
}

void Adapter::use_network(const std::string& before) {
    const bool built_in = settings_.eval_file == BuiltInNetwork;
    if (const Result<void> used = searcher_.set_network(built_in ? "" : settings_.eval_file);
        !used) {
        notify("EvalFile: " + used.error().what + "; the evaluation stays as it is");
        settings_.eval_file = before;
    }
}

void Adapter::use_tables(const std::string& before, bool by_user) {
    const bool none = settings_.syzygy_path == "-";
    const Result<engine::TableFiles> used = searcher_.set_syzygy(none ? "" : settings_.syzygy_path);
    if (!used) {
        const std::string text =
            "SyzygyPath: " + printable(used.error().what) + "; the tables stay as they are";
        if (by_user)
            notify(text);
        else
            out_.comment(text);
        settings_.syzygy_path = before;
    } else if (!used->refused.empty()) {
        notify(fmt::format("SyzygyPath: {}; files refused: {}, in use: {}",
                           printable(used->refused.front()),
                           used->refused.size(),
                           used->count));
    }
}

}  // namespace protocol
