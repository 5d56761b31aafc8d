/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One whole message, RFC 9051 section 6.4.5: BODY.PEEK[], which does not set
 * \Seen.  Its literal is read directly into one block of its size.
 */
#include "backend/imap/fetch.h"
#include "backend/imap/internal.h"
#include "backend/imap/token.h"
#include "base/limits.h"

struct wanted {
	struct arena *a;
	uint32_t uid;
	bool found;
	struct str raw;
};

static int
imap_body_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	const struct imap_node *n, *body = NULL;
	struct wanted *w = ctx;
	uint32_t uid = 0;

	if (!str_eq_case(r->name, S("FETCH")) || r->cut)
		return 0;
	if (imap_token_parse(s->reader.scratch, r, &n, e) < 0)
		return -1;
	if (n == NULL || n->kind != IMAP_LIST)
		return imap_read_nonsense(e, "FETCH without a list");
	for (n = n->child; n != NULL && n->next != NULL; n = n->next->next) {
		if (imap_token_is(n, "UID") &&
		    imap_token_uid(n->next, &uid, e) < 0)
			return -1;
		if (imap_token_is(n, "BODY[]"))
			body = n->next;
	}
	if (uid != w->uid || body == NULL)
		return 0;
	if (body->kind == IMAP_LITERAL)
		w->raw = body->text;
	else if (body->kind == IMAP_QUOTED)
		w->raw = str_dup(w->a, body->text);
	else
		return 0; /* NIL: the message is not available */
	w->found = true;
	return 0;
}

static int
imap_body_ask(struct imap_session *s, struct wanted *w, struct str folder,
    size_t max, struct imap_cmd *c, struct err *e)
{
	if (imap_session_select(s, folder, e) < 0)
		return -1;
	s->data = imap_body_take;
	s->ctx = w;
	s->reader.keep = w->a;
	s->reader.body_used = 0;
	s->reader.body_max = max < LIMIT_MESSAGE ? max : LIMIT_MESSAGE;
	if (imap_command_begin(s, c, "UID FETCH ", e) < 0 ||
	    wire_say_fmt(s->wire, e, "%u (UID BODY.PEEK[])", w->uid) < 0 ||
	    imap_command_end(s, c, e) < 0 || imap_session_settle(s, e) < 0)
		return -1;
	return imap_command_wait(s, c, e);
}

int
imap_body(struct imap_session *s, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct wanted w = { .a = a, .uid = ref->uid };
	struct imap_cmd c;
	int r;

	if (ref->uid == 0)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	r = imap_body_ask(s, &w, folder, max, &c, e);
	s->reader.body_max = 0;
	if (r < 0)
		return -1;
	if (w.found && w.raw.n > max)
		return err_set(e, ERR_LIMIT, "the message is too big");
	if (!w.found && strcmp(c.code, "NONEXISTENT") != 0 &&
	    imap_fetch_answer(&c, e) < 0)
		return -1;
	if (!w.found)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	*out = w.raw;
	return 0;
}
