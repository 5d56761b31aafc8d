/* SPDX-License-Identifier: Apache-2.0 */
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

static void
imap_mark_add_labels(struct imap_marking *m, const struct strs *labels,
    bool set)
{
	for (size_t i = 0; i < labels->n; i++)
		m->v[m->n++] = (struct imap_term){ .name = labels->v[i],
			.label = true,
			.set = set };
}

static int
imap_mark_read_change(struct imap_marking *m, const struct flag_change *change,
    struct err *e)
{
	const unsigned all = change->set | change->clear;

	if (backend_label_check(change, e) < 0)
		return -1;
	m->v = arena_array(m->a, 32 + change->add.n + change->drop.n,
	    sizeof(*m->v));
	for (unsigned flag = 1; flag <= all; flag <<= 1) {
		struct str name = str_of(imap_keyword_flag(flag));

		if (!(all & flag))
			continue;
		if (name.n == 0)
			return err_set(e, ERR_UNSUPPORTED,
			    "the mail server does not keep that flag");
		m->v[m->n++] = (struct imap_term){ .name = name,
			.set = (change->set & flag) != 0 };
	}
	imap_mark_add_labels(m, &change->add, true);
	imap_mark_add_labels(m, &change->drop, false);
	return 0;
}

static void
imap_mark_take_flags(struct imap_marking *m, size_t at,
    const struct imap_node *list)
{
	bool *has = &m->has[at * m->n];
	size_t words = 0;

	m->here[at] = true;
	memset(has, 0, m->n * sizeof(*has));
	for (const struct imap_node *k = list->child;
	     k != NULL && words++ < IMAP_WORDS; k = k->next)
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
	struct imap_marking *m = ctx;
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
	struct imap_marking *m = ctx;

	if (!s->examining || !str_eq_case(word, S("PERMANENTFLAGS")))
		return;
	m->told = true;
	m->any = imap_keyword_among(rest, S("\\*"));
	for (size_t i = 0; i < m->n; i++)
		m->v[i].may = imap_keyword_among(rest, m->v[i].name);
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
imap_mark_look(struct imap_marking *m, struct str folder, struct err *e)
{
	struct imap_session *s = m->s;
	struct imap_parts fetch;

	if (imap_session_write(s, folder, e) < 0)
		return -1;
	s->data = imap_mark_take;
	s->ctx = m;
	s->code = imap_mark_take_code;
	s->code_ctx = m;
	if (imap_store_send_fetch(m, &fetch, e) < 0 ||
	    imap_session_settle(s, e) < 0)
		return -1;
	s->code = NULL;
	if (imap_mark_answer(&fetch, s, e) < 0)
		return -1;
	return imap_store_all_here(m, e);
}

/* Which messages need which flag, and may they have it? */
static int
imap_mark_plan(struct imap_marking *m, struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		struct imap_term *t = &m->v[i];
		uint32_t *need = arena_array(m->a, m->uids.n, sizeof(*need));
		size_t n = 0;

		for (size_t k = 0; k < m->uids.n; k++)
			if (m->has[k * m->n + i] != t->set)
				need[n++] = m->uids.v[k];
		t->need = (struct imap_uids){ need, n };
		if (n == 0 || !m->told || t->may || (t->label && m->any))
			continue;
		return err_set(e, ERR_UNSUPPORTED, "%s",
		    !t->label    ? "the folder does not keep that flag"
			: t->set ? "the folder takes no new labels"
				 : "the folder does not let that label be "
				   "removed");
	}
	return 0;
}

int
imap_mark(struct imap_session *s, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	struct imap_marking m = { .s = s,
		.a = a,
		.uids = imap_uids_of(a, refs) };

	if (imap_mark_read_change(&m, change, e) < 0 ||
	    imap_parts_fit(&m.uids, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n; i++)
		if (refs->v[i].uid == 0)
			return imap_store_absent(e);
	if (m.uids.n == 0 || m.n == 0)
		return 0;
	m.here = arena_array(a, m.uids.n, sizeof(*m.here));
	m.has = arena_array(a, m.uids.n * m.n, sizeof(*m.has));
	if (imap_mark_look(&m, folder, e) < 0 || imap_mark_plan(&m, e) < 0)
		return -1;
	return imap_store_change(&m, e);
}
