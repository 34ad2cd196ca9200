#ifndef FREEHOLD_CPOSTGRES_SHIM_H
#define FREEHOLD_CPOSTGRES_SHIM_H

/* PostgreSQL's C library. Only Sources/FreeholdPostgres imports this module. */

#include <libpq-fe.h>

#endif
