#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

// Where the process of the suite crashes, `swift test` says no more than the signal, and the
// runtime's backtracer is off, because it costs each exit test a second. So the frames are told
// here, as "error:", which Tests/repeat-failures repeats: the place in each program or library, for
// `nm` or `addr2line` on a build of the same sources.
//
// A thread whose stack is used up cannot run a handler: a crash without frames is one of those.

// Sanitizers tell of crashes themselves.
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));
// Programs that are built for coverage write their profile then: start.c.
extern int __llvm_profile_write_file(void) __attribute__((weak));

static void tell_crash(int number, siginfo_t *info, void *context) {
    (void)context;
    char name[16] = "", line[1024];
    prctl(PR_GET_NAME, name);
    int length = snprintf(line, sizeof line, "\nerror: crash: signal %d at %p, thread \"%s\"\n",
        number, info->si_addr, name);
    ssize_t written = write(2, line, length);
    void *frames[64];
    int count = backtrace(frames, 64);
    for (int index = 0; index < count; index++) {
        Dl_info found = {0};
        dladdr(frames[index], &found);
        length = snprintf(line, sizeof line, "error: crash: #%d %s+0x%tx %s\n", index,
            found.dli_fname ? found.dli_fname : "?",
            (uint8_t *)frames[index] - (uint8_t *)found.dli_fbase,
            found.dli_sname ? found.dli_sname : "");
        if (length >= (int)sizeof line) length = sizeof line - 1;
        written = write(2, line, length);
    }
    (void)written;
    // An instruction that faulted does so again when this returns; a signal that was sent does not
    // come again.
    signal(number, SIG_DFL);
    if (info->si_code <= 0) raise(number);
}

__attribute__((constructor)) static void tell_crashes(void) {
    if (getenv("SWT_EXIT_TEST_ID")) return;
    if (__asan_init || __tsan_init || __llvm_profile_write_file) return;
    // Loads what it needs now.
    void *frame;
    backtrace(&frame, 1);
    struct sigaction action = {.sa_sigaction = tell_crash, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}
