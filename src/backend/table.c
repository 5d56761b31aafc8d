/*
 * The backends there are.  A program that links a table of its own sees those
 * in it, and no other: tests/fake.
 */
#include "backend/internal.h"

const struct backend *const backend_table[] = {
	&gmail_backend,
	&imap_backend,
	&jmap_backend,
	&maildir_backend,
	&mbox_backend,
	&ponymail_backend,
	&smtp_backend,
	NULL,
};
