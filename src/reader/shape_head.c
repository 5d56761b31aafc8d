/* SPDX-License-Identifier: Apache-2.0 */
/* What a header says.  Policy and lists get it, so it is as clean as ours. */
#include "base/limits.h"
#include "reader/shape.h"

#define DATE_S (INT64_C(400000000000)) /* beyond the year 9999 both ways */
#define OFFSET_MIN 10000

/* Has it a control character: C0, DEL, or C1 as UTF-8? */
static bool
shape_head_is_dirty(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 0x20 || c == 0x7f ||
		    (c == 0xC2 && i + 1 < s.n &&
			(unsigned char)s.p[i + 1] < 0xA0))
			return true;
	}
	return false;
}

/* Text that was decoded for people: UTF-8 without controls. */
static void
shape_head_text(struct carry *c, struct str *s, size_t max)
{
	carry_utf8(c, s, max);
	c->bad = c->bad || shape_head_is_dirty(*s);
}

static void
shape_head_addresses(struct carry *c, struct addresses *l)
{
	struct address *new =
	    carry_list(c, &l->n, LIMIT_ADDRESSES, sizeof(*new));

	if (c->to == NULL)
		l->v = new;
	for (size_t i = 0; i < l->n; i++) {
		shape_head_text(c, &l->v[i].name, 4 * LIMIT_MIME_HEAD);
		shape_head_text(c, &l->v[i].addr, LIMIT_ADDRESS);
		shape_head_text(c, &l->v[i].comments, 4 * LIMIT_MIME_HEAD);
	}
	carry_bool(c, &l->over);
	carry_bool(c, &l->clean);
}

/* In angle brackets, of bytes that are neither blank nor control. */
static void
shape_head_id(struct carry *c, struct str *s)
{
	carry_text(c, s, LIMIT_MIME_HEAD);
	for (size_t i = 0; i < s->n; i++)
		c->bad =
		    c->bad || (unsigned char)s->p[i] <= ' ' || s->p[i] == 0x7f;
}

static void
shape_head_ids(struct carry *c, struct strs *v)
{
	struct str *new = carry_list(c, &v->n, LIMIT_REFERENCES, sizeof(*new));

	if (c->to == NULL)
		v->v = new;
	for (size_t i = 0; i < v->n; i++)
		shape_head_id(c, &v->v[i]);
}

static void
shape_head_envelope(struct carry *c, struct mime_envelope *v)
{
	carry_size(c, &v->from_fields, LIMIT_MIME_HEADERS);
	shape_head_text(c, &v->from_sole, LIMIT_ADDRESS);
	shape_head_addresses(c, &v->from);
	shape_head_addresses(c, &v->to);
	shape_head_addresses(c, &v->cc);
	shape_head_addresses(c, &v->reply_to);
	shape_head_text(c, &v->subject, LIMIT_SUBJECT);
	carry_bool(c, &v->subject_cut);
	carry_i64(c, &v->date_s, -DATE_S, DATE_S);
	carry_int(c, &v->date_offset_min, -OFFSET_MIN, OFFSET_MIN);
	carry_bool(c, &v->has_date);
	shape_head_id(c, &v->message_id);
	shape_head_ids(c, &v->in_reply_to);
	shape_head_ids(c, &v->references);
	carry_text(c, &v->list_id, LIMIT_MIME_HEAD);
	carry_bool(c, &v->has_list_id);
	carry_text(c, &v->type, LIMIT_MIME_HEAD);
	carry_bool(c, &v->automatic);
	carry_bool(c, &v->from_list);
}

void
shape_head(struct carry *c, struct mime_head *h)
{
	int auth = (int)h->auth;

	shape_head_envelope(c, &h->env);
	carry_int(c, &auth, MIME_AUTH_NONE, MIME_AUTH_PASS);
	h->auth = (enum mime_auth)auth;
	/* No sender, or not one sender: nobody is authenticated. */
	c->bad = c->bad ||
	    (h->env.from_sole.n > 0 && h->env.from_fields != 1) ||
	    (h->env.from_sole.n == 0 && h->auth != MIME_AUTH_NONE);
}
