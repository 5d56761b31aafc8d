/* SPDX-License-Identifier: Apache-2.0 */
/* Complete copies of rows. */
#include "gate/internal.h"
#include "gate/judge.h"

static void
keep_text(struct arena *a, struct str *s)
{
	*s = str_dup(a, *s);
}

static void
keep_addresses(struct arena *a, struct addresses *l)
{
	const struct address *from = l->v;

	l->v = arena_array(a, l->n, sizeof(*l->v));
	for (size_t i = 0; i < l->n; i++) {
		l->v[i] = from[i];
		keep_text(a, &l->v[i].name);
		keep_text(a, &l->v[i].addr);
		keep_text(a, &l->v[i].comments);
	}
}

static void
keep_list(struct arena *a, struct strs *l)
{
	*l = str_dup_all(a, l);
}

void
keep_mail(struct arena *a, const struct mail *from, struct mail *to)
{
	struct mime_envelope *v = &to->env;

	*to = *from;
	keep_text(a, &to->id);
	keep_text(a, &to->thread);
	keep_text(a, &to->folder);
	keep_list(a, &to->labels);
	keep_list(a, &to->places);
	keep_text(a, &v->from_sole);
	keep_addresses(a, &v->from);
	keep_addresses(a, &v->to);
	keep_addresses(a, &v->cc);
	keep_addresses(a, &v->reply_to);
	keep_text(a, &v->subject);
	keep_text(a, &v->message_id);
	keep_list(a, &v->in_reply_to);
	keep_list(a, &v->references);
	keep_text(a, &v->list_id);
	keep_text(a, &v->type);
}
