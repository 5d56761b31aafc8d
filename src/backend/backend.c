/*
 * The table of backends, and what the backends share: the names of folder
 * roles and the lines of a doctor's report.
 */
#include "backend/internal.h"

#include "base/clock.h"

static const struct backend *const table[] = {
	&gmail_backend,
	&imap_backend,
	&jmap_backend,
	&maildir_backend,
	&mbox_backend,
	&ponymail_backend,
	&smtp_backend,
};

#define BACKENDS (sizeof(table) / sizeof(table[0]))

const struct backend *
backend_find(struct str name)
{
	for (size_t i = 0; i < BACKENDS; i++)
		if (str_eq(str_of(table[i]->name), name))
			return table[i];
	return NULL;
}

const struct backend *
backend_at(size_t i)
{
	return i < BACKENDS ? table[i] : NULL;
}

const struct backend *
backend_submitter(const struct backend *be, const struct backend_account *acct)
{
	if ((be->caps & CAP_SUBMIT) != 0)
		return be;
	return acct->smtp_host.n > 0 ? &smtp_backend : NULL;
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
	bool threads = (be->caps & CAP_THREADS) != 0;

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
	/* Who appends has folders to say into which. */
	if (appends != (be->append != NULL) || (appends && !reads))
		return false;
	if (drafts != (be->draft != NULL) || drafts != (be->drafts != NULL) ||
	    (drafts && !reads))
		return false;
	if ((threads && !reads) || (reads && !threads) != (be->links != NULL))
		return false;
	return submits == (be->submit != NULL);
}

const char *
backend_role_name(enum folder_role role)
{
	switch (role) {
	case FOLDER_PLAIN:
		return "";
	case FOLDER_INBOX:
		return "inbox";
	case FOLDER_ALL:
		return "all";
	case FOLDER_ARCHIVE:
		return "archive";
	case FOLDER_DRAFTS:
		return "drafts";
	case FOLDER_FLAGGED:
		return "flagged";
	case FOLDER_IMPORTANT:
		return "important";
	case FOLDER_JUNK:
		return "junk";
	case FOLDER_SENT:
		return "sent";
	case FOLDER_TRASH:
		return "trash";
	}
	return "";
}

void
backend_probe_add(struct arena *a, struct probes *p, const char *what, bool ok,
    int64_t since_ms, struct str say)
{
	size_t size = sizeof(*p->v);

	p->v = arena_grow(a, p->v, p->n * size, (p->n + 1) * size);
	p->v[p->n++] = (struct probe){
		.what = str_of(what),
		.ok = ok,
		.say = str_dup(a, say),
		.ms = clock_mono_ms() - since_ms,
	};
	if (p->tell != NULL)
		p->tell(&p->v[p->n - 1], p->ctx);
}
