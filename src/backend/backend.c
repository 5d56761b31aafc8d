/* SPDX-License-Identifier: Apache-2.0 */
/* Functions over the table of backends, and checks of each of them. */
#include "backend/internal.h"

const struct backend *
backend_find(struct str name)
{
	const struct backend *be;

	for (size_t i = 0; (be = backend_table[i]) != NULL; i++)
		if (str_eq(str_of(be->name), name))
			return be;
	return NULL;
}

const struct backend *
backend_at(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (backend_table[k] == NULL)
			return NULL;
	return backend_table[i];
}

/* The backend that only submits. */
static const struct backend *
backend_find_sender(void)
{
	const struct backend *be;

	for (size_t i = 0; (be = backend_table[i]) != NULL; i++)
		if (be->caps == CAP_SUBMIT)
			return be;
	return NULL;
}

const struct backend *
backend_submitter(const struct backend *be, const struct backend_account *acct)
{
	if ((be->caps & CAP_SUBMIT) != 0)
		return be;
	return acct->smtp_host.n > 0 ? backend_find_sender() : NULL;
}

bool
backend_check(const struct backend *be)
{
	bool reads = (be->caps & CAP_READ) != 0;
	bool uids = (be->caps & CAP_UIDS) != 0;
	bool submits = (be->caps & CAP_SUBMIT) != 0;
	bool appends = (be->caps & CAP_APPEND) != 0;
	bool drafts = (be->caps & CAP_DRAFT) != 0;
	bool lists = (be->caps & CAP_LISTING) != 0;
	bool changes = (be->caps & CAP_CHANGES) != 0;
	bool threads = (be->caps & CAP_THREADS) != 0;
	bool marks = (be->caps & CAP_MARK) != 0;
	bool moves = (be->caps & CAP_MOVE) != 0;
	bool watches = (be->caps & CAP_WATCH) != 0;
	bool labels = (be->caps & CAP_LABEL) != 0;
	bool places = (be->caps & CAP_PLACES) != 0;

	if (be->name == NULL || be->name[0] == '\0')
		return false;
	if (be->open == NULL || be->close == NULL || be->probe == NULL)
		return false;
	if (uids && !reads)
		return false;
	if (reads != (be->folders != NULL) || reads != (be->find != NULL) ||
	    reads != (be->headers != NULL) || reads != (be->body != NULL))
		return false;
	if ((reads && !uids) != (be->scan != NULL))
		return false;
	if (lists != (be->listing != NULL) || (lists && be->scan == NULL))
		return false;
	if (changes != (be->changes != NULL) || (changes && be->scan == NULL))
		return false;
	/* CAP_APPEND needs CAP_READ: append takes a folder name. */
	if (appends != (be->append != NULL) || (appends && !reads))
		return false;
	if (drafts != (be->draft != NULL) || drafts != (be->drafts != NULL) ||
	    (drafts && !reads))
		return false;
	if ((threads && !reads) || (reads && !threads) != (be->links != NULL))
		return false;
	if (marks != (be->mark != NULL) || marks != (be->flags != 0) ||
	    moves != (be->move != NULL) || ((marks || moves) && !reads))
		return false;
	if (labels && !marks)
		return false;
	if (places != (be->move_back != NULL) || (places && (!moves || uids)))
		return false;
	if (watches != (be->watch != NULL) || (watches && !reads))
		return false;
	return submits == (be->submit != NULL);
}
