#define _GNU_SOURCE
#include "CMeasurement.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint sync_delay;

void measurement_delay_syncs(unsigned microseconds) {
    atomic_store(&sync_delay, microseconds);
}

/* The program's own definition goes before libc's, for LMDB, too. */
int fdatasync(int descriptor) {
    unsigned delay = atomic_load(&sync_delay);
    if (delay) usleep(delay);
    return (int)syscall(SYS_fdatasync, descriptor);
}
