#ifndef FREEHOLD_RECORDING_SHIM_H
#define FREEHOLD_RECORDING_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* One event of the log; `length` bytes follow: what was written, or names, the
   second one behind a zero byte. */
struct freehold_recorded_event {
    uint32_t kind;
    /* Of a write: 1 if it was on the medium when the call returned. */
    uint32_t flags;
    uint64_t inode;
    uint64_t offset;
    uint64_t length;
};

enum freehold_recorded_kind {
    freehold_recorded_write = 1,
    freehold_recorded_sync = 2,
    /* The file has `offset` bytes now. */
    freehold_recorded_size = 3,
    freehold_recorded_create = 4,
    freehold_recorded_rename = 5,
    freehold_recorded_unlink = 6,
    freehold_recorded_link = 7,
    freehold_recorded_directory_sync = 8,
    freehold_recorded_note = 9,
    /* What the replay would not know of: a file that is written through a map, say. */
    freehold_recorded_unsupported = 10,
    /* Two names have exchanged their files. */
    freehold_recorded_exchange = 11
};

/* Records what is done to the files of a directory, from now on, in a log. */
void freehold_record_begin(const char *directory, const char *log);

/* Puts a note of the program between the calls. */
void freehold_record_note(const char *bytes, size_t length);

#endif
