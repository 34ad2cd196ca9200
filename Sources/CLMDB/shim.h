#ifndef FREEHOLD_CLMDB_SHIM_H
#define FREEHOLD_CLMDB_SHIM_H

/* The C boundary of Freehold: LMDB, the few Linux calls whose macros or variadic
   prototypes Swift cannot import, and some functions of the Swift runtime. Only the
   files of Base/Platform import this module. */

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

#if MDB_VERSION_MAJOR != 0 || MDB_VERSION_MINOR != 9
#error "Freehold reads LMDB 0.9 pages itself. Install liblmdb-dev 0.9 (Docs/Decisions/0023)."
#endif

/* glibc declares these only with _GNU_SOURCE, which must not be defined here: Swift's
   own view of the system headers is built without it, and the two would clash.
   The numbers are kernel ABI. */
#ifndef F_OFD_GETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#endif
extern int fallocate(int fd, int mode, off_t offset, off_t length);
extern int sync_file_range(int fd, off_t offset, off_t length, unsigned int flags);
extern int renameat2(
    int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags);

extern int pthread_setname_np(pthread_t thread, const char *name);

/* The kinds of byte-range lock, as plain numbers for Swift. */
enum freehold_lock_kind {
    freehold_lock_shared = F_RDLCK,
    freehold_lock_exclusive = F_WRLCK,
    freehold_lock_none = F_UNLCK
};

static inline struct flock freehold_range_lock_record(int kind, int64_t offset, int64_t length) {
    struct flock record;
    memset(&record, 0, sizeof record); /* l_pid must be 0 for the OFD commands */
    record.l_type = (short)kind;
    record.l_whence = SEEK_SET;
    record.l_start = (off_t)offset;
    record.l_len = (off_t)length;
    return record;
}

static inline struct flock freehold_lock_record(int kind, int64_t offset) {
    return freehold_range_lock_record(kind, offset, 1);
}

/* Sets a one-byte lock owned by the open file description, or removes it with kind
   none. Returns 0 or an errno; EAGAIN when it is taken. */
static inline int freehold_description_lock(int fd, int kind, int64_t offset) {
    struct flock record = freehold_lock_record(kind, offset);
    return fcntl(fd, F_OFD_SETLK, &record) == 0 ? 0 : errno;
}

/* As above, but waits. Returns EINTR when a signal handler ran. */
static inline int freehold_description_lock_wait(int fd, int kind, int64_t offset) {
    struct flock record = freehold_lock_record(kind, offset);
    return fcntl(fd, F_OFD_SETLKW, &record) == 0 ? 0 : errno;
}

/* Asks whether another open file description, or a process, has a lock on any byte of
   a range. Returns 0 and sets *conflict, or an errno. */
static inline int freehold_range_lock_test(int fd, int64_t offset, int64_t length, int *conflict) {
    struct flock record = freehold_range_lock_record(F_WRLCK, offset, length);
    if (fcntl(fd, F_OFD_GETLK, &record) != 0) return errno;
    *conflict = record.l_type != F_UNLCK;
    return 0;
}

/* Sets a one-byte lock owned by the process. Returns 0 or an errno. */
static inline int freehold_process_lock(int fd, int kind, int64_t offset) {
    struct flock record = freehold_lock_record(kind, offset);
    return fcntl(fd, F_SETLK, &record) == 0 ? 0 : errno;
}

/* Asks which other process prevents a process lock. Returns 0 and
   sets *holder (0: none), or an errno. */
static inline int freehold_process_lock_test(int fd, int kind, int64_t offset, pid_t *holder) {
    struct flock record = freehold_lock_record(kind, offset);
    if (fcntl(fd, F_GETLK, &record) != 0) return errno;
    *holder = record.l_type == F_UNLCK ? 0 : record.l_pid;
    return 0;
}

/* Sets close-on-exec. Returns 0 or an errno. */
static inline int freehold_close_on_exec(int fd) {
    int flags = fcntl(fd, F_GETFD);
    if (flags < 0 || fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0) return errno;
    return 0;
}

/* The answer of statfs about a file system. */
struct freehold_file_system {
    uint64_t magic;
    uint64_t block_size;
    uint64_t available_blocks;
};

