#ifndef FREEHOLD_CPOSTGRES_SHIM_H
#define FREEHOLD_CPOSTGRES_SHIM_H

/* PostgreSQL's C library, and the system's calls to resolve names and to wait for a socket. Only
 * Sources/FreeholdPostgres/Library imports this module. */

#include <errno.h>
#include <libpq-fe.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Pipelines, which every statement uses, came with libpq 14. */
#ifndef LIBPQ_HAS_PIPELINING
#error "Freehold needs libpq 14 or newer: apt-get install libpq-dev"
#endif

enum {
    FREEHOLD_PQ_READABLE = 1,
    FREEHOLD_PQ_WRITABLE = 2,
    FREEHOLD_PQ_WOKEN = 4,
};

/* A descriptor that other threads make readable; -1 without room for one. */
static inline int freehold_pq_wake_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void freehold_pq_wake_signal(int wake) {
    uint64_t one = 1;
    ssize_t written = write(wake, &one, sizeof one);
    (void)written; /* A full counter is readable, too. */
}

static inline void freehold_pq_wake_clear(int wake) {
    uint64_t count;
    ssize_t taken = read(wake, &count, sizeof count);
    (void)taken;
}

static inline void freehold_pq_wake_close(int wake) { close(wake); }

/* Waits for a socket (none if negative) or a wake-up; a negative timeout is none. Returns what
 * happened as bits of the enumeration, 0 after the timeout or a signal. */
static inline int freehold_pq_wait(
    int socket, int for_reading, int for_writing, int wake, int milliseconds) {
    struct pollfd polled[2] = {
        {.fd = wake, .events = POLLIN},
        {.fd = socket, .events = (for_reading ? POLLIN : 0) | (for_writing ? POLLOUT : 0)},
    };
    if (poll(polled, socket < 0 ? 1 : 2, milliseconds) <= 0) return 0;
    int found = polled[0].revents ? FREEHOLD_PQ_WOKEN : 0;
    if (socket < 0) return found;
    /* Errors are told by the next read. */
    if (polled[1].revents & (POLLIN | POLLERR | POLLHUP | POLLNVAL)) found |= FREEHOLD_PQ_READABLE;
    if (polled[1].revents & POLLOUT) found |= FREEHOLD_PQ_WRITABLE;
    return found;
}

#endif
