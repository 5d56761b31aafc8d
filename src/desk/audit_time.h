/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_AUDIT_TIME_H
#define DESK_AUDIT_TIME_H

#include "gate/gate.h"

/*
 * A day or time in the format of rows, or with `end` the first second after it;
 * empty if the option is not given.  ERR_USAGE.
 */
int audit_time(const struct call *c, const char *name, bool end,
    struct str *out, struct err *e);

#endif
