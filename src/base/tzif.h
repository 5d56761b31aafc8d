/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_TZIF_H
#define BASE_TZIF_H

/*
 * A file of the system's time zone database (RFC 8536): wall-clock time of a
 * zone from UTC, and back.  Pure: base/zoneinfo.h reads the files.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Views of the file's bytes. */
struct tzif {
	struct str times, index, types; /* of the 64-bit block */
	size_t n;                       /* transitions */
	struct str footer;              /* a TZ string for later times */
};

/* False: the bytes are not such a file. */
bool tzif_read(struct str bytes, struct tzif *out);
/* Seconds east of UTC at that time; false if the file does not say. */
bool tzif_offset(const struct tzif *z, int64_t utc_s, int *out);
/* The same by a TZ string of POSIX, such as "CET-1CEST,M3.5.0,M10.5.0/3". */
bool tzif_footer(struct str footer, int64_t utc_s, int *out);
/* UTC of a wall-clock time; false if the file does not say. */
bool tzif_utc(const struct tzif *z, int64_t local_s, int64_t *utc_s);

#endif
