/* Preloaded: makes chosen system calls for the files of one directory fail, and
   allocations of liblmdb. */
#define _GNU_SOURCE
#include "FaultShim.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(result, name, ...)         \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static atomic_bool is_counting, is_paused, is_keeping;
static void lose_unsynced_writes(void);
static char directory[PATH_MAX];
static size_t directory_length;
static _Atomic int64_t calls[freehold_fault_kind_count];
static atomic_int armed_kind = -1;
static int64_t armed_number;
static int armed_error, armed_sticky;
static _Atomic int64_t fired;
static char description[PATH_MAX + 200];
static uintptr_t lmdb_begin, lmdb_end;

static int find_lmdb(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    if (!strstr(info->dlpi_name, "liblmdb")) return 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        lmdb_begin = info->dlpi_addr + header->p_vaddr;
        lmdb_end = lmdb_begin + header->p_memsz;
    }
    return 1;
}

void freehold_fault_count(const char *which) { freehold_fault_arm(which, -1, 0, 0, 0); }

void freehold_fault_arm(const char *which, int kind, int64_t number, int error, int sticky) {
    atomic_store(&is_counting, 0);
    if (!lmdb_begin) dl_iterate_phdr(find_lmdb, NULL);
    if (!lmdb_begin || !realpath(which, directory)) abort();
    directory_length = strlen(directory);
    for (int index = 0; index < freehold_fault_kind_count; index++) atomic_store(&calls[index], 0);
    armed_number = number;
    armed_error = error;
    armed_sticky = sticky;
    description[0] = 0;
    atomic_store(&fired, 0);
    atomic_store(&is_paused, 0);
    atomic_store(&armed_kind, kind);
    atomic_store(&is_counting, 1);
}

int64_t freehold_fault_disarm(void) {
    atomic_store(&is_counting, 0);
    return atomic_load(&fired);
}

void freehold_fault_pause(int paused) { atomic_store(&is_paused, paused != 0); }

int64_t freehold_fault_calls(int kind) { return atomic_load(&calls[kind]); }

const char *freehold_fault_description(void) { return description; }

/* Whether this call is to fail. */
static int fails(int kind, const char *call, const char *path, int64_t detail) {
    int64_t number = atomic_fetch_add(&calls[kind], 1) + 1;
    if (atomic_load(&armed_kind) != kind) return 0;
    if (atomic_load(&is_paused)
        || (number != armed_number && !(armed_sticky && number > armed_number)))
        return 0;
    /* Signals end some time. */
    if (armed_error == EINTR && atomic_load(&fired) >= 20) return 0;
    if (armed_error == freehold_fault_death || armed_error == freehold_fault_power) {
        if (armed_error == freehold_fault_power) lose_unsynced_writes();
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    if (atomic_fetch_add(&fired, 1) == 0)
        snprintf(description, sizeof description, "%s of %s, %lld", call, path, (long long)detail);
    return 1;
}

/* The name of a descriptor's file in the directory ("" of the directory itself), or null. */
static const char *name_of_descriptor(int descriptor, char path[PATH_MAX]) {
    if (!atomic_load(&is_counting) || descriptor < 0) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < (ssize_t)directory_length) return NULL;
    path[length] = 0;
    if (strncmp(path, directory, directory_length) != 0) return NULL;
    if (path[directory_length] == 0) return path + directory_length;
    return path[directory_length] == '/' ? path + directory_length + 1 : NULL;
}

static const char *name_of_path(const char *path) {
    if (!atomic_load(&is_counting) || !path || strncmp(path, directory, directory_length) != 0)
        return NULL;
    if (path[directory_length] == 0) return path + directory_length;
    return path[directory_length] == '/' ? path + directory_length + 1 : NULL;
}

static int ends_with(const char *text, const char *end) {
    size_t count = strlen(text), tail = strlen(end);
    return count >= tail && strcmp(text + count - tail, end) == 0;
}

