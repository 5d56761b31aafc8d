/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_SEARCH_H
#define BACKEND_IMAP_SEARCH_H

/* UID SEARCH. */
#include "backend/imap/internal.h"

/* search.c: UID SEARCH. */

/* Can the query be sent in ASCII? */
bool imap_search_is_ascii(const struct query *q);
/* Does it have any criterion besides the folder? */
bool imap_search_is_open(const struct query *q);
/* The same for all pages of one query. */
uint64_t imap_search_sum(const struct query *q);
/* How many senders from that index on fit into one command. */
size_t imap_search_some(const struct strs *senders, size_t from);
/*
 * Sends the query, whose senders fit.  With ascii_only it omits what is not
 * ASCII.  ERR_USAGE: a NUL.
 */
int imap_search_send(struct imap_session *s, struct imap_cmd *c,
    const struct query *q, bool ascii_only, struct err *e);
/* As imap_session.data with a struct imap_set for ctx. */
int imap_search_data(struct imap_session *s, const struct imap_resp *r,
    void *ctx, struct err *e);
/* Does a row match what imap_search_send() omitted? */
bool imap_search_matches(const struct query *q, const struct row *row);

#endif
