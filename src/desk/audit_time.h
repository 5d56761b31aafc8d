#ifndef DESK_AUDIT_TIME_H
#define DESK_AUDIT_TIME_H

#include "gate/gate.h"

/*
 * A day or time as rows have it, or with `end` the first second past it; empty
 * when the option is not there.  ERR_USAGE.
 */
int audit_time(const struct call *c, const char *name, bool end,
    struct str *out, struct err *e);

#endif