/* MARK: power */

struct kept {
    struct kept *before;
    dev_t device;
    ino_t inode;
    off_t offset, size;
    ssize_t count;
    char path[PATH_MAX];
    char bytes[];
};

static struct kept *newest_kept;
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

void freehold_fault_keep(const char *which) {
    if (!realpath(which, directory)) abort();
    directory_length = strlen(directory);
    atomic_store(&is_keeping, 1);
}

/* Before a write: keeps what it overwrites. What is opened for synchronous writes is never lost. */
static void keep(int descriptor, size_t count, off_t offset) {
    if (!atomic_load(&is_keeping) || descriptor < 0
        || (syscall(SYS_fcntl, descriptor, F_GETFL) & O_DSYNC))
        return;
    char link[64];
    struct stat status;
    struct kept *kept = __libc_malloc(sizeof *kept + count);
    if (!kept) abort();
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, kept->path, PATH_MAX - 1);
    if (length < 0) length = 0;
    kept->path[length] = 0;
    if (strncmp(kept->path, directory, directory_length) != 0 || fstat(descriptor, &status) != 0
        || !S_ISREG(status.st_mode)) {
        free(kept);
        return;
    }
    kept->device = status.st_dev;
    kept->inode = status.st_ino;
    kept->offset = offset;
    kept->size = status.st_size;
    kept->count = syscall(SYS_pread64, descriptor, kept->bytes, count, offset);
    if (kept->count < 0) kept->count = 0;
    pthread_mutex_lock(&keeping);
    kept->before = newest_kept;
    newest_kept = kept;
    pthread_mutex_unlock(&keeping);
}

/* After a sync. */
static void forget(int descriptor) {
    struct stat status;
    if (!atomic_load(&is_keeping) || fstat(descriptor, &status) != 0) return;
    pthread_mutex_lock(&keeping);
    struct kept **place = &newest_kept;
    while (*place) {
        struct kept *kept = *place;
        if (kept->device == status.st_dev && kept->inode == status.st_ino) {
            *place = kept->before;
            free(kept);
        } else place = &kept->before;
    }
    pthread_mutex_unlock(&keeping);
}

/* Nothing is written any more: the lock is kept. Which writes are lost depends on the fault's
 * number. */
static void lose_unsynced_writes(void) {
    pthread_mutex_lock(&keeping);
    uint64_t random = 0x9E3779B97F4A7C15u * (uint64_t)(armed_number * 16 + armed_kind + 1);
    int loses_all = random >> 63;
    for (struct kept *kept = newest_kept; kept; kept = kept->before) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        struct stat status;
        if (!loses_all && random & 1) continue;
        int descriptor = (int)syscall(SYS_openat, AT_FDCWD, kept->path, O_RDWR | O_CLOEXEC);
        if (descriptor < 0) continue;
        if (fstat(descriptor, &status) == 0 && status.st_dev == kept->device
            && status.st_ino == kept->inode) {
            if (kept->count)
                syscall(SYS_pwrite64, descriptor, kept->bytes, kept->count, kept->offset);
            if (loses_all && status.st_size > kept->size)
                syscall(SYS_ftruncate, descriptor, kept->size);
        }
        syscall(SYS_close, descriptor);
    }
}

/* MARK: writes */

