#include "engine/platform/process.h"

#include "engine/platform/file.h"
#include "engine/platform/windows/handles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cwchar>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace engine::platform {
namespace {

using std::chrono::milliseconds;
using Clock = Process::Clock;

constexpr milliseconds WritePatience{5000};
constexpr std::size_t MaxProcesses = 8;                  // waited for at a time
constexpr std::size_t MaxUnread = std::size_t{1} << 20;  // bytes kept; then it has to wait
constexpr DWORD PipeSize = 1 << 16;
constexpr UINT Killed = 9;  // exit status of what we end

class Handle {
  public:
    Handle() = default;
    explicit Handle(HANDLE value) : value_(value == INVALID_HANDLE_VALUE ? nullptr : value) {}
    Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Handle() {
        if (value_)
            CloseHandle(value_);
    }
    explicit operator bool() const { return value_ != nullptr; }
    [[nodiscard]] HANDLE get() const { return value_; }
    void close() { const Handle old = std::move(*this); }

  private:
    HANDLE value_ = nullptr;
};

std::string last_error() {
    return std::system_category().message(static_cast<int>(GetLastError()));
}

SECURITY_ATTRIBUTES inheritable() {
    return {sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
}

Handle open_for_child(const std::filesystem::path& name, DWORD access, DWORD creation) {
    SECURITY_ATTRIBUTES security = inheritable();
    return Handle(CreateFileW(name.c_str(),
                              access,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                              &security,
                              creation,
                              FILE_ATTRIBUTE_NORMAL,
                              nullptr));
}

// What the child gets as its standard input, output and error.
struct Ends {
    Handle in, out, error;
};

// Our end supports writes that can be cancelled; only a named pipe does.
bool make_input(Handle& ours, Handle& theirs, HANDLE written) {
    const std::wstring name = L"\\\\.\\pipe\\nutcracker-" + std::to_wstring(GetCurrentProcessId()) +
                              L'-' + std::to_wstring(reinterpret_cast<std::uintptr_t>(&ours));
    ours = Handle(CreateNamedPipeW(name.c_str(),
                                   PIPE_ACCESS_OUTBOUND | FILE_FLAG_OVERLAPPED |
                                       FILE_FLAG_FIRST_PIPE_INSTANCE,
                                   PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                                   1,
                                   PipeSize,
                                   PipeSize,
                                   0,
                                   nullptr));
    if (!ours || !(theirs = open_for_child(name, GENERIC_READ, OPEN_EXISTING)))
        return false;
    OVERLAPPED operation{};
    operation.hEvent = written;
    return ConnectNamedPipe(ours.get(), &operation) != 0 || GetLastError() == ERROR_PIPE_CONNECTED;
}

bool make_output(Handle& ours, Handle& theirs) {
    SECURITY_ATTRIBUTES security = inheritable();
    HANDLE from = nullptr, to = nullptr;
    if (CreatePipe(&from, &to, &security, PipeSize) == 0)
        return false;
    ours = Handle(from);
    theirs = Handle(to);
    return SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0) != 0;
}

// The processes of the job end when its last handle closes, and a crash shows no window.
Handle make_job() {
    Handle job(CreateJobObjectW(nullptr, nullptr));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    if (job && SetInformationJobObject(
                   job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits) == 0)
        job.close();
    return job;
}

// Quotes a word as CommandLineToArgvW and the C library of the child parse it.
std::wstring quoted(const std::wstring& word) {
    if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring::npos)
        return word;
    std::wstring text = L"\"";
    std::size_t backslashes = 0;  // double, if a quotation mark follows
    for (const wchar_t c : word) {
        if (c == L'"')
            text.append(backslashes + 1, L'\\');
        backslashes = c == L'\\' ? backslashes + 1 : 0;
        text += c;
    }
    return text.append(backslashes, L'\\') + L'"';
}

