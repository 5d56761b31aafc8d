/* What only the store of mail itself can tell of a source. */
#include "base/clock.h"
#include "source/roster.h"

#define SETTLE_MS 15000 /* at the most, for one account */

bool
roster_settle_needed(const struct role_source *src, enum role_op op)
{
	const struct matrix_facts none = { .url = src->url };
	const struct matrix_facts all = { true, true, src->url };
	unsigned bit = 1U << op;

	/* Told, or taken at its word: the operation itself will see. */
	if (op == ROLE_LIST_SENT_SINCE && src->sent)
		return false;
	return (matrix_supports(src->backend, &none) & bit) !=
	    (matrix_supports(src->backend, &all) & bit);
}

/* Is there a folder for what is sent? */
static bool
has_sent(struct conn *c, struct arena *a, bool fallback)
{
	struct folders l = { 0 };
	struct err e = { 0 };

	if (c->be->folders(c, a, &l, &e) < 0)
		return fallback;
	for (size_t i = 0; i < l.n; i++)
		if (l.v[i].selectable &&
		    (l.v[i].role == FOLDER_SENT ||
			str_eq_case(l.v[i].name, S("Sent"))))
			return true;
	return false;
}

static void
ask(struct conn *c, struct arena *a, struct role_source *src, bool told)
{
	struct str folder = { 0 };
	struct err e = { 0 };

	if (src->drafts && c->be->drafts(c, a, &folder, &e) < 0)
		src->drafts =
		    e.kind != ERR_UNSUPPORTED && e.kind != ERR_NOT_FOUND;
	if (!told)
		src->sent = has_sent(c, a, src->sent);
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
	/* An archive holds what its owner says it holds. */
	if (str_eq(src->backend, S("mbox")))
		return;
	if (source_resolve(r->store, r->a, src->name, clock_mono_ms() + ms, &s,
		&e) < 0)
		return;
	if (source_unseal(r->store, &s, &e) == 0 &&
	    s.be->open(&s.view, r->a, &c, &e) == 0) {
		ask(c, r->a, src, s.acct.sent_folder.n > 0);
		s.be->close(c);
	}
	source_done(&s);
	src->supports = roster_supports(src);
}
