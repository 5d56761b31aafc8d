/*
 * Flags and labels of messages: UID STORE, RFC 9051 section 6.4.6.
 *
 * All of them change or none.  A server skips messages that are not there and
 * says OK, so the first flight asks for the flags of each.  Then each flag is
 * stored on those messages that need it, and the same flight asks again; once
 * more in a flight of its own if that shows no change, because servers may
 * answer early.  What was changed is changed back if a server refuses a part,
 * or keeps nothing.
 */
#include "backend/imap/change.h"
#include "backend/imap/fetch.h"

/* A flag or label, and what is wanted of it. */
struct term {
	struct str name;
	bool label, set;
	bool may;              /* the folder keeps it */
	struct imap_uids need; /* those that are not as wanted */
	struct imap_parts store;
};

struct marking {
	struct imap_session *s;
	struct arena *a;
	struct imap_uids uids;
	struct term *v;
	size_t n;
	bool *here; /* is that uid there? */
	bool *has;  /* n for each uid: has it that flag? */
	bool told;  /* PERMANENTFLAGS */
	bool any;   /* new labels too */
};

/* Asks for them, into `here` and `has`. */
static const struct imap_ask ask_flags = { .verb = "UID FETCH ",
	.words = " (UID FLAGS)" };

static void
imap_mark_add_labels(struct marking *m, const struct strs *labels, bool set)
{
	for (size_t i = 0; i < labels->n; i++)
		m->v[m->n++] = (struct term){ .name = labels->v[i],
			.label = true,
			.set = set };
}

static int
imap_mark_read_change(struct marking *m, const struct flag_change *change,
    struct err *e)
{
	const unsigned all = change->set | change->clear;

	if (all & ~imap_backend.flags)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server does not keep that flag");
	if (backend_label_check(change, e) < 0)
		return -1;
	m->v = arena_array(m->a, 32 + change->add.n + change->drop.n,
	    sizeof(*m->v));
	for (unsigned flag = 1; flag <= all; flag <<= 1)
		if (all & flag)
			m->v[m->n++] =
			    (struct term){ .name =
					       str_of(imap_keyword_flag(flag)),
				    .set = (change->set & flag) != 0 };
	imap_mark_add_labels(m, &change->add, true);
	imap_mark_add_labels(m, &change->drop, false);
	return 0;
}

static void
imap_mark_take_flags(struct marking *m, size_t at, const struct imap_node *list)
{
	bool *has = &m->has[at * m->n];

	m->here[at] = true;
	memset(has, 0, m->n * sizeof(*has));
	for (const struct imap_node *k = list->child; k != NULL; k = k->next)
		for (size_t i = 0; i < m->n; i++)
			if (k->kind == IMAP_ATOM &&
			    str_eq_case(k->text, m->v[i].name))
				has[i] = true;
}

/* As imap_session.data. */
static int
imap_mark_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct marking *m = ctx;
	const struct imap_node *items, *list = NULL;
	uint32_t uid = 0;
	size_t at;

	if (imap_fetch_items(s, r, &items, e) < 0)
		return -1;
	for (; items != NULL && items->next != NULL;
	     items = items->next->next) {
		if (imap_token_is(items, "UID") &&
		    imap_token_uid(items->next, &uid, e) < 0)
			return -1;
		if (imap_token_is(items, "FLAGS"))
			list = items->next;
	}
	at = imap_uids_place(&m->uids, uid);
	if (at < m->uids.n && list != NULL && list->kind == IMAP_LIST)
		imap_mark_take_flags(m, at, list);
	return 0;
}

/* "PERMANENTFLAGS (\Seen \Deleted \*)", RFC 9051 section 7.1. */
static void
imap_mark_take_code(struct imap_session *s, struct str word, struct str rest,
    void *ctx)
{
	struct marking *m = ctx;

	if (!s->examining || !str_eq_case(word, S("PERMANENTFLAGS")))
		return;
	m->told = true;
	m->any = imap_keyword_among(rest, S("\\*"));
	for (size_t i = 0; i < m->n; i++)
		m->v[i].may = imap_keyword_among(rest, m->v[i].name);
}

static int
imap_mark_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

/* Are all of them there? */
static int
imap_mark_all_here(const struct marking *m, struct err *e)
{
	for (size_t i = 0; i < m->uids.n; i++)
		if (!m->here[i])
			return imap_mark_absent(e);
	return 0;
}

static int
imap_mark_answer(struct imap_parts *p, struct imap_session *s, struct err *e)
{
	const struct imap_cmd *bad;

	if (imap_parts_wait(s, p, &bad, e) < 0)
		return -1;
	return bad == NULL ? 0 : imap_fetch_answer(bad, e);
}

