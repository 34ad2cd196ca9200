#define _GNU_SOURCE
#include "CMeasurement.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint sync_delay;

void measurement_delay_syncs(unsigned microseconds) { atomic_store(&sync_delay, microseconds); }

/* The program's own definition goes before libc's, for LMDB, too. */
int fdatasync(int descriptor) {
    unsigned delay = atomic_load(&sync_delay);
    if (delay) usleep(delay);
    return (int)syscall(SYS_fdatasync, descriptor);
}

struct measurement_flag {
    atomic_bool value;
};

struct measurement_flag *measurement_flag_create(void) {
    struct measurement_flag *flag = malloc(sizeof *flag);
    atomic_init(&flag->value, false);
    return flag;
}

void measurement_flag_destroy(struct measurement_flag *flag) { free(flag); }

void measurement_flag_set(struct measurement_flag *flag) { atomic_store(&flag->value, true); }

bool measurement_flag_is_set(struct measurement_flag *flag) {
    return atomic_load_explicit(&flag->value, memory_order_relaxed);
}
