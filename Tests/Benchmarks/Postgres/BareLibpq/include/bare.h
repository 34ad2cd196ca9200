#ifndef FREEHOLD_BARE_LIBPQ_H
#define FREEHOLD_BARE_LIBPQ_H

#include <stddef.h>

/* What a program without Freehold does: adds commits to the log of a realm, some in each
 * transaction, one blocking call for each. Adds for so many seconds, and returns how many commits
 * it added; negative after an error, which it prints. */
long bare_push(
    const char *url, const char *schema, const char *realm, int batch, size_t payload_size,
    double seconds);

#endif
