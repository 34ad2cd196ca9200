/* Preloaded: writes every call that changes or synchronises a file of one
   directory into a log, in the order in which the calls were made. One lock is
   held over each call and its event, so the order is that of the calls. */
#define _GNU_SOURCE
#include "RecordingShim.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(result, name, ...)         \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_descriptor = -1;
static char directory[PATH_MAX];
static size_t directory_length;

static void emit(uint32_t kind, uint32_t flags, uint64_t inode, uint64_t offset,
    const struct iovec *pieces, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int);
    struct freehold_recorded_event event = {kind, flags, inode, offset, 0};
    struct iovec all[IOV_MAX];
    if (count >= IOV_MAX) count = IOV_MAX - 1;
    for (int index = 0; index < count; index++) {
        event.length += pieces[index].iov_len;
        all[index + 1] = pieces[index];
    }
    all[0].iov_base = &event;
    all[0].iov_len = sizeof event;
    size_t expected = sizeof event + event.length;
    if (real(log_descriptor, all, count + 1) != (ssize_t)expected) {
        /* A log with a hole proves nothing. */
        static const char text[] = "RecordingShim: the log cannot be written.\n";
        if (write(2, text, sizeof text - 1)) {
        }
        abort();
    }
}

static void emit_names(uint32_t kind, uint64_t inode, const char *first, const char *second) {
    struct iovec pieces[2] = {
        {(void *)first, strlen(first) + 1}, {(void *)second, second ? strlen(second) + 1 : 0}};
    emit(kind, 0, inode, 0, pieces, second ? 2 : 1);
}

/* The name in the directory, or null. */
static const char *name_of(const char *path) {
    if (log_descriptor < 0 || !path || strncmp(path, directory, directory_length) != 0
        || path[directory_length] != '/')
        return NULL;
    return path + directory_length + 1;
}

/* What a descriptor leads to: 1 a file of the directory, 2 the directory itself, 0 neither. */
static int kind_of(int descriptor, uint64_t *inode, char *name, size_t capacity) {
    if (log_descriptor < 0 || descriptor == log_descriptor) return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < (ssize_t)directory_length) return 0;
    path[length] = 0;
    if (strncmp(path, directory, directory_length) != 0) return 0;
    if (path[directory_length] == 0) return 2;
    if (path[directory_length] != '/') return 0;
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    *inode = status.st_ino;
    if (name) snprintf(name, capacity, "%s", path + directory_length + 1);
    return 1;
}

static uint64_t size_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static uint32_t is_synchronous(int descriptor) {
    return (fcntl(descriptor, F_GETFL) & O_DSYNC) != 0;
}

void freehold_record_begin(const char *which, const char *log) {
    if (!realpath(which, directory)) abort();
    directory_length = strlen(directory);
    log_descriptor = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (log_descriptor < 0) abort();
}

void freehold_record_note(const char *bytes, size_t length) {
    struct iovec piece = {(void *)bytes, length};
    pthread_mutex_lock(&lock);
    if (log_descriptor >= 0) emit(freehold_recorded_note, 0, 0, 0, &piece, 1);
    pthread_mutex_unlock(&lock);
}

/* MARK: writes */

#define WRITING(call, position, vector, vectors)                                   \
    uint64_t inode;                                                                \
    int saved;                                                                     \
    pthread_mutex_lock(&lock);                                                     \
    int which = kind_of(fd, &inode, NULL, 0);                                      \
    off_t at = which == 1 ? (position) : 0;                                        \
    ssize_t result = call;                                                         \
    saved = errno;                                                                 \
    if (which == 1 && result > 0) written(fd, inode, at, vector, vectors, result); \
    pthread_mutex_unlock(&lock);                                                   \
    errno = saved;                                                                 \
    return result

static void written(int descriptor, uint64_t inode, off_t at, const struct iovec *vector, int count,
    ssize_t total) {
    struct iovec pieces[IOV_MAX];
    int used = 0;
    size_t left = (size_t)total;
    while (used < count && left > 0) {
        pieces[used] = vector[used];
        if (pieces[used].iov_len > left) pieces[used].iov_len = left;
        left -= pieces[used].iov_len;
        used++;
    }
    emit(freehold_recorded_write, is_synchronous(descriptor), inode, (uint64_t)at, pieces, used);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    struct iovec vector = {(void *)bytes, count};
    WRITING(real(fd, bytes, count, offset), offset, &vector, 1);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
    return pwrite(fd, bytes, count, offset);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    struct iovec vector = {(void *)bytes, count};
    WRITING(real(fd, bytes, count), lseek(fd, 0, SEEK_CUR), &vector, 1);
}

ssize_t writev(int fd, const struct iovec *vector, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int);
    WRITING(real(fd, vector, count), lseek(fd, 0, SEEK_CUR), vector, count);
}

ssize_t pwritev(int fd, const struct iovec *vector, int count, off_t offset) {
    REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t);
    WRITING(real(fd, vector, count, offset), offset, vector, count);
}
ssize_t pwritev64(int fd, const struct iovec *vector, int count, off_t offset) {
    return pwritev(fd, vector, count, offset);
}

/* MARK: lengths */

#define SIZING(call)                                                                             \
    uint64_t inode;                                                                              \
    pthread_mutex_lock(&lock);                                                                   \
    int which = kind_of(fd, &inode, NULL, 0);                                                    \
    int result = call;                                                                           \
    int saved = errno;                                                                           \
    if (which == 1 && result == 0) emit(freehold_recorded_size, 0, inode, size_of(fd), NULL, 0); \
    pthread_mutex_unlock(&lock);                                                                 \
    errno = saved;                                                                               \
    return result

