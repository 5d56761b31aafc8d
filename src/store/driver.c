/* SPDX-License-Identifier: Apache-2.0 */
/* Why a database failed, in emcli's words: the same of each kind. */
#include "store/driver.h"

#include "store/internal.h"

/* None contains a path. */
static const struct {
	enum err_kind kind;
	const char *say, *next;
} reasons[DRIVER_REASONS] = {
	[DRIVER_FAILED] = { ERR_DB, "the store failed", NULL },
	[DRIVER_BUSY] = { ERR_DB, "the store is busy", NULL },
	[DRIVER_FULL] = { ERR_DB,
	    "the store cannot be written: the disk is full", NULL },
	[DRIVER_READONLY] = { ERR_DB,
	    "the store cannot be written: this user may not write to its file "
	    "or folder",
	    NULL },
	[DRIVER_DAMAGED] = { ERR_DB,
	    "the store's file is damaged or not a store", NULL },
	/*
	 * All references are to an account, which may have been removed a
	 * moment ago.
	 */
	[DRIVER_NO_ACCOUNT] = { ERR_NOT_FOUND, "there is no such account",
	    NULL },
	[DRIVER_TAKEN] = { ERR_DB, "the store failed", NULL },
	/* emcli never comes so far: somebody else wrote that number. */
	[DRIVER_LAST] = { ERR_DB,
	    "the store cannot be written: one of its tables was given the last "
	    "number that there is, without emcli",
	    "move the database aside with its -wal and -shm, and restore a "
	    "copy: see emcli(1), Copies of a store" },
};

const char *
driver_says(enum driver_reason why)
{
	return reasons[why].say;
}

int
driver_fail(struct store *s, enum driver_reason why, struct err *e)
{
	s->failed = why;
	(void)err_set(e, reasons[why].kind, "%s", reasons[why].say);
	return reasons[why].next == NULL ? -1 : err_hint(e, reasons[why].next);
}

enum driver_reason
driver_failed(const struct store *s)
{
	return s->failed;
}

void
driver_empty_close(struct store *s)
{
	if (s->driver != NULL)
		s->driver->close(s);
	s->driver = NULL;
}
