/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/shape.h"

#include "base/limits.h"

/* -- html ------------------------------------------------------------------ */

void
shape_found(struct carry *c, struct html_found *f, size_t page, bool utf8)
{
	void (*text)(struct carry *, struct str *, size_t) =
	    utf8 ? carry_utf8 : carry_text;
	struct html_link *new;

	for (size_t i = 0; i < HTML_HIDDENS; i++)
		carry_size(c, &f->hidden[i], page + 1);
	carry_size(c, &f->tracking, page + 1);
	carry_bool(c, &f->over);
	new = carry_list(c, &f->links, LIMIT_MIME_LINKS, sizeof(*new));
	if (c->to == NULL)
		f->link = new;
	for (size_t i = 0; i < f->links; i++) {
		text(c, &f->link[i].text, LIMIT_MIME_TEXT);
		text(c, &f->link[i].url, LIMIT_MIME_TEXT);
		carry_bool(c, &f->link[i].mismatch);
	}
}

/* -- the structure --------------------------------------------------------- */

static void
shape_header(struct carry *c, struct mime_header *h)
{
	struct mime_field *new =
	    carry_list(c, &h->n, LIMIT_MIME_HEADERS, sizeof(*new));

	if (c->to == NULL)
		h->field = new;
	for (size_t i = 0; i < h->n; i++) {
		carry_text(c, &h->field[i].name, LIMIT_MIME_HEAD);
		carry_text(c, &h->field[i].value, LIMIT_MIME_HEAD);
	}
	carry_size(c, &h->size, c->source.n);
	carry_size(c, &h->stray, c->source.n);
	carry_bool(c, &h->over);
	carry_bool(c, &h->damaged);
	carry_bool(c, &h->ended);
	carry_bool(c, &h->blurred);
}

static void
shape_value(struct carry *c, struct mime_value *v)
{
	struct mime_param *new;

	carry_text(c, &v->value, LIMIT_MIME_HEAD);
	new = carry_list(c, &v->n, LIMIT_MIME_PARAMS, sizeof(*new));
	if (c->to == NULL)
		v->param = new;
	for (size_t i = 0; i < v->n; i++) {
		carry_text(c, &v->param[i].name, LIMIT_MIME_HEAD);
		carry_text(c, &v->param[i].value, 4 * LIMIT_MIME_HEAD);
	}
}

/* A part of the message's i-th; its parent comes before it. */
static void
shape_part(struct carry *c, struct mime_message *m, int i)
{
	struct mime_part *p = &m->part[i];
	int encoding = (int)p->encoding;

	carry_int(c, &p->parent, -1, i - 1);
	carry_int(c, &p->depth, 0, LIMIT_MIME_DEPTH + 1);
	/* Only the first has none. */
	c->bad = c->bad || (i > 0 && p->parent < 0);
	shape_header(c, &p->header);
	carry_text(c, &p->type, LIMIT_MIME_HEAD);
	shape_value(c, &p->ctype);
	shape_value(c, &p->disp);
	carry_int(c, &encoding, MIME_IDENTITY, MIME_BASE64);
	p->encoding = (enum mime_encoding)encoding;
	carry_text(c, &p->body, c->source.n);
	carry_bool(c, &p->is_multipart);
	carry_bool(c, &p->is_message);
}

void
shape_message(struct carry *c, struct mime_message *m)
{
	struct mime_part *new =
	    carry_list(c, &m->n, LIMIT_MIME_PARTS, sizeof(*new));

	if (c->to == NULL)
		*m = (struct mime_message){ new, m->n, false, c->source };
	/* There is the message itself at least. */
	c->bad = c->bad || m->n == 0;
	for (size_t i = 0; i < m->n; i++)
		shape_part(c, m, (int)i);
	carry_bool(c, &m->over);
}

/* -- what is read ---------------------------------------------------------- */

static void
shape_attachment(struct carry *c, struct mime_attachment *f,
    const struct mime_message *m)
{
	size_t at = c->to != NULL ? (size_t)(f->part - m->part) : 0;

	carry_size(c, &at, m->n - 1);
	f->part = &m->part[at];
	carry_utf8(c, &f->name, 4 * LIMIT_MIME_HEAD);
	carry_text(c, &f->type, LIMIT_MIME_HEAD);
	carry_bool(c, &f->deceptive);
	/* No name, or one with a path, is no name of a file. */
	c->bad = c->bad || f->name.n == 0 || str_has_char(f->name, '/') ||
	    str_has_char(f->name, '\0');
}

void
shape_reading(struct carry *c, struct mime_reading *r,
    const struct mime_message *m)
{
	struct mime_attachment *new;

	carry_utf8(c, &r->text, LIMIT_MIME_TEXT);
	carry_utf8(c, &r->other, LIMIT_MIME_TEXT);
	carry_bool(c, &r->divergent);
	carry_bool(c, &r->from_html);
	shape_found(c, &r->html, 4 * m->raw.n + LIMIT_MIME_PARTS, true);
	carry_bool(c, &r->truncated);
	carry_bool(c, &r->bad_charset);
	new = carry_list(c, &r->n, m->n, sizeof(*new));
	if (c->to == NULL)
		r->attachment = new;
	for (size_t i = 0; i < r->n; i++)
		shape_attachment(c, &r->attachment[i], m);
}
