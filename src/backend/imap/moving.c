/* SPDX-License-Identifier: Apache-2.0 */
/* What a server says of messages that are moved: where they are. */
#include "backend/imap/change.h"
#include "backend/imap/search.h"

/* "* STATUS Kept (UIDNEXT 5 UIDVALIDITY 9)", RFC 9051 section 7.3.4. */
static int
imap_moving_take_status(struct imap_moving *t, const struct imap_resp *r,
    struct err *e)
{
	struct imap_session *s = t->s;
	const struct imap_node *n, *list;

	if (imap_token_parse(s->reader.scratch, r, &n, e) < 0)
		return -1;
	list = imap_token_at(n, 1);
	if (!imap_token_has_text(n) || !str_eq(n->text, t->name) ||
	    list == NULL || list->kind != IMAP_LIST)
		return 0;
	for (n = list->child; n != NULL && n->next != NULL; n = n->next->next) {
		if (!imap_token_is_number(n->next))
			continue;
		/* A number that is too big is as good as none. */
		if (imap_token_is(n, "UIDVALIDITY"))
			(void)str_to_u32(n->next->text, UINT32_MAX,
			    &t->copied.uidvalidity);
		else if (imap_token_is(n, "UIDNEXT"))
			(void)str_to_u32(n->next->text, UINT32_MAX,
			    &t->copied.next);
	}
	return 0;
}

/* As imap_session.data. */
static int
imap_moving_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct imap_moving *t = ctx;

	if (str_eq_case(r->name, S("STATUS")))
		return imap_moving_take_status(t, r, e);
	if (str_eq_case(r->name, S("MYRIGHTS")))
		return imap_rights_take(s, r, &t->rights, e);
	return imap_search_data(s, r, &t->here, e);
}

int
imap_moving_send_search(struct imap_moving *t, struct imap_parts *p,
    struct err *e)
{
	const struct imap_ask ask = {
		.verb = (t->s->caps & IMAP_CAP_ESEARCH) != 0
		    ? "UID SEARCH RETURN (ALL) UID "
		    : "UID SEARCH UID ",
	};

	t->here = (struct imap_set){ .a = t->a };
	t->s->data = imap_moving_take;
	t->s->ctx = t;
	return imap_parts_send(t->s, p, &ask, &t->uids, e);
}

size_t
imap_moving_count(struct imap_moving *t)
{
	size_t n = 0;

	imap_set_tidy(&t->here, 1, UINT32_MAX);
	for (size_t i = 0; i < t->uids.n; i++)
		n += imap_set_has(&t->here, t->uids.v[i]);
	return n;
}

int
imap_moving_left(struct imap_moving *t, bool done, size_t *left, struct err *e)
{
	const struct imap_cmd *bad;
	struct imap_parts search;

	*left = 0;
	/* After a refusal they may be messages that others removed. */
	if (done && t->s->expunged - t->expunged >= t->uids.n)
		return 0;
	if (imap_moving_send_search(t, &search, e) < 0 ||
	    imap_parts_wait(t->s, &search, &bad, e) < 0)
		return -1;
	t->s->data = NULL;
	if (bad != NULL)
		return imap_command_refused(bad, ERR_NETWORK,
		    "the server refused the search", e);
	*left = imap_moving_count(t);
	return 0;
}

void
imap_moving_told(const struct imap_moving *t, struct refs *out)
{
	*out = (struct refs){ arena_array(t->a, t->refs->n, sizeof(*out->v)),
		t->refs->n };
	for (size_t i = 0; i < out->n; i++)
		out->v[i].uid =
		    t->copied.to[imap_uids_place(&t->uids, t->refs->v[i].uid)];
}

int
imap_moving_refused(struct imap_moving *t, const struct imap_cmd *c,
    struct err *e)
{
	t->unanswered = false;
	/* RFC 9051 section 7.1: the target is not there any more. */
	if (c->status == IMAP_NO &&
	    (strcmp(c->code, "TRYCREATE") == 0 ||
		strcmp(c->code, "NONEXISTENT") == 0))
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	return imap_command_refused(c, ERR_UNSUPPORTED,
	    "the server refused to move the messages", e);
}
