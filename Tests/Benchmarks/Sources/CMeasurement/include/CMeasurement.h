#ifndef BENCHMARKS_CMEASUREMENT_H
#define BENCHMARKS_CMEASUREMENT_H

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tells the compiler that any memory may have changed. Costs no instruction.
   A loop that reads one property again and again has this between two reads;
   without it the read may be moved out of the loop, and nothing is measured. */
static inline void measurement_memory_barrier(void) { __asm__ volatile("" ::: "memory"); }

/* Gives memory that was freed and that the allocator keeps back to the kernel. */
static inline void measurement_return_free_memory(void) { malloc_trim(0); }

/* Makes every fdatasync of the process take longer: a slow disk. 0 ends it. */
void measurement_delay_syncs(unsigned microseconds);

/* Makes `pread`, and maps of files that begin from now on, read no pages ahead, or ends that. */
void measurement_read_single_pages(bool is_on);

/* Removes a file's pages from memory, as far as none is dirty or mapped. -1 with errno. */
long measurement_drop_pages(const char *path);

/* The number of a file's pages in memory; -1 with errno. */
long measurement_pages_in_memory(const char *path);

/* Set by one thread, seen by others. */
struct measurement_flag;
struct measurement_flag *measurement_flag_create(void);
void measurement_flag_destroy(struct measurement_flag *flag);
void measurement_flag_set(struct measurement_flag *flag);
bool measurement_flag_is_set(struct measurement_flag *flag);

/* Nanoseconds from waking a thread that sleeps to having been woken by it in return, once for
   each element. Between two of them the caller sleeps for a millisecond. Returns false if the
   system can start no thread. */
bool measurement_round_trips(double *nanoseconds, int count);

/* The sum of memory[memory[start]] over all starts, one after the other. The elements are below
   2^63. */
uint64_t measurement_load_pairs(const uint64_t *memory, const uint64_t *starts, size_t count);

#endif
