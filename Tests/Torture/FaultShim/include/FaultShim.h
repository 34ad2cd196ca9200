#ifndef FREEHOLD_FAULT_SHIM_H
#define FREEHOLD_FAULT_SHIM_H

#include <stdint.h>

/* The calls that can be made to fail. */
enum freehold_fault_kind {
    freehold_fault_data_write,
    freehold_fault_meta_write,
    freehold_fault_control_write,
    freehold_fault_other_write,
    freehold_fault_sync,
    freehold_fault_allocate,
    freehold_fault_map,
    freehold_fault_open,
    freehold_fault_rename,
    freehold_fault_unlink,
    freehold_fault_lock,
    freehold_fault_read,
    /* malloc, calloc, realloc and strdup as liblmdb calls them. */
    freehold_fault_allocation,
    freehold_fault_kind_count
};

/* Instead of an errno. */
enum {
    /* A part is written. */
    freehold_fault_short = -1,
    /* All is done, and EIO is reported. */
    freehold_fault_done = -2,
    /* The process is killed in place of the call. */
    freehold_fault_death = -3,
    /* As the death, and writes that were not synced are lost with the power: each one or not. */
    freehold_fault_power = -4
};

/* Counts the calls for the files of a directory from now on; fails none. */
void freehold_fault_count(const char *directory);

/* How many calls there were. */
int64_t freehold_fault_calls(int kind);

/* As freehold_fault_count, and makes the call with this number (from 1) fail; if `sticky`, all
 * after it, too. */
void freehold_fault_arm(const char *directory, int kind, int64_t number, int error, int sticky);

/* Ends it. Returns how many calls failed. */
int64_t freehold_fault_disarm(void);

/* While paused, no call fails. */
void freehold_fault_pause(int paused);

/* From now on what the files of a directory had before each write is kept until they are synced,
   for freehold_fault_power. Not modelled: names, sizes that shrink, and what is written through
   mappings. */
void freehold_fault_keep(const char *directory);

/* Moves the wall clock, as this process sees it, by so many seconds from the real one. */
void freehold_move_clock(int64_t seconds);

/* The first call that failed. */
const char *freehold_fault_description(void);

#endif
