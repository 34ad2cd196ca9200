#ifndef FREEHOLD_CLMDB_SHIM_H
#define FREEHOLD_CLMDB_SHIM_H

/* The whole C boundary of Freehold: LMDB itself and the few Linux calls whose
   macros or variadic prototypes Swift cannot import. FreeholdStorage alone
   imports this module. */

#include <lmdb.h>

#endif