static int kind_of_write(const char *name, size_t count, off_t offset) {
    if (ends_with(name, ".control")) return freehold_fault_control_write;
    if (ends_with(name, "-lock")) return freehold_fault_other_write;
    return offset < 8192 && count < 4096 ? freehold_fault_meta_write : freehold_fault_data_write;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    if (name && fails(kind_of_write(name, count, offset), "pwrite", name, offset)) {
        if (armed_error == freehold_fault_short && count > 1) {
            keep(fd, count / 2, offset);
            return real(fd, bytes, count / 2, offset);
        }
        if (armed_error == freehold_fault_done) {
            keep(fd, count, offset);
            real(fd, bytes, count, offset);
        }
        errno = armed_error > 0 ? armed_error : EIO;
        return -1;
    }
    keep(fd, count, offset);
    return real(fd, bytes, count, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
    return pwrite(fd, bytes, count, offset);
}

static size_t byte_count(const struct iovec *vector, int count) {
    size_t total = 0;
    for (int index = 0; index < count; index++) total += vector[index].iov_len;
    return total;
}

ssize_t writev(int fd, const struct iovec *vector, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    off_t offset = name || atomic_load(&is_keeping) ? lseek(fd, 0, SEEK_CUR) : 0;
    keep(fd, byte_count(vector, count), offset);
    if (name
        && fails(kind_of_write(name, byte_count(vector, count), offset), "writev", name, offset)) {
        if (armed_error == freehold_fault_short) {
            struct iovec first = vector[0];
            if (count == 1) first.iov_len /= 2;
            return real(fd, &first, 1);
        }
        if (armed_error == freehold_fault_done) real(fd, vector, count);
        errno = armed_error > 0 ? armed_error : EIO;
        return -1;
    }
    return real(fd, vector, count);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    if (atomic_load(&is_keeping)) keep(fd, count, lseek(fd, 0, SEEK_CUR));
    if (name && fails(kind_of_write(name, count, lseek(fd, 0, SEEK_CUR)), "write", name, 0)) {
        if (armed_error == freehold_fault_short && count > 1) return real(fd, bytes, count / 2);
        if (armed_error == freehold_fault_done) real(fd, bytes, count);
        errno = armed_error > 0 ? armed_error : EIO;
        return -1;
    }
    return real(fd, bytes, count);
}

/* MARK: reads */

ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
    REAL(ssize_t, pread, int, void *, size_t, off_t);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    if (name && fails(freehold_fault_read, "pread", name, offset)) {
        errno = armed_error > 0 ? armed_error : EIO;
        return -1;
    }
    return real(fd, bytes, count, offset);
}
ssize_t pread64(int fd, void *bytes, size_t count, off_t offset) {
    return pread(fd, bytes, count, offset);
}

/* MARK: calls that answer 0 or -1 */

#define FAILING(kind, text, name, detail, call)               \
    if (name && fails(kind, text, name, detail)) {            \
        if (armed_error == freehold_fault_done) (void)(call); \
        errno = armed_error > 0 ? armed_error : EIO;          \
        return -1;                                            \
    }                                                         \
    return call

static int synced(int result, int fd) {
    if (result == 0) forget(fd);
    return result;
}

int fsync(int fd) {
    REAL(int, fsync, int);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    FAILING(freehold_fault_sync, "fsync", name, 0, synced(real(fd), fd));
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    FAILING(freehold_fault_sync, "fdatasync", name, 0, synced(real(fd), fd));
}

int ftruncate(int fd, off_t length) {
    REAL(int, ftruncate, int, off_t);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    FAILING(freehold_fault_allocate, "ftruncate", name, length, real(fd, length));
}
int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }

int truncate(const char *which, off_t length) {
    REAL(int, truncate, const char *, off_t);
    const char *name = name_of_path(which);
    FAILING(freehold_fault_allocate, "truncate", name, length, real(which, length));
}
int truncate64(const char *which, off_t length) { return truncate(which, length); }

int fallocate(int fd, int mode, off_t offset, off_t length) {
    REAL(int, fallocate, int, int, off_t, off_t);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    FAILING(freehold_fault_allocate, "fallocate", name, offset, real(fd, mode, offset, length));
}
int fallocate64(int fd, int mode, off_t offset, off_t length) {
    return fallocate(fd, mode, offset, length);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    const char *name = name_of_path(to);
    FAILING(freehold_fault_rename, "rename", name, 0, real(from, to));
}

