#ifndef FREEHOLD_TORTURE_CALLS_H
#define FREEHOLD_TORTURE_CALLS_H

#include <stdint.h>

/* What Swift cannot call by itself. */

/* Takes a mounted file system down as a loss of power would: nothing that is not on
   the medium gets there any more. Flags 0: after the journal was written;
   2: without. Returns 0 or an errno. */
int torture_shut_down_file_system(const char *path, uint32_t flags);

/* Gives the programs that this process starts from now on the same addresses each
   time. Returns whether the system does so. */
int torture_fix_addresses(void);

/* Swift's pool of threads does nothing from now on: its jobs wait in their order
   until torture_run_pool_job runs them. Returns whether the runtime lets us. */
int32_t torture_step_pool(void);
int32_t torture_pool_jobs(void);
/* Returns 0 if there is none. */
int32_t torture_run_pool_job(void);

/* open, pwrite, ftruncate, fsync, fdatasync, rename, renameat2 and unlink, each once, of a file in
   the directory. Returns 0 or an errno. */
int torture_make_calls(const char *directory);

/* Of a preloaded RecordingShim. Returns whether there is one. */
int torture_begin_recording(const char *directory, const char *log);
void torture_note(const char *bytes, int64_t length);

/* Of a preloaded FaultShim; see there. torture_has_faults says whether there is one. */
int torture_has_faults(void);
void torture_count_calls(const char *directory);
int64_t torture_calls(int32_t kind);
void torture_arm_fault(
    const char *directory, int32_t kind, int64_t number, int32_t error, int32_t sticky);
int64_t torture_disarm_fault(void);
void torture_pause_fault(int32_t paused);
const char *torture_fault_description(void);
void torture_keep_unsynced(const char *directory);
void torture_move_clock(int64_t seconds);

#endif
