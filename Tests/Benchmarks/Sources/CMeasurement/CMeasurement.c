#define _GNU_SOURCE
#include "CMeasurement.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint sync_delay;

void measurement_delay_syncs(unsigned microseconds) { atomic_store(&sync_delay, microseconds); }

/* The program's own definition goes before libc's, for LMDB, too. */
int fdatasync(int descriptor) {
    unsigned delay = atomic_load(&sync_delay);
    if (delay) usleep(delay);
    return (int)syscall(SYS_fdatasync, descriptor);
}

static atomic_bool reads_single_pages;

void measurement_read_single_pages(bool is_on) { atomic_store(&reads_single_pages, is_on); }

/* As with fdatasync. */
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    void *map =
        (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
    if (map != MAP_FAILED && descriptor >= 0 && atomic_load(&reads_single_pages))
        madvise(map, length, MADV_RANDOM);
    return map;
}

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor,
             off_t offset) {
    return mmap(address, length, protection, flags, descriptor, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    if (atomic_load(&reads_single_pages)) posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM);
    return syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off_t offset) {
    return pread(descriptor, bytes, count, offset);
}

long measurement_drop_pages(const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int error = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    close(descriptor);
    errno = error;
    return error ? -1 : 0;
}

long measurement_pages_in_memory(const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    struct stat status;
    long count = -1;
    if (fstat(descriptor, &status) == 0) {
        size_t size = (size_t)status.st_size, page = (size_t)sysconf(_SC_PAGESIZE);
        size_t pages = (size + page - 1) / page;
        unsigned char *flags = malloc(pages + 1);
        void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
        if (flags && map != MAP_FAILED && mincore(map, size, flags) == 0) {
            count = 0;
            for (size_t index = 0; index < pages; index++) count += flags[index] & 1;
        }
        if (map != MAP_FAILED) munmap(map, size);
        free(flags);
    }
    close(descriptor);
    return count;
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

/* Two threads that take turns: an even number is the caller's, an odd one its partner's. */
struct turns {
    pthread_mutex_t mutex;
    pthread_cond_t changed[2];
    int number;
    int end;
};

static void wait_for_turn(struct turns *turns, int parity) {
    pthread_mutex_lock(&turns->mutex);
    while (turns->number % 2 != parity)
        pthread_cond_wait(&turns->changed[parity], &turns->mutex);
    pthread_mutex_unlock(&turns->mutex);
}

static void pass_turn(struct turns *turns) {
    pthread_mutex_lock(&turns->mutex);
    int next = ++turns->number % 2;
    pthread_mutex_unlock(&turns->mutex);
    /* After the unlock, or the other would wake only to wait for the mutex. */
    pthread_cond_signal(&turns->changed[next]);
}

static void *answer(void *context) {
    struct turns *turns = context;
    for (int turn = 1; turn < turns->end; turn += 2) {
        wait_for_turn(turns, 1);
        pass_turn(turns);
    }
    return NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

bool measurement_round_trips(double *nanoseconds, int count) {
    struct turns turns = {
        PTHREAD_MUTEX_INITIALIZER, {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER}, 0,
        2 * count,
    };
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer, &turns) != 0) return false;
    for (int trip = 0; trip < count; trip++) {
        usleep(1000); /* Until the other thread sleeps: to wake it is what is measured. */
        double start = now();
        pass_turn(&turns);
        wait_for_turn(&turns, 0);
        nanoseconds[trip] = now() - start;
    }
    pthread_join(thread, NULL);
    return true;
}

uint64_t measurement_load_pairs(const uint64_t *memory, const uint64_t *starts, size_t count) {
    uint64_t sum = 0, last = 0;
    for (size_t index = 0; index < count; index++) {
        /* A pair begins when the one before has ended: no element has its highest bit set. */
        last = memory[memory[starts[index] + (last >> 63)]];
        sum += last;
    }
    return sum;
}
