/* SPDX-License-Identifier: Apache-2.0 */
/* Why a database failed, in emcli's words: the same of each kind. */
#include "store/driver.h"

#include "store/internal.h"

/* None contains a path. */
static const struct {
	enum err_kind kind;
	const char *say, *next, *next_of_server;
} reasons[DRIVER_REASONS] = {
	[DRIVER_FAILED] = { .kind = ERR_DB, .say = "the store failed" },
	[DRIVER_BUSY] = { .kind = ERR_DB, .say = "the store is busy" },
	[DRIVER_FULL] = { .kind = ERR_DB,
	    .say = "the store cannot be written: the disk is full" },
	[DRIVER_READONLY] = { .kind = ERR_DB,
	    .say = "the store cannot be written: this user may not write to "
		   "its file or folder" },
	[DRIVER_DAMAGED] = { .kind = ERR_DB,
	    .say = "the store's file is damaged or not a store" },
	/*
	 * All references are to an account, which may have been removed a
	 * moment ago.
	 */
	[DRIVER_NO_ACCOUNT] = { .kind = ERR_NOT_FOUND,
	    .say = "there is no such account" },
	[DRIVER_TAKEN] = { .kind = ERR_DB, .say = "the store failed" },
	/* emcli never comes so far: somebody else wrote that number. */
	[DRIVER_LAST] = { .kind = ERR_DB,
	    .say = "the store cannot be written: one of its tables was given "
		   "the last number that there is, without emcli",
	    .next = "move the database aside with its -wal and -shm, and "
		    "restore a copy: see emcli(1), Copies of a store",
	    .next_of_server = "restore the database from a backup" },
};

const char *
driver_says(enum driver_reason why)
{
	return reasons[why].say;
}

int
driver_fail(struct store *s, enum driver_reason why, struct err *e)
{
	const char *next = s->driver == NULL || s->driver->is_file
	    ? reasons[why].next
	    : reasons[why].next_of_server;

	s->failed = why;
	(void)err_set(e, reasons[why].kind, "%s", reasons[why].say);
	return next == NULL ? -1 : err_hint(e, next);
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
