#ifndef BASE_ZONEINFO_H
#define BASE_ZONEINFO_H

/*
 * Files of the system's time zone database.  Nothing of the process changes:
 * no TZ, no tzset(3).
 */
#include <stdbool.h>

#include "base/str.h"

/*
 * The bytes of a zone's file (RFC 8536).  False when there is none of that
 * name, or the name is not one: words of letters, digits, "_", "+" and "-",
 * each beginning with a capital, "/" between them.  A stranger may have written
 * it, so no name leads out of the database, nor to "localtime".
 */
bool zoneinfo_read(struct arena *a, struct str name, struct str *out);

#endif
