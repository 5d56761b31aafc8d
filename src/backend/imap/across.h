#ifndef BACKEND_IMAP_ACROSS_H
#define BACKEND_IMAP_ACROSS_H

/*
 * One query of many folders (query.next), in a few flights: EXAMINE and UID
 * SEARCH of each, then EXAMINE and UID FETCH of each.  What came is kept until
 * it is asked for, folder by folder.
 */
#include "backend/imap/internal.h"

/*
 * Asks it of q->folder and q->next, where that saves flights.  A folder that
 * refuses, or whose answer is not clear, is left to imap_find().  The number of
 * flights depends on the number of folders, and with q->even on nothing else.
 */
int imap_across_ask(struct imap_session *s, const struct query *q, size_t limit,
    struct err *e);
/* Was the folder's answer kept?  It is given once. */
bool imap_across_take(struct imap_session *s, struct arena *a,
    const struct query *q, size_t limit, struct folder_state *st,
    struct rows *out);

#endif