/* Returns 0 or an errno. */
static inline int freehold_file_system_of(const char *path, struct freehold_file_system *result) {
    struct statfs info;
    if (statfs(path, &info) != 0) return errno;
    result->magic = (uint64_t)info.f_type & 0xFFFFFFFFu;
    result->block_size = (uint64_t)info.f_bsize;
    result->available_blocks = (uint64_t)info.f_bavail;
    return 0;
}

/* As above, by descriptor. */
static inline int freehold_file_system_of_descriptor(int fd, struct freehold_file_system *result) {
    struct statfs info;
    if (fstatfs(fd, &info) != 0) return errno;
    result->magic = (uint64_t)info.f_type & 0xFFFFFFFFu;
    result->block_size = (uint64_t)info.f_bsize;
    result->available_blocks = (uint64_t)info.f_bavail;
    return 0;
}

/* Allocates the blocks of a range and moves the end of the file behind it.
   Returns 0 or an errno; EOPNOTSUPP where the file system cannot. */
static inline int freehold_allocate(int fd, int64_t offset, int64_t length) {
    return fallocate(fd, 0, (off_t)offset, (off_t)length) == 0 ? 0 : errno;
}

/* Gives the blocks of a range back to the file system; the range then reads as zeros.
   Returns 0 or an errno; EOPNOTSUPP where the file system cannot. */
static inline int freehold_deallocate(int fd, int64_t offset, int64_t length) {
    const int punch_hole_keep_size = 3;
    return fallocate(fd, punch_hole_keep_size, (off_t)offset, (off_t)length) == 0 ? 0 : errno;
}

/* Begins to write a range of a file to the medium, and does not wait for the end.
   Returns 0 or an errno. */
static inline int freehold_begin_writeback(int fd, int64_t offset, int64_t length) {
    const unsigned int write = 2;
    return sync_file_range(fd, (off_t)offset, (off_t)length, write) == 0 ? 0 : errno;
}

/* Renames a file, unless a file with the new name exists. Returns 0 or an errno;
   EEXIST if one does. */
static inline int freehold_rename_new(const char *from, const char *to) {
    const unsigned int noreplace = 1;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, noreplace) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    /* The file system does not support the flag. */
    if (link(from, to) != 0) return errno;
    return unlink(from) == 0 ? 0 : errno;
}

/* Exchanges the files of two names in one step. Returns 0 or an errno; EINVAL or
   ENOSYS if the file system does not support it. */
static inline int freehold_exchange_names(const char *first, const char *second) {
    const unsigned int exchange = 2;
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, exchange) == 0 ? 0 : errno;
}

/* The identity, size and kind of a file, without its times. */
struct freehold_file_head {
    uint64_t device;
    uint64_t inode;
    uint64_t size;
    uint32_t mode;
    uint32_t owner;
    uint32_t group;
    uint32_t links;
};

/* ioprio_set(IOPRIO_WHO_PROCESS, this thread, IOPRIO_CLASS_IDLE or none). glibc has no wrapper.
   Schedulers of media that know no classes ignore it. */
static inline void freehold_use_idle_medium(bool idle) {
    syscall(SYS_ioprio_set, 1, 0, idle ? 3 << 13 : 0);
}

/* Returns how many processors the process may use; 0 if the kernel does not tell. */
static inline int freehold_processor_count(void) {
    unsigned long mask[128];
    long length = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int count = 0;
    for (long index = 0; index < length / (long)sizeof mask[0]; index++)
        count += __builtin_popcountl(mask[index]);
    return count;
}

/* The used part of the kernel's struct statx; glibc declares it only with _GNU_SOURCE. */
struct freehold_statx {
    uint32_t mask, block_size;
    uint64_t attributes;
    uint32_t links, owner, group;
    uint16_t mode, spare;
    uint64_t inode, size, blocks, attributes_mask;
    uint64_t times[8];
    uint32_t special_major, special_minor, device_major, device_minor;
    uint64_t rest[14];
};

/* Examines the last component of a path without following it, or, with an empty
   path, a descriptor. Returns 0 or an errno.

   Not fstatat: since Linux 6.13, reading a file's times makes its next write set new
   ones, and each fdatasync after that writes the inode, too. */
