/* SPDX-License-Identifier: Apache-2.0 */
/* Facts that only the mail store of a source knows. */
#include "base/clock.h"
#include "source/roster.h"

#define SETTLE_MS 15000 /* at the most, for one account */

bool
roster_settle_needed(const struct role_source *src, enum role_op op)
{
	/* Assumed to work: the operation itself will find out. */
	if (op == ROLE_LIST_SENT_SINCE && src->sent)
		return false;
	return roster_is_open(src, op);
}

/* Is there a folder for sent mail? */
static void
roster_settle_ask_sent(struct conn *c, struct arena *a, struct role_source *src)
{
	struct folders l = { 0 };
	struct err e = { 0 };

	if (c->be->folders(c, a, &l, &e) < 0)
		return;
	src->sent_open = false;
	src->sent = false;
	for (size_t i = 0; i < l.n && !src->sent; i++)
		src->sent = l.v[i].selectable &&
		    (l.v[i].role == FOLDER_SENT ||
			str_eq_case(l.v[i].name, S("Sent")));
}

/* A fact that could not be read stays open. */
static void
roster_settle_ask_drafts(struct conn *c, struct arena *a,
    struct role_source *src)
{
	struct str folder = { 0 };
	struct err e = { 0 };
	bool found = c->be->drafts(c, a, &folder, &e) == 0;

	if (!found && e.kind != ERR_UNSUPPORTED && e.kind != ERR_NOT_FOUND)
		return;
	src->drafts_open = false;
	src->drafts = found;
}

void
roster_settle(const struct roster *r, struct role_source *src)
{
	int64_t ms = r->timeout_ms < SETTLE_MS ? r->timeout_ms : SETTLE_MS;
	struct source s = { 0 };
	struct conn *c = NULL;
	struct err e = { 0 };

	if (!roster_settle_needed(src, ROLE_LIST_SENT_SINCE) &&
	    !roster_settle_needed(src, ROLE_LIST_DRAFTS))
		return;
	if (!src->drafts_open && !src->sent_open)
		return;
	if (source_resolve(r->store, r->a, src->name, clock_mono_ms() + ms, &s,
		&e) < 0)
		return;
	source_wire(&s, r->a);
	if (source_unseal(r->store, &s, &e) == 0 &&
	    s.be->open(&s.view, r->a, &c, &e) == 0) {
		if (src->drafts_open)
			roster_settle_ask_drafts(c, r->a, src);
		if (src->sent_open)
			roster_settle_ask_sent(c, r->a, src);
		s.be->close(c);
	}
	source_done(&s);
	src->supports = roster_supports(src);
}
