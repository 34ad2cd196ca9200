#ifndef FREEHOLD_CZSTD_SHIM_H
#define FREEHOLD_CZSTD_SHIM_H

/* Zstandard, which compresses snapshots. Only Sources/FreeholdSharing/Snapshots/Library imports
 * this module. */

#include <zstd.h>

/* What the library uses is stable since then. */
#if ZSTD_VERSION_NUMBER < 10400
#error "Freehold needs Zstandard 1.4 or newer: apt-get install libzstd-dev"
#endif

#endif
