/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_NOTICE_ROW_H
#define STORE_NOTICE_ROW_H

/* The setting notify and its rows, for the room's own files. */
#include "store/internal.h"

/*
 * What a notice says that was taken, until it is given.  Its process may have
 * ended with a sandbox or a container: another tries as soon as that one has
 * ended for certain (LIMIT_NOTICES_S), and not in an hour.
 */
#define STORE_NOTICE_TAKEN "it was not finished"
/* SQL: seconds from one notice of a kind to the next. */
#define STORE_NOTICE_WAIT(hour)                                                \
	"CASE WHEN t.failed = '" STORE_NOTICE_TAKEN "' THEN 300 ELSE " hour    \
	" END"

/*
 * notice_way.c: within the transaction that sets it.  What waits already is
 * told by the next notice; without a way, nothing waits.
 */
int notice_way_set(struct store *s, struct str value, struct err *e);
/* Marks it again with another data key, if it was marked with this one. */
int notice_way_remark(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e);

#endif