static inline int freehold_examine(int fd, const char *path, struct freehold_file_head *result) {
    const int flags = AT_SYMLINK_NOFOLLOW | 0x1000; /* AT_EMPTY_PATH */
    const unsigned int mask = 0x21F;                /* type, mode, links, owner, group, size */
    struct freehold_statx head;
    if (syscall(SYS_statx, fd, path, flags, mask | 0x100 /* inode */, &head) == 0) {
        result->device = makedev(head.device_major, head.device_minor);
        result->inode = head.inode;
        result->size = head.size;
        result->mode = head.mode;
        result->owner = head.owner;
        result->group = head.group;
        result->links = head.links;
        return 0;
    }
    /* A system call filter that is older than statx may refuse it. */
    if (errno != ENOSYS && errno != EPERM) return errno;
    struct stat status;
    if ((path[0] == 0 ? fstat(fd, &status) : fstatat(fd, path, &status, AT_SYMLINK_NOFOLLOW)) != 0)
        return errno;
    result->device = status.st_dev;
    result->inode = status.st_ino;
    result->size = (uint64_t)status.st_size;
    result->mode = status.st_mode;
    result->owner = status.st_uid;
    result->group = status.st_gid;
    result->links = (uint32_t)status.st_nlink;
    return 0;
}

/* What may interrupt the calling thread. */
struct freehold_interruptions {
    sigset_t signals;
    int cancellation;
};

/* Keeps signal handlers and pthread_cancel away from the calling thread. Returns what was
   allowed before. Faults of the thread itself keep their handlers: a blocked fault would
   end the process without a report. */
static inline struct freehold_interruptions freehold_hold_interruptions(void) {
    struct freehold_interruptions before;
    sigset_t held;
    sigfillset(&held);
    const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t index = 0; index < sizeof faults / sizeof faults[0]; index++)
        sigdelset(&held, faults[index]);
    pthread_sigmask(SIG_BLOCK, &held, &before.signals);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before.cancellation);
    return before;
}

/* Ends freehold_hold_interruptions. A write beyond the limit of file sizes has failed, and
   also sent SIGXFSZ, which would now end the process: it is discarded, unless the caller
   itself had blocked it. */
static inline void freehold_allow_interruptions(const struct freehold_interruptions *before) {
    if (sigismember(&before->signals, SIGXFSZ) == 0) {
        sigset_t limit;
        const struct timespec at_once = {0, 0};
        sigemptyset(&limit);
        sigaddset(&limit, SIGXFSZ);
        sigtimedwait(&limit, NULL, &at_once);
    }
    pthread_setcancelstate(before->cancellation, NULL);
    pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
}

/* Returns an address in the caller's part of its stack. */
static inline __attribute__((always_inline)) uintptr_t freehold_stack_address(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

/* Returns a descriptor that wakes its pollers when it is written to; -1 on failure. */
static inline int freehold_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* A function of the Swift runtime: retains and returns an object, or returns null if its
   last reference is gone. Swift code cannot name the function. */
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

static inline void *_Nullable freehold_try_retain(void *_Nonnull object) {
    return swift_tryRetain(object);
}

/* Asks the processor to load the cache line of an address; does nothing else, whatever the address.
 */
static inline void freehold_prefetch(const void *_Nonnull address) {
    __builtin_prefetch(address, 0, 3);
}

/* Asks the Swift runtime whether the caller runs on an executor (two words). The Swift
   function of this name is internal to the concurrency library. With flags 0, it never
   ends the process, and answers false if it does not know. */
extern __attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    uintptr_t identity, uintptr_t implementation, uint64_t flags);

static inline bool freehold_is_current_executor(uintptr_t identity, uintptr_t implementation) {
    return swift_task_isCurrentExecutorWithFlags(identity, implementation, 0);
}

/* The executor that runs the caller, as two words: its identity and its implementation.
   Both are 0 without an actor. If only the second is 0, the first is an actor with its
   default executor. Otherwise the first is the executor, an object. */
struct freehold_executor {
    uintptr_t identity;
    uintptr_t implementation;
};

extern __attribute__((swiftcall)) struct freehold_executor swift_task_getCurrentExecutor(void);

static inline struct freehold_executor freehold_current_executor(void) {
    return swift_task_getCurrentExecutor();
}

/* The task that runs the caller; null outside of tasks. */
extern __attribute__((swiftcall)) void *_Nullable swift_task_getCurrent(void);

static inline void *_Nullable freehold_current_task(void) { return swift_task_getCurrent(); }
static inline bool freehold_runs_in_task(void) { return freehold_current_task() != NULL; }

#endif
