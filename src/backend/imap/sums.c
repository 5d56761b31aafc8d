/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages that are compared before an original is removed: a hash of header
 * fields that a copy has too, whether the message is marked as deleted, and in
 * a rest its other flags.
 */
#include "backend/imap/change.h"
#include "backend/imap/fetch.h"

static void
imap_sums_begin(struct imap_sums *x, const struct imap_moving *t,
    struct imap_uids uids)
{
	struct arena *a = t->a;

	*x = (struct imap_sums){
		.a = a,
		.uids = uids,
		.there = arena_array(a, uids.n, sizeof(*x->there)),
		.sum = arena_array(a, uids.n, sizeof(*x->sum)),
		.told = arena_array(a, uids.n, sizeof(*x->told)),
		.deleted = arena_array(a, uids.n, sizeof(*x->deleted)),
		.flags = imap_moving_is_rest(t)
		    ? arena_array(a, uids.n, sizeof(*x->flags))
		    : NULL,
	};
}

static bool
imap_sums_is_deleted(const struct imap_node *flags)
{
	for (const struct imap_node *k = flags->child; k != NULL; k = k->next)
		if (imap_token_is(k, "\\Deleted"))
			return true;
	return false;
}

/* All that were told: who has set one since the first answer? */
static void
imap_sums_take_flags(struct arena *a, const struct imap_node *flags,
    struct strs *out)
{
	for (const struct imap_node *k = flags->child;
	     k != NULL && out->n < LIMIT_LABELS; k = k->next)
		if (k->kind == IMAP_ATOM && !imap_token_is(k, "\\Deleted") &&
		    !imap_token_is(k, "\\Recent") &&
		    !str_among_case(out, k->text))
			str_push(a, out, str_dup(a, k->text));
}

bool
imap_sums_has_flags(const struct imap_sums *new, size_t at,
    const struct imap_sums *old, size_t i)
{
	/* There may be more of them. */
	if (old->flags[i].n == LIMIT_LABELS)
		return false;
	for (size_t k = 0; k < old->flags[i].n; k++)
		if (!str_among_case(&new->flags[at], old->flags[i].v[k]))
			return false;
	return true;
}

/* As imap_session.data. */
static int
imap_sums_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct imap_sums *x = ctx;
	const struct imap_node *n, *flags = NULL, *head = NULL;
	uint32_t uid = 0;
	size_t at;

	if (imap_fetch_items(s, r, &n, e) < 0)
		return -1;
	for (; n != NULL && n->next != NULL; n = n->next->next) {
		if (imap_token_is(n, "UID") &&
		    imap_token_uid(n->next, &uid, e) < 0)
			return -1;
		if (imap_token_is(n, "FLAGS"))
			flags = n->next;
		if (n->kind == IMAP_ATOM &&
		    str_starts_case(n->text, S("BODY[HEADER.FIELDS ")))
			head = n->next;
	}
	at = imap_uids_place(&x->uids, uid);
	if (at == x->uids.n)
		return 0;
	x->there[at] = true;
	if (flags != NULL) {
		x->told[at] = true;
		x->deleted[at] = imap_sums_is_deleted(flags);
	}
	if (flags != NULL && x->flags != NULL)
		imap_sums_take_flags(x->a, flags, &x->flags[at]);
	if (head != NULL && head->kind != IMAP_LIST && head->kind != IMAP_NIL)
		x->sum[at] = str_hash(STR_HASH, str_trim(head->text)) | 1;
	return 0;
}

int
imap_sums_send(struct imap_moving *t, struct imap_sums *x,
    struct imap_uids uids, struct imap_parts *p, struct err *e)
{
	static const struct imap_ask ask = { .verb = "UID FETCH ",
		.words = " (UID FLAGS BODY.PEEK[HEADER.FIELDS"
			 " (MESSAGE-ID DATE FROM SUBJECT)])" };

	imap_sums_begin(x, t, uids);
	t->s->data = imap_sums_take;
	t->s->ctx = x;
	return imap_parts_send(t->s, p, &ask, &x->uids, e);
}
