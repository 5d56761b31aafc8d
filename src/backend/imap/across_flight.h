/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_ACROSS_FLIGHT_H
#define BACKEND_IMAP_ACROSS_FLIGHT_H

/* The flights of across.h; private to it. */
#include "backend/imap/across.h"
#include "backend/imap/fetch.h"

/* Bytes that are sent before an answer is read: with more, both ends could wait
 * for each other. */
#define IMAP_ACROSS_BYTES 65536

/* A folder and its answer. */
struct folder_answer {
	struct str folder;
	uint32_t top; /* uid_max */
	bool good, taken;
	bool open; /* all of it is wanted: the newest have the last numbers */
	struct folder_state st;
	struct imap_set set;
	struct imap_fetch fetch; /* n is 0: not sent */
	struct imap_cmd examine, then;
};

struct imap_across {
	struct arena *a;
	uint64_t question; /* imap_search_sum() */
	size_t limit;
	struct folder_answer *v;
	size_t n;
};

/* Of one folder, at most. */
size_t imap_across_flight_search_bytes(const struct query *q);
/* Asks all folders which messages they have. */
int imap_across_flight_search(struct imap_session *s, struct imap_across *x,
    const struct query *q, struct err *e);
/* Are its rows still to be fetched? */
bool imap_across_flight_needs_rows(const struct folder_answer *f, bool even);
/* Fetches them for one flight, from x->v[from] on, in place of those before. */
int imap_across_flight_fetch(struct imap_session *s, struct imap_across *x,
    size_t from, bool even, struct err *e);

#endif
