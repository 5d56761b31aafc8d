/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The methods that send mail and copy it.  The gate's outbox calls them in the
 * other process, and is asked once more before the first octet: tell.c.
 */
#include "backend/wired/internal.h"

int
wired_serve_send_submit(struct wired_serving *s, struct err *e)
{
	struct submission *sub = &s->ask.submission;
	int r;

	sub->look = wired_serve_tell_look;
	sub->ctx = s;
	r = s->l->be->submit(*s->l->conn, s->a, sub, e);
	s->answer.to = sub->to;
	s->answer.n = sub->n;
	return r;
}

int
wired_serve_send_append(struct wired_serving *s, struct err *e)
{
	return s->l->be->append(*s->l->conn, s->a, s->ask.folder, s->ask.text,
	    e);
}