/* The folder, what it keeps, and each message's flags, in one flight. */
static int
imap_mark_look(struct marking *m, struct str folder, struct err *e)
{
	struct imap_session *s = m->s;
	struct imap_parts fetch;

	if (imap_session_write(s, folder, e) < 0)
		return -1;
	s->data = imap_mark_take;
	s->ctx = m;
	s->code = imap_mark_take_code;
	s->code_ctx = m;
	if (imap_parts_send(s, &fetch, &ask_flags, &m->uids, e) < 0 ||
	    imap_session_settle(s, e) < 0)
		return -1;
	s->code = NULL;
	if (imap_mark_answer(&fetch, s, e) < 0)
		return -1;
	return imap_mark_all_here(m, e);
}

/* Which messages need which flag, and may they have it? */
static int
imap_mark_plan(struct marking *m, struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		struct term *t = &m->v[i];
		uint32_t *need = arena_array(m->a, m->uids.n, sizeof(*need));
		size_t n = 0;

		for (size_t k = 0; k < m->uids.n; k++)
			if (m->has[k * m->n + i] != t->set)
				need[n++] = m->uids.v[k];
		t->need = (struct imap_uids){ need, n };
		if (n == 0 || !m->told || t->may || (t->label && m->any))
			continue;
		return err_set(e, ERR_UNSUPPORTED, "%s",
		    t->label ? "the folder takes no new labels"
			     : "the folder does not keep that flag");
	}
	return 0;
}

/* Sends them all; back: the other way round. */
static int
imap_mark_send_stores(struct marking *m, bool back, struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		struct term *t = &m->v[i];
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
imap_mark_wait_stores(struct marking *m, const struct imap_cmd **bad,
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
imap_mark_kept(const struct marking *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct term *t = &m->v[i];
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
imap_mark_undo(struct marking *m, struct err *e)
{
	const struct imap_cmd *bad = NULL;
	struct err later = { 0 };

	m->s->data = NULL;
	if (imap_mark_send_stores(m, true, &later) == 0 &&
	    imap_mark_wait_stores(m, &bad, &later) == 0 && bad == NULL)
		return -1;
	if (later.scope == ERR_SCOPE_CONN)
		(void)err_conn(e);
	return imap_parts_unknown(e,
	    "the server may have changed some of the messages: look at them");
}

/* Refused, it tells nothing; then each message seems to be gone. */
static int
imap_mark_send_fetch(struct marking *m, struct imap_parts *p, struct err *e)
{
	memset(m->here, 0, m->uids.n * sizeof(*m->here));
	return imap_parts_send(m->s, p, &ask_flags, &m->uids, e);
}

static bool
imap_mark_is_done(const struct marking *m)
{
	struct err ignored = { 0 };

	return imap_mark_all_here(m, &ignored) == 0 && imap_mark_kept(m);
}

/* One flight, unless there are very many flags. */
static int
imap_mark_store(struct marking *m, const struct imap_cmd **bad, struct err *e)
{
	const struct imap_cmd *ignored;
	struct imap_parts fetch;

	if (imap_mark_send_stores(m, false, e) < 0)
		return -1;
	if (m->s->pending_n + IMAP_PARTS > IMAP_PENDING &&
	    imap_mark_wait_stores(m, bad, e) < 0)
		return -1;
	if (imap_mark_send_fetch(m, &fetch, e) < 0 ||
	    imap_mark_wait_stores(m, bad, e) < 0 ||
	    imap_parts_wait(m->s, &fetch, &ignored, e) < 0)
		return -1;
	if (*bad != NULL || imap_mark_is_done(m))
		return 0;
	if (imap_mark_send_fetch(m, &fetch, e) < 0)
		return -1;
	return imap_parts_wait(m->s, &fetch, &ignored, e);
}

static int
imap_mark_change(struct marking *m, struct err *e)
{
	const struct imap_cmd *bad = NULL;
	size_t need = 0;
	int r;

	for (size_t i = 0; i < m->n; i++)
		need += m->v[i].need.n;
	if (need == 0)
		return 0;
	if (imap_mark_store(m, &bad, e) < 0)
		return imap_parts_unknown(e,
		    "the server did not say whether it changed the messages: "
		    "look at them");
	if (bad != NULL)
		r = imap_command_refused(bad, ERR_UNSUPPORTED,
		    "the server refused to change the messages", e);
	else
		r = imap_mark_all_here(m, e);
	if (r == 0 && !imap_mark_kept(m))
		r = err_set(e, ERR_UNSUPPORTED,
		    "the server says that it changed the messages, and did "
		    "not");
	return r == 0 ? 0 : imap_mark_undo(m, e);
}

int
imap_mark(struct imap_session *s, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	struct marking m = { .s = s, .a = a, .uids = imap_uids_of(a, refs) };

	if (imap_mark_read_change(&m, change, e) < 0 ||
	    imap_parts_fit(&m.uids, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n; i++)
		if (refs->v[i].uid == 0)
			return imap_mark_absent(e);
	if (m.uids.n == 0 || m.n == 0)
		return 0;
	m.here = arena_array(a, m.uids.n, sizeof(*m.here));
	m.has = arena_array(a, m.uids.n * m.n, sizeof(*m.has));
	if (imap_mark_look(&m, folder, e) < 0 || imap_mark_plan(&m, e) < 0)
		return -1;
	return imap_mark_change(&m, e);
}
