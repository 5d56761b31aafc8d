/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_ZONEINFO_H
#define BASE_ZONEINFO_H

/*
 * Files of the system's time zone database.  Reading them changes nothing in
 * the process: no TZ, no tzset(3).
 */
#include <stdbool.h>

#include "base/str.h"

/*
 * The bytes of a zone's file (RFC 8536).  False if there is none with that
 * name, or the name is not valid: words of letters, digits, "_", "+" and "-",
 * each beginning with a capital, separated by "/".  The name may come from a
 * stranger, so no name leads out of the database, nor to "localtime".
 */
bool zoneinfo_read(struct arena *a, struct str name, struct str *out);
/* The zone that the system is set to. */
bool zoneinfo_system(struct arena *a, struct str *out);

#endif
