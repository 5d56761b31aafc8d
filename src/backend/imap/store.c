/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UID STORE of flags, RFC 9051 section 6.4.6: on those messages that need it,
 * with a look at the result, and back if not all of it is done.
 */
#include "backend/imap/change.h"

static const struct imap_ask ask_flags = { .verb = "UID FETCH ",
	.words = " (UID FLAGS)" };

int
imap_store_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

/* Are all of them there? */
int
imap_store_all_here(const struct imap_marking *m, struct err *e)
{
	for (size_t i = 0; i < m->uids.n; i++)
		if (!m->here[i])
			return imap_store_absent(e);
	return 0;
}

/* Sends them all; back: the other way round. */
static int
imap_store_send(struct imap_marking *m, bool back, struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		struct imap_term *t = &m->v[i];
		const struct imap_ask ask = { .verb = "UID STORE ",
			.words = t->set != back ? " +FLAGS.SILENT ("
						: " -FLAGS.SILENT (",
			.flag = t->label ? S("") : t->name,
			.label = t->label ? t->name : S(""),
			.end = ")" };
		const struct imap_cmd *bad;

		/* Those before it may fill what can be under way. */
		for (size_t k = 0;
		     k < i && m->s->pending_n + 2UL * IMAP_PARTS > IMAP_PENDING;
		     k++)
			if (imap_parts_wait(m->s, &m->v[k].store, &bad, e) < 0)
				return -1;
		if (imap_parts_send(m->s, &t->store, &ask, &t->need, e) < 0)
			return -1;
	}
	return 0;
}

/* Waits for them; *bad is one that was refused, or NULL. */
static int
imap_store_wait(struct imap_marking *m, const struct imap_cmd **bad,
    struct err *e)
{
	const struct imap_cmd *one;

	*bad = NULL;
	for (size_t i = 0; i < m->n; i++) {
		if (imap_parts_wait(m->s, &m->v[i].store, &one, e) < 0)
			return -1;
		*bad = *bad != NULL ? *bad : one;
	}
	return 0;
}

/* Did a server say OK to a flag that no message has now? */
static bool
imap_store_kept(const struct imap_marking *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct imap_term *t = &m->v[i];
		size_t kept = 0;

		/* One or the other may be changed by somebody else. */
		for (size_t k = 0; k < t->need.n; k++)
			kept += m->has[imap_uids_place(&m->uids, t->need.v[k]) *
					m->n +
				    i] == t->set;
		if (kept == 0 && t->need.n > 0)
			return false;
	}
	return true;
}

/* Changes back what was changed; *e says why. */
static int
imap_store_undo(struct imap_marking *m, struct err *e)
{
	const struct imap_cmd *bad = NULL;
	struct err later = { 0 };

	m->s->data = NULL;
	if (imap_store_send(m, true, &later) == 0 &&
	    imap_store_wait(m, &bad, &later) == 0 && bad == NULL)
		return -1;
	if (later.scope == ERR_SCOPE_CONN)
		(void)err_conn(e);
	return imap_parts_unknown(e,
	    "the server may have changed some of the messages: look at them");
}

/* Refused, it tells nothing; then each message seems to be gone. */
int
imap_store_send_fetch(struct imap_marking *m, struct imap_parts *p,
    struct err *e)
{
	memset(m->here, 0, m->uids.n * sizeof(*m->here));
	return imap_parts_send(m->s, p, &ask_flags, &m->uids, e);
}

static bool
imap_store_is_done(const struct imap_marking *m)
{
	struct err ignored = { 0 };

	return imap_store_all_here(m, &ignored) == 0 && imap_store_kept(m);
}

/* One flight, unless there are very many flags. */
static int
imap_store_once(struct imap_marking *m, const struct imap_cmd **bad,
    struct err *e)
{
	const struct imap_cmd *ignored;
	struct imap_parts fetch;

	if (imap_store_send(m, false, e) < 0)
		return -1;
	if (m->s->pending_n + IMAP_PARTS > IMAP_PENDING &&
	    imap_store_wait(m, bad, e) < 0)
		return -1;
	if (imap_store_send_fetch(m, &fetch, e) < 0 ||
	    imap_store_wait(m, bad, e) < 0 ||
	    imap_parts_wait(m->s, &fetch, &ignored, e) < 0)
		return -1;
	if (*bad != NULL || imap_store_is_done(m))
		return 0;
	if (imap_store_send_fetch(m, &fetch, e) < 0)
		return -1;
	return imap_parts_wait(m->s, &fetch, &ignored, e);
}

int
imap_store_change(struct imap_marking *m, struct err *e)
{
	const struct imap_cmd *bad = NULL;
	size_t need = 0;
	int r;

	for (size_t i = 0; i < m->n; i++)
		need += m->v[i].need.n;
	if (need == 0)
		return 0;
	if (imap_store_once(m, &bad, e) < 0)
		return imap_parts_unknown(e,
		    "the server did not say whether it changed the messages: "
		    "look at them");
	if (bad != NULL)
		r = imap_command_refused(bad, ERR_UNSUPPORTED,
		    "the server refused to change the messages", e);
	else
		r = imap_store_all_here(m, e);
	if (r == 0 && !imap_store_kept(m))
		r = err_set(e, ERR_UNSUPPORTED,
		    "the server says that it changed the messages, and did "
		    "not");
	return r == 0 ? 0 : imap_store_undo(m, e);
}
