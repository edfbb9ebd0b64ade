#include "engine/platform/input_reader.h"

#include "engine/platform/windows/handles.h"

#include <array>
#include <atomic>

#include <io.h>

namespace engine::platform {

// A pipe cannot be waited for together with other things, so a read is cancelled from outside.
struct InputReader::Impl {
    HANDLE file;
    const Event* end;
    HANDLE watcher = nullptr;  // waits for `end`
    std::atomic<bool> stopped{false}, ended{false};
    std::atomic<HANDLE> reading{nullptr};  // the thread that may wait in ReadFile

    // Repeats until the reader has noticed: a cancellation before its ReadFile has no effect.
    void cancel() {
        while (const HANDLE thread = reading.load()) {
            ::CancelSynchronousIo(thread);
            ::Sleep(1);
        }
    }
    static void CALLBACK on_end(void* self, BOOLEAN /*timed_out*/) {
        static_cast<Impl*>(self)->ended = true;
        static_cast<Impl*>(self)->cancel();
    }
};

InputReader::InputReader(int descriptor, const Event* end)
    : impl_(new Impl{reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)), end}) {
    if (end)
        ::RegisterWaitForSingleObject(&impl_->watcher,
                                      reinterpret_cast<HANDLE>(end->native()),
                                      Impl::on_end,
                                      impl_.get(),
                                      INFINITE,
                                      WT_EXECUTEONLYONCE | WT_EXECUTELONGFUNCTION);
}

InputReader::~InputReader() {
    if (impl_->watcher)
        ::UnregisterWaitEx(impl_->watcher, INVALID_HANDLE_VALUE);
}

InputReader::Arrival InputReader::read(std::span<char> to) {
    HANDLE thread = nullptr;
    ::DuplicateHandle(::GetCurrentProcess(),
                      ::GetCurrentThread(),
                      ::GetCurrentProcess(),
                      &thread,
                      THREAD_TERMINATE,
                      FALSE,
                      0);
    Arrival arrival{Outcome::End};
    impl_->reading = thread;
    DWORD count = 0;
    const bool told = impl_->stopped || impl_->ended;
    const bool read =
        !told &&
        ::ReadFile(impl_->file, to.data(), static_cast<DWORD>(to.size()), &count, nullptr) != 0;
    impl_->reading = nullptr;
    if (impl_->stopped)
        arrival.outcome = Outcome::Stopped;
    else if (read && count > 0)
        arrival = {Outcome::Bytes, count};
    else if (impl_->ended)
        arrival.outcome = Outcome::EndRequested;
    ::CloseHandle(thread);
    return arrival;
}

void InputReader::stop() {
    impl_->stopped = true;
    impl_->cancel();
}

}  // namespace engine::platform
