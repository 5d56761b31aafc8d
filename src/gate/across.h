/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_ACROSS_H
#define GATE_ACROSS_H

/*
 * A search of several folders: all of an account, or of all accounts, or one of
 * each account (gate/span.h).  Each folder answers as mailbox_find() does: rows
 * of all of them are merged, newest first by the time they arrived, and within
 * one folder in its own order.
 *
 * The cursor names, of each folder that was shown from, the last uid shown.  It
 * is bound to the caller and to the query.  New mail has higher uids, so no
 * message comes twice and none is skipped.
 */
#include "gate/mailbox.h"

struct call;

struct across_query {
	struct mailbox_query find; /* without a folder: all; limit: of all */
	bool trash;                /* Trash and Junk too */
	struct str cursor;         /* empty: from the newest */
};

struct across_hit {
	struct str account;
	struct mail mail; /* with its folder */
};

struct across_page {
	struct across_hit *v;
	size_t n;
	struct str next; /* a cursor; empty: no more */
};

/* ERR_USAGE for a cursor of another query; ERR_LIMIT. */
int across_search(struct call *c, const struct across_query *q,
    struct across_page *out, struct err *e);

#endif
