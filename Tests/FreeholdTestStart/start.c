#define _GNU_SOURCE
#include "FreeholdTestStart.h"

#include <dlfcn.h>
#include <unistd.h>

// In FreeholdTestSupport.
extern void freehold_begin_encrypted_suite(void);

// Before anything opens a file: exit tests run their bodies in processes that no other code of the suite comes by in.
__attribute__((constructor)) static void start(void) { freehold_begin_encrypted_suite(); }

static _Atomic long test_page_size = 0;

void freehold_set_test_page_size(long size) { test_page_size = size; }

// The program's own comes before the C library's. LMDB makes new files with pages of the size that it is told here.
long sysconf(int name) {
    static long (*real)(int) = 0;
    if (name == _SC_PAGESIZE && test_page_size != 0) return test_page_size;
    if (real == 0) real = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return real(name);
}
