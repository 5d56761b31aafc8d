/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings about one message. */
#include "op/get_warn.h"

#include "base/clean.h"
#include "gate/mailbox_ours.h"
#include "mime/lookalike.h"

_Static_assert(WARN_STYLE_UNKNOWN - WARN_HIDDEN_DISPLAY == HTML_HIDDEN_UNKNOWN,
    "enum html_hidden and enum warning are in one order");

void
get_warn_reading(struct call *c, const struct mime_reading *r)
{
	size_t lies = 0;

	gate_warn(c, WARN_FROM_HTML, r->from_html);
	gate_warn(c, WARN_TRUNCATED, r->truncated);
	gate_warn(c, WARN_BAD_CHARSET, r->bad_charset);
	gate_warn(c, WARN_DIVERGENT, r->divergent);
	for (int i = 0; i < HTML_HIDDENS; i++)
		gate_warn(c, (enum warning)(WARN_HIDDEN_DISPLAY + i),
		    r->html.hidden[i]);
	for (size_t i = 0; i < r->html.links; i++)
		lies += r->html.link[i].mismatch;
	gate_warn(c, WARN_LINK_MISMATCH, lies);
	gate_warn(c, WARN_TRACKING_IMAGE, r->html.tracking);
}

/* The number of invisible characters in a list of people. */
static size_t
get_warn_unseen_in(struct arena *a, const struct addresses *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		(void)clean_text(a, l->v[i].name, &n);
		(void)clean_text(a, l->v[i].addr, &n);
	}
	return n;
}

/* Exchange's header against automatic answers (MS-OXCMAIL 2.1.3.2.21). */
static bool
get_warn_asks_for_silence(const struct mime_header *h)
{
	const struct mime_field *f =
	    mime_header_get(h, "X-Auto-Response-Suppress", 0);

	return f != NULL && !str_eq_case(str_trim(f->value), S("None"));
}

int
get_warn_sender(struct call *c, const struct mail *m,
    const struct mime_header *h, struct err *e)
{
	const struct mime_envelope *v = &m->env;
	size_t unseen = get_warn_unseen_in(c->arena, &v->from) +
	    get_warn_unseen_in(c->arena, &v->to) +
	    get_warn_unseen_in(c->arena, &v->cc);
	int ours = mailbox_ours(c->mailbox, v->message_id, e);

	if (ours < 0)
		return -1;
	(void)clean_text(c->arena, v->subject, &unseen);
	gate_warn(c, WARN_UNSEEN_REMOVED, unseen);
	for (size_t i = 0; i < v->from.n; i++) {
		const struct address *from = &v->from.v[i];

		gate_warn(c, WARN_SENDER_DISPLAY,
		    lookalike_display(c->arena, from->name, from->addr) ||
			lookalike_display(c->arena, from->comments,
			    from->addr));
		gate_warn(c, WARN_SENDER_LOOKALIKE,
		    lookalike_domain(c->arena, from->addr));
	}
	gate_warn(c, WARN_SENDER_UNAUTHENTICATED, m->auth == SENDER_FAIL);
	gate_warn(c, WARN_LOOP,
	    v->automatic || get_warn_asks_for_silence(h) || ours > 0);
	return 0;
}