int ftruncate(int fd, off_t length) {
    REAL(int, ftruncate, int, off_t);
    SIZING(real(fd, length));
}
int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }

int fallocate(int fd, int mode, off_t offset, off_t length) {
    REAL(int, fallocate, int, int, off_t, off_t);
    SIZING(real(fd, mode, offset, length));
}
int fallocate64(int fd, int mode, off_t offset, off_t length) {
    return fallocate(fd, mode, offset, length);
}

int posix_fallocate(int fd, off_t offset, off_t length) {
    REAL(int, posix_fallocate, int, off_t, off_t);
    SIZING(real(fd, offset, length));
}
int posix_fallocate64(int fd, off_t offset, off_t length) {
    return posix_fallocate(fd, offset, length);
}

int truncate(const char *path, off_t length) {
    REAL(int, truncate, const char *, off_t);
    pthread_mutex_lock(&lock);
    int result = real(path, length);
    int saved = errno;
    struct stat status;
    if (result == 0 && name_of(path) && stat(path, &status) == 0) {
        emit(freehold_recorded_size, 0, status.st_ino, (uint64_t)length, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}
int truncate64(const char *path, off_t length) { return truncate(path, length); }

/* MARK: syncs */

static int synchronised(int fd, int (*real)(int)) {
    uint64_t inode;
    pthread_mutex_lock(&lock);
    int which = kind_of(fd, &inode, NULL, 0);
    int result = real(fd);
    int saved = errno;
    if (result == 0 && which == 1) emit(freehold_recorded_sync, 0, inode, 0, NULL, 0);
    if (result == 0 && which == 2) emit(freehold_recorded_directory_sync, 0, 0, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}

int fsync(int fd) {
    REAL(int, fsync, int);
    return synchronised(fd, real);
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int);
    return synchronised(fd, real);
}

/* MARK: names */

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    const char *name = name_of(path);
    if (!name) return real(path, flags, mode);
    pthread_mutex_lock(&lock);
    struct stat status;
    int existed = stat(path, &status) == 0;
    int fd = real(path, flags, mode);
    int saved = errno;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        if (!existed) emit_names(freehold_recorded_create, status.st_ino, name, NULL);
        else if (flags & O_TRUNC) emit(freehold_recorded_size, 0, status.st_ino, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
    return fd;
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPENING(name, function)                      \
    int name(const char *path, int flags, ...) {     \
        REAL(int, function, const char *, int, ...); \
        va_list arguments;                           \
        va_start(arguments, flags);                  \
        mode_t mode = mode_of(flags, arguments);     \
        va_end(arguments);                           \
        return opened(real, path, flags, mode);      \
    }
OPENING(open, open)
OPENING(open64, open64)

int creat(const char *path, mode_t mode) { return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

static void renamed(const char *from, const char *to, int is_exchange) {
    const char *first = name_of(from), *second = name_of(to);
    if (first && second)
        emit_names(
            is_exchange ? freehold_recorded_exchange : freehold_recorded_rename, 0, first, second);
    else if (first || second)
        emit_names(freehold_recorded_unsupported, 0, "rename across directories", NULL);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    pthread_mutex_lock(&lock);
    int result = real(from, to);
    int saved = errno;
    if (result == 0) renamed(from, to, 0);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}

int renameat2(
    int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
    REAL(int, renameat2, int, const char *, int, const char *, unsigned int);
    pthread_mutex_lock(&lock);
    int result = real(from_directory, from, to_directory, to, flags);
    int saved = errno;
    if (result == 0) renamed(from, to, flags & 2 /* RENAME_EXCHANGE */);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}

int link(const char *from, const char *to) {
    REAL(int, link, const char *, const char *);
    pthread_mutex_lock(&lock);
    int result = real(from, to);
    int saved = errno;
    const char *first = name_of(from), *second = name_of(to);
    if (result == 0 && first && second) emit_names(freehold_recorded_link, 0, first, second);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    pthread_mutex_lock(&lock);
    int result = real(path);
    int saved = errno;
    const char *name = name_of(path);
    if (result == 0 && name) emit_names(freehold_recorded_unlink, 0, name, NULL);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}

/* MARK: what is not replayed */

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    REAL(void *, mmap, void *, size_t, int, int, int, off_t);
    if (log_descriptor >= 0 && fd >= 0 && (protection & PROT_WRITE) && (flags & MAP_SHARED)) {
        uint64_t inode;
        char name[NAME_MAX + 1];
        pthread_mutex_lock(&lock);
        /* After a loss of power LMDB's lock file is of no use. Neither is the holder of the write
           gate, for which the control file's mapping is written. */
        if (kind_of(fd, &inode, name, sizeof name) == 1) {
            size_t count = strlen(name);
            int is_lock = count >= 5 && strcmp(name + count - 5, "-lock") == 0;
            int is_control = count >= 8 && strcmp(name + count - 8, ".control") == 0;
            if (!is_lock && !is_control)
                emit_names(freehold_recorded_unsupported, inode, name, NULL);
        }
        pthread_mutex_unlock(&lock);
    }
    return real(address, length, protection, flags, fd, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    return mmap(address, length, protection, flags, fd, offset);
}
