#define _GNU_SOURCE
#include "FreeholdTestStart.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The program's own functions come before those of the C library and of LMDB. Each does what it
// should unless a test asked for a failure, or for an account, of what concerns files in the test's
// directory: other tests that run at once notice nothing.

struct fault {
    char directory[PATH_MAX];
    char call[32];
    int error, skipped, failures;
    char *account;
    size_t capacity;
    void (*hook)(void *);
    void *context;
};

static struct fault faults[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Without a fault, each call looks at this and does nothing else.
static atomic_int fault_count;

static int add(const char *directory, const char *call, int error, int skipped, char *account,
    size_t capacity, void (*hook)(void *), void *context) {
    int result = -1;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < 64 && result < 0; index++) {
        struct fault *fault = &faults[index];
        if (fault->directory[0]) continue;
        snprintf(fault->directory, sizeof fault->directory, "%s", directory);
        snprintf(fault->call, sizeof fault->call, "%s", call);
        fault->error = error;
        fault->skipped = skipped;
        fault->account = account;
        fault->capacity = capacity;
        fault->hook = hook;
        fault->context = context;
        fault->failures = 0;
        atomic_fetch_add(&fault_count, 1);
        result = index;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int freehold_fail_call(const char *directory, const char *call, int error, int skipped) {
    return add(directory, call, error, skipped, NULL, 0, NULL, NULL);
}

int freehold_hook_call(
    const char *directory, const char *call, void (*hook)(void *), void *context) {
    return add(directory, call, 0, 0, NULL, 0, hook, context);
}

int freehold_account_for_calls(const char *directory, char *account, size_t capacity) {
    return add(directory, "", 0, 0, account, capacity, NULL, NULL);
}

int freehold_end_calls(int number) {
    pthread_mutex_lock(&lock);
    faults[number].directory[0] = 0;
    int failures = faults[number].failures;
    atomic_fetch_sub(&fault_count, 1);
    pthread_mutex_unlock(&lock);
    return failures;
}

// The error that a call is to fail with, or 0.
static int consider(const char *call, const char *path) {
    if (!path) return 0;
    int error = 0;
    struct fault hooked = {.hook = NULL};
    pthread_mutex_lock(&lock);
    for (int index = 0; index < 64; index++) {
        struct fault *fault = &faults[index];
        size_t length = strlen(fault->directory);
        if (!length || strncmp(path, fault->directory, length) != 0
            || (path[length] != '/' && path[length] != 0))
            continue;
        if (fault->account) {
            size_t used = strlen(fault->account);
            snprintf(fault->account + used, fault->capacity - used, "%s %s\n", call,
                path[length] == '/' ? path + length + 1 : ".");
            // Signals end some time.
        } else if (strcmp(fault->call, call) == 0
                   && !(fault->error == EINTR && fault->failures >= 3) && fault->skipped-- <= 0) {
            error = fault->error;
            // Only the first time.
            if (fault->hook && fault->failures == 0) hooked = *fault;
            fault->failures++;
        }
    }
    pthread_mutex_unlock(&lock);
    if (hooked.hook) hooked.hook(hooked.context);
    return error;
}

static int consider_descriptor(const char *call, int descriptor) {
    if (atomic_load(&fault_count) == 0) return 0;
    char link[64], path[PATH_MAX];
    int saved = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = saved;
    if (length < 0) return 0;
    path[length] = 0;
    return consider(call, path);
}

#define REAL(result, name, ...)                                                       \
    static result (*_Atomic found)(__VA_ARGS__);                                      \
    result (*real)(__VA_ARGS__) = atomic_load_explicit(&found, memory_order_relaxed); \
    if (!real) {                                                                      \
        real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);                      \
        atomic_store_explicit(&found, real, memory_order_relaxed);                    \
    }

#define DESCRIPTOR_CALL(name)                               \
    int name(int descriptor) {                              \
        REAL(int, name, int);                               \
        int error = consider_descriptor(#name, descriptor); \
        if (!error) return real(descriptor);                \
        errno = error;                                      \
        return -1;                                          \
    }

// Of locks: those that belong to a process and are not waited for ("setlk"), those that belong to
// an open file ("ofd setlk") and questions about these ("ofd getlk").
static const char *name_of_lock_call(int command) {
    switch (command) {
    case F_SETLK: return "setlk";
    case F_OFD_SETLK:
    case F_OFD_SETLKW: return "ofd setlk";
    case F_OFD_GETLK: return "ofd getlk";
    default: return NULL;
    }
}

#define LOCK_CALL(name)                                               \
    int name(int descriptor, int command, ...) {                      \
        REAL(int, name, int, int, ...);                               \
        va_list arguments;                                            \
        va_start(arguments, command);                                 \
        void *argument = va_arg(arguments, void *);                   \
        va_end(arguments);                                            \
        const char *call = name_of_lock_call(command);                \
        int error = call ? consider_descriptor(call, descriptor) : 0; \
        if (!error) return real(descriptor, command, argument);       \
        errno = error;                                                \
        return -1;                                                    \
    }

LOCK_CALL(fcntl)
LOCK_CALL(fcntl64)
DESCRIPTOR_CALL(fsync)
DESCRIPTOR_CALL(fdatasync)

// Sanitizers call these before the loader can look for the next function of a name; until then the
// kernel is asked. Later the next one is: a library that is preloaded, which records, fails or
// kills, must see them.
static atomic_bool can_look_up;
__attribute__((constructor(101))) static void allow_looking_up(void) {
    atomic_store(&can_look_up, true);
}

#define NEXT_OR_KERNEL(result, name, types, arguments, ...)        \
    if (!atomic_load_explicit(&can_look_up, memory_order_relaxed)) \
        return (result)syscall(__VA_ARGS__);                       \
    REAL(result, name, UNPACK types);                              \
    return real arguments
#define UNPACK(...) __VA_ARGS__

#define KERNEL_CALL(result, name, parameters, types, arguments, ...) \
    result name parameters {                                         \
        int error = consider_descriptor(#name, descriptor);          \
        if (error) {                                                 \
            errno = error;                                           \
            return -1;                                               \
        }                                                            \
        NEXT_OR_KERNEL(result, name, types, arguments, __VA_ARGS__); \
    }

#define DESCRIPTOR_FIRST(result, name, parameters, types, arguments) \
    KERNEL_CALL(result, name, parameters, types, arguments, SYS_##name, UNPACK arguments)

KERNEL_CALL(ssize_t, pread, (int descriptor, void *bytes, size_t count, off_t offset),
    (int, void *, size_t, off_t), (descriptor, bytes, count, offset), SYS_pread64, descriptor,
    bytes, count, offset)
KERNEL_CALL(ssize_t, pwrite, (int descriptor, const void *bytes, size_t count, off_t offset),
    (int, const void *, size_t, off_t), (descriptor, bytes, count, offset), SYS_pwrite64,
    descriptor, bytes, count, offset)
DESCRIPTOR_FIRST(int, ftruncate, (int descriptor, off_t size), (int, off_t), (descriptor, size))
DESCRIPTOR_FIRST(int, fchmod, (int descriptor, mode_t mode), (int, mode_t), (descriptor, mode))
DESCRIPTOR_FIRST(off_t, lseek, (int descriptor, off_t offset, int whence), (int, off_t, int),
    (descriptor, offset, whence))
DESCRIPTOR_FIRST(
    int, fstat, (int descriptor, struct stat *status), (int, struct stat *), (descriptor, status))

#define PATH_CALL(name, parameters, types, arguments, ...)                      \
    int name parameters {                                                       \
        int error = atomic_load(&fault_count) == 0 ? 0 : consider(#name, path); \
        if (error) {                                                            \
            errno = error;                                                      \
            return -1;                                                          \
        }                                                                       \
        NEXT_OR_KERNEL(int, name, types, arguments, __VA_ARGS__);               \
    }

PATH_CALL(unlink, (const char *path), (const char *), (path), SYS_unlinkat, AT_FDCWD, path, 0)
PATH_CALL(lstat, (const char *path, struct stat *status), (const char *, struct stat *),
    (path, status), SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW)

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
    va_end(more);
    int error = atomic_load(&fault_count) == 0 ? 0 : consider("open", path);
    if (error) {
        errno = error;
        return -1;
    }
    NEXT_OR_KERNEL(int, open, (const char *, int, ...), (path, flags, mode), SYS_openat, AT_FDCWD,
        path, flags, mode);
}

// A call fails before it does anything, or under the name "renameat2 done" after it has done
// everything.
#define RENAME(name, result)                                                           \
    int error = atomic_load(&fault_count) == 0 ? 0 : consider(name, to);               \
    if (error) {                                                                       \
        errno = error;                                                                 \
        return -1;                                                                     \
    }                                                                                  \
    int answer = result;                                                               \
    error = answer || atomic_load(&fault_count) == 0 ? 0 : consider(name " done", to); \
    if (!error) return answer;                                                         \
    errno = error;                                                                     \
    return -1

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    RENAME("rename", real(from, to));
}

int renameat2(
    int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
    REAL(int, renameat2, int, const char *, int, const char *, unsigned int);
    RENAME("renameat2", real(from_directory, from, to_directory, to, flags));
}

// LMDB's functions, of which the tests need to see no more than the path of an environment.
struct MDB_env;
struct MDB_txn;
struct MDB_cursor;
extern int mdb_env_get_path(struct MDB_env *, const char **);
extern struct MDB_env *mdb_txn_env(struct MDB_txn *);
extern struct MDB_txn *mdb_cursor_txn(struct MDB_cursor *);

static int consider_environment(const char *call, struct MDB_env *environment) {
    const char *path = NULL;
    if (atomic_load(&fault_count) == 0 || mdb_env_get_path(environment, &path) != 0) return 0;
    return consider(call, path);
}

static int consider_transaction(const char *call, struct MDB_txn *transaction) {
    return atomic_load(&fault_count) == 0 ? 0
                                          : consider_environment(call, mdb_txn_env(transaction));
}

int mdb_txn_begin(
    struct MDB_env *environment, struct MDB_txn *parent, unsigned flags, struct MDB_txn **result) {
    REAL(int, mdb_txn_begin, struct MDB_env *, struct MDB_txn *, unsigned, struct MDB_txn **);
    // 0x20000: a transaction that only reads.
    int error = consider_environment(
        flags & 0x20000 ? "mdb_txn_begin read" : "mdb_txn_begin write", environment);
    return error ? error : real(environment, parent, flags, result);
}

int mdb_stat(struct MDB_txn *transaction, unsigned database, void *statistics) {
    REAL(int, mdb_stat, struct MDB_txn *, unsigned, void *);
    int error = consider_transaction("mdb_stat", transaction);
    return error ? error : real(transaction, database, statistics);
}

int mdb_env_sync(struct MDB_env *environment, int force) {
    REAL(int, mdb_env_sync, struct MDB_env *, int);
    int error = consider_environment("mdb_env_sync", environment);
    return error ? error : real(environment, force);
}

int mdb_env_open(struct MDB_env *environment, const char *path, unsigned flags, unsigned mode) {
    REAL(int, mdb_env_open, struct MDB_env *, const char *, unsigned, unsigned);
    int error = atomic_load(&fault_count) == 0 ? 0 : consider("mdb_env_open", path);
    return error ? error : real(environment, path, flags, mode);
}

int mdb_cursor_open(struct MDB_txn *transaction, unsigned database, struct MDB_cursor **cursor) {
    REAL(int, mdb_cursor_open, struct MDB_txn *, unsigned, struct MDB_cursor **);
    int error = consider_transaction("mdb_cursor_open", transaction);
    return error ? error : real(transaction, database, cursor);
}

int mdb_cursor_get(struct MDB_cursor *cursor, void *key, void *value, int operation) {
    REAL(int, mdb_cursor_get, struct MDB_cursor *, void *, void *, int);
    int error = atomic_load(&fault_count) == 0
                    ? 0
                    : consider_transaction("mdb_cursor_get", mdb_cursor_txn(cursor));
    return error ? error : real(cursor, key, value, operation);
}

int mdb_get(struct MDB_txn *transaction, unsigned database, void *key, void *value) {
    REAL(int, mdb_get, struct MDB_txn *, unsigned, void *, void *);
    int error = consider_transaction("mdb_get", transaction);
    return error ? error : real(transaction, database, key, value);
}

int mdb_put(
    struct MDB_txn *transaction, unsigned database, void *key, void *value, unsigned flags) {
    REAL(int, mdb_put, struct MDB_txn *, unsigned, void *, void *, unsigned);
    int error = consider_transaction("mdb_put", transaction);
    return error ? error : real(transaction, database, key, value, flags);
}

int mdb_del(struct MDB_txn *transaction, unsigned database, void *key, void *value) {
    REAL(int, mdb_del, struct MDB_txn *, unsigned, void *, void *);
    int error = consider_transaction("mdb_del", transaction);
    return error ? error : real(transaction, database, key, value);
}

int mdb_cursor_put(struct MDB_cursor *cursor, void *key, void *value, unsigned flags) {
    REAL(int, mdb_cursor_put, struct MDB_cursor *, void *, void *, unsigned);
    int error = atomic_load(&fault_count) == 0
                    ? 0
                    : consider_transaction("mdb_cursor_put", mdb_cursor_txn(cursor));
    return error ? error : real(cursor, key, value, flags);
}

int mdb_cursor_del(struct MDB_cursor *cursor, unsigned flags) {
    REAL(int, mdb_cursor_del, struct MDB_cursor *, unsigned);
    int error = atomic_load(&fault_count) == 0
                    ? 0
                    : consider_transaction("mdb_cursor_del", mdb_cursor_txn(cursor));
    return error ? error : real(cursor, flags);
}

int mdb_drop(struct MDB_txn *transaction, unsigned database, int deletes) {
    REAL(int, mdb_drop, struct MDB_txn *, unsigned, int);
    int error = consider_transaction("mdb_drop", transaction);
    return error ? error : real(transaction, database, deletes);
}

int mdb_dbi_open(
    struct MDB_txn *transaction, const char *name, unsigned flags, unsigned *database) {
    REAL(int, mdb_dbi_open, struct MDB_txn *, const char *, unsigned, unsigned *);
    int error = consider_transaction("mdb_dbi_open", transaction);
    return error ? error : real(transaction, name, flags, database);
}

int mdb_txn_renew(struct MDB_txn *transaction) {
    REAL(int, mdb_txn_renew, struct MDB_txn *);
    int error = consider_transaction("mdb_txn_renew", transaction);
    return error ? error : real(transaction);
}

int mdb_txn_commit(struct MDB_txn *transaction) {
    REAL(int, mdb_txn_commit, struct MDB_txn *);
    int error = consider_transaction("mdb_txn_commit", transaction);
    if (!error) return real(transaction);
    // A commit that fails ends its transaction as well.
    extern void mdb_txn_abort(struct MDB_txn *);
    mdb_txn_abort(transaction);
    return error;
}
