#define _GNU_SOURCE
#include "TortureCalls.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

int torture_shut_down_file_system(const char *path, uint32_t flags) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    /* FS_IOC_SHUTDOWN */
    int result = ioctl(descriptor, _IOR('X', 125, uint32_t), &flags) == 0 ? 0 : errno;
    close(descriptor);
    return result;
}

int torture_fix_addresses(void) { return personality(ADDR_NO_RANDOMIZE) >= 0; }

/* The shims are preloaded, not linked: the other subcommands run without them. */
#define SHIM(result, name, ...) \
    result (*call)(__VA_ARGS__) = (result (*)(__VA_ARGS__))dlsym(RTLD_DEFAULT, name)

int torture_begin_recording(const char *directory, const char *log) {
    SHIM(void, "freehold_record_begin", const char *, const char *);
    if (!call) return 0;
    call(directory, log);
    return 1;
}

void torture_note(const char *bytes, int64_t length) {
    SHIM(void, "freehold_record_note", const char *, size_t);
    if (call) call(bytes, (size_t)length);
}

int torture_has_faults(void) { return dlsym(RTLD_DEFAULT, "freehold_fault_arm") != NULL; }

void torture_count_calls(const char *directory) {
    SHIM(void, "freehold_fault_count", const char *);
    call(directory);
}

int64_t torture_calls(int32_t kind) {
    SHIM(int64_t, "freehold_fault_calls", int);
    return call(kind);
}

void torture_arm_fault(
    const char *directory, int32_t kind, int64_t number, int32_t error, int32_t sticky) {
    SHIM(void, "freehold_fault_arm", const char *, int, int64_t, int, int);
    call(directory, kind, number, error, sticky);
}

int64_t torture_disarm_fault(void) {
    SHIM(int64_t, "freehold_fault_disarm", void);
    return call();
}

const char *torture_fault_description(void) {
    SHIM(const char *, "freehold_fault_description", void);
    return call();
}

void torture_pause_fault(int32_t paused) {
    SHIM(void, "freehold_fault_pause", int);
    call(paused);
}

void torture_keep_unsynced(const char *directory) {
    SHIM(void, "freehold_fault_keep", const char *);
    if (call) call(directory);
}

void torture_move_clock(int64_t seconds) {
    SHIM(void, "freehold_move_clock", int64_t);
    if (call) call(seconds);
}

int torture_make_calls(const char *directory) {
    char path[PATH_MAX], other[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/file", directory) >= (int)sizeof path) return ENAMETOOLONG;
    if (snprintf(other, sizeof other, "%s/other", directory) >= (int)sizeof other)
        return ENAMETOOLONG;
    int descriptor = open(path, O_RDWR | O_CREAT, 0600);
    if (descriptor < 0) return errno;
    int succeeds = pwrite(descriptor, "x", 1, 0) == 1 && ftruncate(descriptor, 0) == 0
                   && fsync(descriptor) == 0 && fdatasync(descriptor) == 0
                   && rename(path, other) == 0 && renameat2(AT_FDCWD, other, AT_FDCWD, path, 0) == 0
                   && unlink(path) == 0;
    int error = succeeds ? 0 : errno;
    close(descriptor);
    return error;
}