std::wstring command_line(const std::vector<std::string>& words) {
    std::wstring line;
    for (const std::string& word : words)
        line += (line.empty() ? L"" : L" ") + quoted(to_wide(word));
    return line;
}

// A name alone is looked up in PATH; ".exe" may be left out. A relative path begins in the folder
// where the program is to run.
std::wstring program_file(const Command& command) {
    const std::wstring program = to_wide(command.words[0]);
    if (program.find_first_of(L"/\\:") == std::wstring::npos) {
        std::array<wchar_t, 32'768> found{};
        const DWORD length = SearchPathW(nullptr,
                                         program.c_str(),
                                         L".exe",
                                         static_cast<DWORD>(found.size()),
                                         found.data(),
                                         nullptr);
        return length > 0 && length < found.size() ? found.data() : program;
    }
    const std::filesystem::path folder = to_wide(command.directory);
    std::wstring name = long_path((folder / program).make_preferred()).native();
    if (GetFileAttributesW(name.c_str()) == INVALID_FILE_ATTRIBUTES)
        name += L".exe";
    return name;
}

// Only the handles in the list are inherited, whatever other threads start at the same time.
class StartInfo {
  public:
    explicit StartInfo(const Ends& ends)
        : handles_{ends.in.get(), ends.out.get(), ends.error.get()} {
        SIZE_T size = 0;
        InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
        memory_.resize(size);
        auto* const list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
        if (InitializeProcThreadAttributeList(list, 1, 0, &size) == 0)
            return;
        info_.lpAttributeList = list;
        UpdateProcThreadAttribute(list,
                                  0,
                                  PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                  handles_.data(),
                                  sizeof handles_,
                                  nullptr,
                                  nullptr);
        info_.StartupInfo.cb = sizeof info_;
        info_.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
        info_.StartupInfo.hStdInput = handles_[0];
        info_.StartupInfo.hStdOutput = handles_[1];
        info_.StartupInfo.hStdError = handles_[2];
    }
    ~StartInfo() {
        if (info_.lpAttributeList)
            DeleteProcThreadAttributeList(info_.lpAttributeList);
    }
    StartInfo(const StartInfo&) = delete;
    StartInfo& operator=(const StartInfo&) = delete;
    STARTUPINFOW* get() { return &info_.StartupInfo; }

  private:
    std::array<HANDLE, 3> handles_;
    std::vector<char> memory_{};
    STARTUPINFOEXW info_{};
};

// Zero-terminated variables, one after another, and a final zero.
std::wstring environment_with(const std::vector<std::string>& changes) {
    const auto is_changed = [&changes](std::wstring_view variable) {
        const std::wstring name(variable.substr(0, variable.find(L'=')));
        return std::any_of(changes.begin(), changes.end(), [&name](const std::string& change) {
            return _wcsicmp(to_wide(change.substr(0, change.find('='))).c_str(), name.c_str()) == 0;
        });
    };
    std::wstring block;
    wchar_t* const ours = GetEnvironmentStringsW();
    for (const wchar_t* at = ours; *at != L'\0'; at += std::wcslen(at) + 1)
        if (!is_changed(at))
            block.append(at) += L'\0';
    FreeEnvironmentStringsW(ours);
    for (const std::string& change : changes)
        if (change.find('=') != std::string::npos)
            block.append(to_wide(change)) += L'\0';
    return block += L'\0';
}

// Starts the process, suspended until it is in the job, so that its children are in the job, too.
Handle launch(const Command& command, const Ends& ends, const Handle& job) {
    std::wstring line = command_line(command.words);
    const std::wstring folder = to_wide(command.directory);
    std::wstring environment = environment_with(command.environment);
    PROCESS_INFORMATION started{};
    if (CreateProcessW(program_file(command).c_str(),
                       line.data(),
                       nullptr,
                       nullptr,
                       TRUE,
                       CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_UNICODE_ENVIRONMENT |
                           EXTENDED_STARTUPINFO_PRESENT,
                       environment.data(),
                       folder.empty() ? nullptr : folder.c_str(),
                       StartInfo(ends).get(),
                       &started) == 0)
        return {};
    Handle process(started.hProcess);
    const Handle thread(started.hThread);
    if (AssignProcessToJobObject(job.get(), process.get()) == 0) {
        const DWORD error = GetLastError();
        TerminateProcess(process.get(), Killed);
        SetLastError(error);
        return {};
    }
    ResumeThread(thread.get());
    return process;
}

