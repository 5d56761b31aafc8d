/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_LOCAL_H
#define BASE_LOCAL_H

/*
 * Times for a person, in the person's zone.  Reading the zone changes nothing
 * in the process: no tzset(3).
 */
#include "base/tzif.h"

struct local {
	struct tzif zone;
	struct str rule; /* a TZ string of POSIX, instead of a zone */
};

/*
 * The zone that `tz` names, as the variable TZ does: "Europe/Berlin",
 * ":Europe/Berlin" or "CET-1CEST,M3.5.0,M10.5.0/3".  NULL: the system's.  A
 * name that is not known is UTC, as for the C library.
 */
struct local local_open(struct arena *a, const char *tz);
/* "2026-06-21 12:00", and with `offset` "2026-06-21 12:00 +0200". */
struct str local_text(const struct local *l, struct arena *a, int64_t unix_s,
    bool offset);

#endif
