/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of backends.  A program that links its own table has only those
 * backends: tests/fake.
 */
#include "backend/internal.h"

const struct backend *const backend_table[] = {
	&agentbox_backend,
	&gmail_backend,
	&imap_backend,
	&jmap_backend,
	&maildir_backend,
	&mbox_backend,
	&ponymail_backend,
	&smtp_backend,
	NULL,
};
