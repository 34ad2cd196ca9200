#include "FreeholdTestStart.h"

#include <dirent.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// In FreeholdTestSupport.
extern void freehold_begin_encrypted_suite(void);

// Before anything opens a file: exit tests run their bodies in processes where no other code of the
// suite runs.
__attribute__((constructor)) static void start(void) { freehold_begin_encrypted_suite(); }

// The process of an exit test inherits descriptors that the suite has open at that moment. Among
// them may be a connection whose other side waits for its end, which would come only when this
// process ends, too. What Swift Testing passes on purpose are pipes and files.
__attribute__((constructor)) static void close_inherited_sockets(void) {
    if (!getenv("SWT_EXIT_TEST_ID")) return;
    DIR *open_files = opendir("/proc/self/fd");
    if (!open_files) return;
    struct dirent *entry;
    while ((entry = readdir(open_files))) {
        int descriptor = atoi(entry->d_name);
        struct stat status;
        if (descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode))
            close(descriptor);
    }
    closedir(open_files);
}

// Only programs that are built for coverage have it.
extern int __llvm_profile_write_file(void) __attribute__((weak));

static atomic_flag is_profile_written = ATOMIC_FLAG_INIT;

static void write_profile(int signal) {
    if (atomic_flag_test_and_set(&is_profile_written)) return;
    // The signal may have come while a lock was held that writing needs.
    alarm(20);
    __llvm_profile_write_file();
    alarm(0);
}

// A process that traps, as those of most exit tests do, ends without its profile. Behind the
// handler the instruction traps again, or `abort` goes on, and the process ends as it would
// without.
__attribute__((constructor)) static void count_what_traps(void) {
    if (!__llvm_profile_write_file) return;
    const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV};
    struct sigaction action = {.sa_handler = write_profile, .sa_flags = SA_RESETHAND};
    for (int index = 0; index < 5; index++) sigaction(signals[index], &action, NULL);
}

static _Atomic long test_page_size = 0;

void freehold_set_test_page_size(long size) { test_page_size = size; }

// glibc's own name of its function. Looking it up with dlsym would call code that a sanitizer has
// not prepared yet.
extern long __sysconf(int name);

// The program's own comes before the C library's. LMDB makes new files with pages of the size that
// this returns. Sanitizers ask before they have prepared anything, so they must not instrument
// it.
__attribute__((disable_sanitizer_instrumentation)) long sysconf(int name) {
    if (name == _SC_PAGESIZE && test_page_size != 0) return test_page_size;
    return __sysconf(name);
}

static _Atomic long wall_clock_offset = 0;

void freehold_move_wall_clock(long seconds) { wall_clock_offset = seconds; }

__attribute__((disable_sanitizer_instrumentation)) int clock_gettime(
    clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += wall_clock_offset;
    return result;
}
