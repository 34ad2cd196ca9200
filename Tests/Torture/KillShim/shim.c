// Preloaded: counts the calls that change a directory's files, and kills the process at the one
// that was asked for.
//
//   TORTURE_KILL_DIRECTORY  whose files count
//   TORTURE_KILL_AT         the number of the call, from 1; 0 for none
//   TORTURE_KILL_WHEN       before, during or after. During a write of more than a page a part of
//   it is written, as the kernel leaves
//                           it when the signal comes in the middle; of other calls it is as before.
//   TORTURE_KILL_LOG        where the names of the calls are written, one a line
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BEFORE, DURING, AFTER };

static const char *directory;
static long kill_at;
static int when;
static int log_descriptor = -1;
static atomic_long count;

#define REAL(name)                 \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    directory = getenv("TORTURE_KILL_DIRECTORY");
    const char *at = getenv("TORTURE_KILL_AT"), *moment = getenv("TORTURE_KILL_WHEN"),
               *log = getenv("TORTURE_KILL_LOG");
    kill_at = at ? atol(at) : 0;
    when = !moment || !strcmp(moment, "before") ? BEFORE
           : !strcmp(moment, "during")          ? DURING
                                                : AFTER;
    if (log) log_descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int is_ours(const char *path) {
    return directory && path && !strncmp(path, directory, strlen(directory));
}

static int is_our_descriptor(int descriptor) {
    char link[64], path[PATH_MAX];
    if (!directory) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_ours(path);
}

/// Before a call: its number if it counts, else 0. Does not return if it is the one.
static long enter(const char *name, int ours) {
    if (!ours) return 0;
    int error = errno;
    long number = atomic_fetch_add(&count, 1) + 1;
    if (log_descriptor >= 0) dprintf(log_descriptor, "%s\n", name);
    if (number == kill_at && when == BEFORE) die();
    errno = error;
    return number;
}

static void leave(long number) {
    if (number && number == kill_at && when == AFTER) die();
}

/// How much of a write comes before the kill: whole pages of the cache.
static size_t part(long number, size_t length) {
    if (!number || number != kill_at || when != DURING) return length;
    if (length <= 4096) die();
    return length / 2 / 4096 * 4096 + (length < 8192 ? 4096 : 0);
}

#define CALL(name, ours, ...)                                 \
    REAL(name);                                               \
    long number = enter(#name, ours);                         \
    if (number && number == kill_at && when == DURING) die(); \
    __typeof__(real(__VA_ARGS__)) result = real(__VA_ARGS__); \
    leave(number);                                            \
    return result

#define WRITE(name, ...)                               \
    REAL(name);                                        \
    long number = enter(#name, is_our_descriptor(fd)); \
    size_t wanted = size;                              \
    size = part(number, wanted);                       \
    ssize_t result = real(__VA_ARGS__);                \
    if (size != wanted) die();                         \
    leave(number);                                     \
    return result

ssize_t write(int fd, const void *bytes, size_t size) { WRITE(write, fd, bytes, size); }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
    WRITE(pwrite, fd, bytes, size, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
    WRITE(pwrite64, fd, bytes, size, offset);
}

ssize_t writev(int fd, const struct iovec *pieces, int pieceCount) {
    REAL(writev);
    long number = enter("writev", is_our_descriptor(fd));
    if (number && number == kill_at && when == DURING) {
        if (pieceCount > 1) real(fd, pieces, pieceCount / 2);
        die();
    }
    ssize_t result = real(fd, pieces, pieceCount);
    leave(number);
    return result;
}

int fdatasync(int fd) { CALL(fdatasync, is_our_descriptor(fd), fd); }
int fsync(int fd) { CALL(fsync, is_our_descriptor(fd), fd); }
int ftruncate(int fd, off_t size) { CALL(ftruncate, is_our_descriptor(fd), fd, size); }
int ftruncate64(int fd, off64_t size) { CALL(ftruncate64, is_our_descriptor(fd), fd, size); }
int truncate(const char *path, off_t size) { CALL(truncate, is_ours(path), path, size); }
int truncate64(const char *path, off64_t size) { CALL(truncate64, is_ours(path), path, size); }
int fallocate(int fd, int mode, off_t offset, off_t size) {
    CALL(fallocate, is_our_descriptor(fd), fd, mode, offset, size);
}
int fallocate64(int fd, int mode, off64_t offset, off64_t size) {
    CALL(fallocate64, is_our_descriptor(fd), fd, mode, offset, size);
}
int posix_fallocate(int fd, off_t offset, off_t size) {
    CALL(posix_fallocate, is_our_descriptor(fd), fd, offset, size);
}
int posix_fallocate64(int fd, off64_t offset, off64_t size) {
    CALL(posix_fallocate64, is_our_descriptor(fd), fd, offset, size);
}
int rename(const char *from, const char *to) { CALL(rename, is_ours(from), from, to); }
int renameat2(
    int fromDirectory, const char *from, int toDirectory, const char *to, unsigned flags) {
    CALL(renameat2, is_ours(from), fromDirectory, from, toDirectory, to, flags);
}
int link(const char *from, const char *to) { CALL(link, is_ours(from), from, to); }
int unlink(const char *path) { CALL(unlink, is_ours(path), path); }

// Those that may make a file.
#define OPEN(name)                                                                  \
    int name(const char *path, int flags, ...) {                                    \
        REAL(name);                                                                 \
        va_list arguments;                                                          \
        va_start(arguments, flags);                                                 \
        mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;              \
        va_end(arguments);                                                          \
        long number = enter(#name, (flags & (O_CREAT | O_TRUNC)) && is_ours(path)); \
        if (number && number == kill_at && when == DURING) die();                   \
        int result = real(path, flags, mode);                                       \
        leave(number);                                                              \
        return result;                                                              \
    }
OPEN(open)
OPEN(open64)