bool is_signalled(const Handle& handle) {
    return WaitForSingleObject(handle.get(), 0) == WAIT_OBJECT_0;
}

}  // namespace

// Its output is read by a thread, so that we know when it arrived.
struct Process::System {
    struct Chunk {
        std::string bytes;  // none: the end
        Clock::time_point arrived;
    };
    Handle process{}, job{}, in{}, out{};
    Handle written{CreateEventW(nullptr, TRUE, FALSE, nullptr)};
    Handle arrived{CreateEventW(nullptr, TRUE, FALSE, nullptr)};  // set if there are chunks
    std::mutex mutex{};                                           // guards the next three
    std::deque<Chunk> chunks{};
    std::size_t unread = 0;   // bytes in them
    bool discarding = false;  // what still comes
    std::condition_variable taken{};
    Handle reader_handle{};  // made by the reader; the mutex guards it
    std::atomic<bool> closing{false}, closed{false};
    std::thread reader{};
    std::optional<DWORD> status{};

    void read_all() {
        HANDLE self = nullptr;
        DuplicateHandle(GetCurrentProcess(),
                        GetCurrentThread(),
                        GetCurrentProcess(),
                        &self,
                        THREAD_TERMINATE,
                        FALSE,
                        0);
        {
            const std::lock_guard lock(mutex);
            reader_handle = Handle(self);
        }
        std::array<char, 16'384> bytes;
        for (bool good = true; good && !closing;) {
            DWORD count = 0;
            good = ReadFile(out.get(), bytes.data(), bytes.size(), &count, nullptr) != 0;
            const Clock::time_point now = Clock::now();
            std::unique_lock lock(mutex);
            taken.wait(lock, [this] { return discarding || unread < MaxUnread; });
            if (discarding || (good && count == 0))
                continue;
            chunks.push_back({std::string(bytes.data(), good ? count : 0), now});
            unread += chunks.back().bytes.size();
            SetEvent(arrived.get());
        }
        closed = true;
    }
    // Repeats: a cancellation before the reader's ReadFile has no effect.
    void stop_reading() {
        discard();
        for (closing = true; !closed; Sleep(1))
            if (const std::lock_guard lock(mutex); reader_handle)
                CancelSynchronousIo(reader_handle.get());
        out.close();
    }
    void discard() {
        const std::lock_guard lock(mutex);
        discarding = true;
        taken.notify_one();
    }
};

Result<std::unique_ptr<Process>> Process::start(const Command& command) {
    if (const Result<void> checked = command.check(); !checked)
        return fail(checked.error().what);
    auto system = std::make_unique<System>();
    Ends ends;
    if (!system->written || !system->arrived || !make_output(system->out, ends.out) ||
        !make_input(system->in, ends.in, system->written.get()))
        return fail("no pipe: " + last_error());
    ends.error = command.error_file.empty()
                     ? open_for_child(L"NUL", GENERIC_WRITE, OPEN_EXISTING)
                     : open_for_child(long_path(command.error_file), FILE_APPEND_DATA, OPEN_ALWAYS);
    if (ends.error)
        system->job = make_job();
    if (system->job)
        system->process = launch(command, ends, system->job);
    if (!system->process)
        return fail("cannot start " + command.words[0] + ": " + last_error());
    try {
        system->reader = std::thread([&system = *system] { system.read_all(); });
    } catch (const std::system_error& error) {
        return fail(error.what());  // the job ends with its handle, and with it the process
    }
    return std::unique_ptr<Process>(new Process(std::move(system)));
}