int renameat2(
    int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
    REAL(int, renameat2, int, const char *, int, const char *, unsigned int);
    const char *name = name_of_path(to);
    FAILING(freehold_fault_rename, "renameat2", name, 0,
        real(from_directory, from, to_directory, to, flags));
}

int unlink(const char *which) {
    REAL(int, unlink, const char *);
    const char *name = name_of_path(which);
    FAILING(freehold_fault_unlink, "unlink", name, 0, real(which));
}

/* MARK: opening and locking */

#define OPENING(function)                                                            \
    int function(const char *which, int flags, ...) {                                \
        REAL(int, function, const char *, int, ...);                                 \
        va_list arguments;                                                           \
        va_start(arguments, flags);                                                  \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments);                                                           \
        const char *name = name_of_path(which);                                      \
        if (name && fails(freehold_fault_open, #function, name, flags)) {            \
            errno = armed_error > 0 ? armed_error : EIO;                             \
            return -1;                                                               \
        }                                                                            \
        return real(which, flags, mode);                                             \
    }
OPENING(open)
OPENING(open64)

#define LOCKING(function)                                                                      \
    int function(int fd, int command, ...) {                                                   \
        REAL(int, function, int, int, ...);                                                    \
        va_list arguments;                                                                     \
        va_start(arguments, command);                                                          \
        void *argument = va_arg(arguments, void *);                                            \
        va_end(arguments);                                                                     \
        if (command != F_SETLK && command != F_SETLKW && command != F_GETLK                    \
            && command != F_OFD_SETLK && command != F_OFD_SETLKW && command != F_OFD_GETLK)    \
            return real(fd, command, argument);                                                \
        /* Unlocking does not fail. */                                                         \
        if (((struct flock *)argument)->l_type == F_UNLCK) return real(fd, command, argument); \
        char path[PATH_MAX];                                                                   \
        const char *name = name_of_descriptor(fd, path);                                       \
        FAILING(freehold_fault_lock, #function, name,                                          \
            (int64_t)((struct flock *)argument)->l_start, real(fd, command, argument));        \
    }
LOCKING(fcntl)
LOCKING(fcntl64)

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    REAL(void *, mmap, void *, size_t, int, int, int, off_t);
    char path[PATH_MAX];
    const char *name = name_of_descriptor(fd, path);
    if (name && fails(freehold_fault_map, "mmap", name, (int64_t)length)) {
        errno = armed_error > 0 ? armed_error : ENOMEM;
        return MAP_FAILED;
    }
    return real(address, length, protection, flags, fd, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    return mmap(address, length, protection, flags, fd, offset);
}

/* MARK: liblmdb's memory */

static int fails_allocation(const void *caller, const char *call, size_t count) {
    if (!atomic_load_explicit(&is_counting, memory_order_relaxed)) return 0;
    if ((uintptr_t)caller < lmdb_begin || (uintptr_t)caller >= lmdb_end) return 0;
    if (!fails(freehold_fault_allocation, call, "liblmdb", (int64_t)count)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t count) {
    return fails_allocation(__builtin_return_address(0), "malloc", count) ? NULL
                                                                          : __libc_malloc(count);
}

void *calloc(size_t count, size_t size) {
    return fails_allocation(__builtin_return_address(0), "calloc", count * size)
               ? NULL
               : __libc_calloc(count, size);
}

void *realloc(void *old, size_t count) {
    return fails_allocation(__builtin_return_address(0), "realloc", count)
               ? NULL
               : __libc_realloc(old, count);
}

char *strdup(const char *text) {
    size_t count = strlen(text) + 1;
    if (fails_allocation(__builtin_return_address(0), "strdup", count)) return NULL;
    char *copy = __libc_malloc(count);
    return copy ? memcpy(copy, text, count) : NULL;
}

/* MARK: the wall clock */

static _Atomic int64_t clock_offset;

void freehold_move_clock(int64_t seconds) { atomic_store(&clock_offset, seconds); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        time->tv_sec += atomic_load(&clock_offset);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
