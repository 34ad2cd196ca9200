#ifndef BENCHMARKS_CRAWLMDB_SHIM_H
#define BENCHMARKS_CRAWLMDB_SHIM_H

/* LMDB for the peer that uses it directly. Freehold's own module for the same
   library is internal to Freehold, so the peer names it a second time. */

#include <lmdb.h>

#endif
