// What test programs do before their main function, and instead of the C library.

#include <stddef.h>

/// Sets what sysconf says of the size of a page in this process, to LMDB among others; 0 for the
/// truth.
void freehold_set_test_page_size(long size);

/// Moves the wall clock, as this process reads it, by so many seconds from the kernel's.
void freehold_move_wall_clock(long seconds);

/// Has a call fail with an error, for files in a directory, each time after the first few. Returns
/// the number that ends it. The calls are those of calls.c: the kernel's, and LMDB's, which fail
/// with LMDB's codes, too.
int freehold_fail_call(const char *directory, const char *call, int error, int skipped);

/// Runs a function before the first such call, on its thread.
int freehold_hook_call(
    const char *directory, const char *call, void (*hook)(void *), void *context);

/// Has the calls of calls.c for files in a directory written down, a line each: the call, and the
/// file's name.
int freehold_account_for_calls(const char *directory, char *account, size_t capacity);

/// Returns how many calls have failed.
int freehold_end_calls(int number);
