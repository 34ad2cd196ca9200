#include "FreeholdTestStart.h"

// In FreeholdTestSupport.
extern void freehold_begin_encrypted_suite(void);

// Before anything opens a file: exit tests run their bodies in processes that no other code of the suite comes by in.
__attribute__((constructor)) static void start(void) { freehold_begin_encrypted_suite(); }
