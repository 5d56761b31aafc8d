/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_ACROSS_H
#define BACKEND_IMAP_ACROSS_H

/*
 * One query of many folders (query.next), in a few flights: EXAMINE and UID
 * SEARCH of each, then EXAMINE and FETCH of each.  The rows of one flight are
 * in memory at a time.
 */
#include "backend/imap/internal.h"

/*
 * The answer of q->folder, which is asked together with q->next where that
 * saves flights.  0: it is left to imap_find(), because the query does not fit,
 * or the folder refuses or its answer is not clear; 1; -1.  The number of
 * flights depends on the number of folders, and with q->even on nothing else.
 */
int imap_across_find(struct imap_session *s, struct arena *a,
    const struct query *q, size_t limit, struct folder_state *st,
    struct rows *out, struct err *e);
#endif