Process::Process(std::unique_ptr<System> system) : system_(std::move(system)) {}

Process::~Process() {
    finish(milliseconds(0));
}

bool Process::send(std::string_view text) {
    const Clock::time_point until = Clock::now() + WritePatience;
    while (!text.empty()) {
        if (!system_->in)
            return false;
        OVERLAPPED operation{};
        operation.hEvent = system_->written.get();
        const auto size = static_cast<DWORD>(std::min<std::size_t>(text.size(), PipeSize));
        if (WriteFile(system_->in.get(), text.data(), size, nullptr, &operation) == 0 &&
            GetLastError() != ERROR_IO_PENDING)
            return false;
        if (!wait_any({&operation.hEvent, 1}, until))
            CancelIoEx(system_->in.get(), &operation);
        DWORD written = 0;
        if (GetOverlappedResult(system_->in.get(), &operation, &written, TRUE) == 0 || written == 0)
            return false;
        text.remove_prefix(written);
    }
    return true;
}

void Process::read_some() {
    const std::lock_guard lock(system_->mutex);
    const System::Chunk& next = system_->chunks.front();
    buffer_ += next.bytes;
    at_end_ = next.bytes.empty();
    last_read_ = next.arrived;
    system_->unread -= next.bytes.size();
    system_->chunks.pop_front();
    if (system_->chunks.empty())
        ResetEvent(system_->arrived.get());
    system_->taken.notify_one();
}

int Process::number() const {
    return static_cast<int>(GetProcessId(system_->process.get()));
}

void Process::close_input() {
    system_->in.close();
}

void Process::close_output() {
    system_->stop_reading();
    at_end_ = true;
}

void Process::kill() {
    TerminateJobObject(system_->job.get(), Killed);
}

void Process::finish(milliseconds patience) {
    if (system_->status)
        return;
    system_->in.close();
    system_->discard();
    if (patience.count() > 0)
        wait_for_exit(patience);
    reap();
}

bool Process::wait_for_exit(milliseconds patience) {
    system_->discard();
    buffer_.clear();
    begin_ = scanned_ = 0;
    const HANDLE process = system_->process.get();
    return wait_any({&process, 1}, Clock::now() + patience).has_value();
}

// When all in the job have ended nobody can write any more, so the reader ends too. A leader that
// has already ended keeps its own exit status.
void Process::reap() {
    TerminateJobObject(system_->job.get(), Killed);
    WaitForSingleObject(system_->process.get(), INFINITE);
    DWORD status = Killed;
    GetExitCodeProcess(system_->process.get(), &status);
    system_->status = status;
    system_->reader.join();
    for (Handle* const handle : {&system_->process, &system_->job, &system_->out})
        handle->close();
    at_end_ = true;
}

std::optional<int> Process::exit_status() const {
    // Exceptions, such as 0xC0000005, have statuses above the usual ones.
    return system_->status ? std::optional(static_cast<int>(*system_->status & 0x7FFF'FFFF))
                           : std::nullopt;
}

bool wait_for(std::span<Process* const> processes, Clock::time_point until, const Event* cancel) {
    const auto waited_for = processes.first(std::min(processes.size(), MaxProcesses));
    std::array<HANDLE, MaxProcesses + 1> handles{};
    std::size_t count = 0;
    if (cancel)
        handles[count++] = reinterpret_cast<HANDLE>(cancel->native());
    for (const Process* const process : waited_for)
        if (!process->at_end_)
            handles[count++] = process->system_->arrived.get();
    if (!wait_any(std::span(handles).first(count), until) || (cancel && cancel->is_set()))
        return false;
    for (Process* const process : waited_for)
        if (!process->at_end_ && is_signalled(process->system_->arrived))
            process->read_some();
    return true;
}

}  // namespace engine::platform
