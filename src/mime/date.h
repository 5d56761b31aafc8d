/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_DATE_H
#define MIME_DATE_H

/* Dates of mail, RFC 5322 sections 3.3 and 4.3, on int64 seconds. */
#include "base/str.h"

/*
 * Parses a Date field, including obsolete zones, two-digit years and comments.
 * *offset_min is the writer's zone.  False if it is malformed.
 */
bool date_parse(struct str raw, int64_t *unix_s, int *offset_min);
/* "Sun, 21 Jun 2026 10:00:00 +0000" */
struct str date_rfc5322(struct arena *a, int64_t unix_s);
/* "2026-06-21T12:00:00+02:00": RFC 3339 in the writer's zone. */
struct str date_rfc3339(struct arena *a, int64_t unix_s, int offset_min);
/* "21-Jun-2026", for IMAP SEARCH (RFC 9051 section 9). */
struct str date_imap(struct arena *a, int64_t unix_s);
/* Parses an IMAP date-time, " 1-Jun-2026 10:00:00 +0200". */
bool date_imap_parse(struct str s, int64_t *unix_s);

#endif
