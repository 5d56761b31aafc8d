/* SPDX-License-Identifier: Apache-2.0 */
/* The capability matrix. */
#include "source/matrix.h"

/* Zero is no. */
enum cell {
	NO,
	YES,
	IF_DRAFTS,
	IF_SENT,
	IF_URL,
};

/* In the order of enum role_op: list, read, drafts, sent, draft, url, search.
 */
static const struct row {
	const char *backend;
	const char *id_kind;
	enum cell can[ROLE_OPS];
} rows[] = {
	{ "agentbox", "agentbox-thread-id",
	    { YES, YES, NO, YES, NO, IF_URL, YES } },
	{ "gmail", "gmail-thread-id", { YES, YES, YES, YES, YES, YES, YES } },
	{ "imap", "rfc5322-message-id",
	    { YES, YES, IF_DRAFTS, IF_SENT, IF_DRAFTS, YES, YES } },
	{ "jmap", "jmap-thread-id",
	    { YES, YES, IF_DRAFTS, IF_SENT, IF_DRAFTS, IF_URL, YES } },
	{ "maildir", "rfc5322-message-id",
	    { YES, YES, IF_DRAFTS, IF_SENT, IF_DRAFTS, IF_URL, YES } },
	{ "mbox", "rfc5322-message-id",
	    { YES, YES, NO, IF_SENT, NO, IF_URL, YES } },
	{ "ponymail", "ponymail-mid", { YES, YES, NO, NO, NO, YES, YES } },
};

static const struct row *
matrix_find(struct str backend)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (str_eq(backend, str_of(rows[i].backend)))
			return &rows[i];
	return NULL;
}

const char *
matrix_why(struct str backend, enum role_op op, const struct matrix_facts *f)
{
	const struct row *r = matrix_find(backend);

	switch (r == NULL ? NO : r->can[op]) {
	case YES:
		return NULL;
	case IF_DRAFTS:
		return f->drafts ? NULL
				 : "there is no writable folder for drafts";
	case IF_SENT:
		return f->sent ? NULL : "the folder for sent mail is not known";
	case IF_URL:
		return f->url ? NULL
			      : "there is no template for addresses of threads";
	case NO:
	default:
		break;
	}
	return "this kind of source cannot do that";
}

const char *
matrix_option(struct str backend, enum role_op op)
{
	static const char *const options[] = {
		[IF_DRAFTS] = "--drafts-folder FOLDER",
		[IF_SENT] = "--sent-folder FOLDER",
		[IF_URL] = "--thread-url TEMPLATE",
	};
	const struct row *r = matrix_find(backend);

	return r == NULL ? NULL : options[r->can[op]];
}

unsigned
matrix_supports(struct str backend, const struct matrix_facts *f)
{
	unsigned mask = 0;

	for (enum role_op op = 0; op < ROLE_OPS; op++)
		if (matrix_why(backend, op, f) == NULL)
			mask |= 1U << op;
	return mask;
}

const char *
matrix_id_kind(struct str backend)
{
	const struct row *r = matrix_find(backend);

	return r == NULL ? NULL : r->id_kind;
}
