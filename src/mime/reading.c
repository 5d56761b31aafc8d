/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a person reads of a message: which leaves are its text, and which are
 * attachments.  First the structure decides (walk), without decoding a byte;
 * then, if a multipart/alternative offers a choice, the words do
 * (reading_choice.c).
 */
#include <string.h>

#include "base/limits.h"
#include "mime/elsewhere.h"
#include "mime/reading.h"

static bool
mime_reading_is_text(const struct mime_part *p)
{
	return reading_type_is_html(p) || str_eq(p->type, S("text/plain")) ||
	    str_eq(p->type, S("text/markdown"));
}

static bool
has_name(const struct mime_part *p)
{
	return mime_param_get(&p->disp, "filename").n > 0 ||
	    mime_param_get(&p->ctype, "name").n > 0;
}

/*
 * Can this leaf be part of the text?  As in RFC 8621 section 4.1.4: not if its
 * disposition is attachment, and not if it has a name and is not the first.
 */
static bool
mime_reading_may_be_text(const struct reading_plan *pl, size_t i)
{
	const struct mime_part *p = &pl->m->part[i];

	if (p->is_message || str_eq(p->disp.value, S("attachment")))
		return false;
	/* A message with a text type other than HTML is read as plain text. */
	if (i == 0 && str_starts(p->type, S("text/")))
		return true;
	return mime_reading_is_text(p) && (pl->nth[i] == 0 || !has_name(p));
}

static bool
mime_reading_holds_text(const struct reading_plan *pl, size_t i)
{
	size_t k = i;

	while (k < pl->end[i]) {
		const struct mime_part *p = &pl->m->part[k];

		if (!p->is_multipart && mime_reading_may_be_text(pl, k))
			return true;
		k = p->is_message ? pl->end[k] : k + 1;
	}
	return false;
}

static bool
mime_reading_has_cid(const struct mime_part *p, struct str start)
{
	const struct mime_field *f =
	    mime_header_get(&p->header, "Content-ID", 0);

	return f != NULL && str_eq(str_trim(f->value), str_trim(start));
}

/*
 * The part of a multipart/related that is shown, RFC 2387 section 3.2: the one
 * that `start` names, else the first; if that has no text, the first that has.
 */
static size_t
mime_reading_root_of(const struct reading_plan *pl, size_t i)
{
	struct str start = mime_param_get(&pl->m->part[i].ctype, "start");
	size_t root = i + 1;

	for (size_t k = i + 1; start.n > 0 && k < pl->end[i]; k = pl->end[k])
		if (mime_reading_has_cid(&pl->m->part[k], start)) {
			root = k;
			break;
		}
	if (root < pl->end[i] && mime_reading_holds_text(pl, root))
		return root;
	for (size_t k = i + 1; k < pl->end[i]; k = pl->end[k])
		if (mime_reading_holds_text(pl, k))
			return k;
	return root;
}

/* Fills end[], nth[] and root[]: the tree, from the list of parents. */
static void
mime_reading_measure(struct reading_plan *pl, const struct mime_message *m)
{
	size_t n = m->n;

	pl->m = m;
	for (size_t i = 0; i < n; i++) {
		pl->role[i] = READING_NONE;
		pl->end[i] = i + 1;
		pl->nth[i] = 0;
		pl->root[i] = i;
	}
	for (size_t i = n; i-- > 1;) {
		size_t up = (size_t)m->part[i].parent;

		if (pl->end[up] < pl->end[i])
			pl->end[up] = pl->end[i];
	}
	for (size_t i = 0; i < n; i++) {
		size_t nth = 0;

		for (size_t k = i + 1; k < pl->end[i]; k = pl->end[k])
			pl->nth[k] = nth++;
	}
	for (size_t i = 0; i < n; i++)
		if (reading_type_is(&m->part[i], "multipart/related"))
			pl->root[i] = mime_reading_root_of(pl, i);
}

/* Gives every leaf outside of attached messages its role. */
static void
mime_reading_walk(struct reading_plan *pl)
{
	const struct mime_message *m = pl->m;
	size_t i = 0;

	while (i < m->n) {
		const struct mime_part *p = &m->part[i];
		size_t up = p->parent >= 0 ? (size_t)p->parent : 0;
		bool aside; /* an image or the like beside a related root */

		/* All other children of a related part are attachments. */
		aside = i > 0 &&
		    (pl->role[up] == READING_FILE ||
			(reading_type_is(&m->part[up], "multipart/related") &&
			    pl->root[up] != i));
		if (p->is_multipart) {
			pl->role[i] = aside ? READING_FILE : READING_NONE;
			i++;
		} else {
			pl->role[i] = !aside && mime_reading_may_be_text(pl, i)
			    ? READING_TEXT
			    : READING_FILE;
			i = pl->end[i];
		}
	}
	for (i = 0; i < m->n; i++)
		if (m->part[i].is_multipart)
			pl->role[i] = READING_NONE;
}

static struct str
without_line_ends(struct str s)
{
	while (s.n > 0 && s.p[s.n - 1] == '\n')
		s.n--;
	return s;
}

/* A single text is not changed; several are separated by an empty line. */
static struct str
mime_reading_join_texts(const struct reading_plan *pl, struct reading_texts *t,
    bool *html)
{
	struct str one = S("");
	struct buf b;
	size_t n = 0;

	buf_init(&b, t->a, LIMIT_MIME_TEXT);
	for (size_t i = 0; i < pl->m->n; i++) {
		struct str s;

		if (pl->role[i] != READING_TEXT || !reading_text_speaks(t, i))
			continue;
		s = reading_text(t, i);
		*html |= reading_type_is_html(&pl->m->part[i]);
		if (n == 1)
			buf_str(&b, without_line_ends(one));
		if (n > 0) {
			buf_text(&b, "\n\n");
			buf_str(&b, without_line_ends(s));
		}
		one = s;
		n++;
	}
	if (n > 1)
		buf_char(&b, '\n');
	t->out->truncated |= b.over;
	return n > 1 ? buf_view(&b) : one;
}

static void
mime_reading_list_files(struct arena *a, const struct reading_plan *pl,
    struct mime_reading *out)
{
	const struct mime_message *m = pl->m;

	out->attachment = arena_array(a, m->n, sizeof(*out->attachment));
	for (size_t i = 0; i < m->n; i++) {
		struct mime_attachment *f = &out->attachment[out->n];

		if (pl->role[i] != READING_FILE)
			continue;
		out->n++;
		f->part = &m->part[i];
		f->type = m->part[i].type;
		f->name = mime_part_name(a, f->part);
		f->deceptive = name_is_deceptive(a, f->part);
		if (f->name.n == 0)
			f->name = name_make_up(a, f->type, out->n);
	}
}

/* The hidden text and the links of all HTML of the message, in order. */
static void
mime_reading_gather_found(struct reading_texts *t, struct html_found *out)
{
	size_t links = 0;

	for (size_t i = 0; i < t->m->n; i++)
		links += t->found[i].links;
	if (links > LIMIT_MIME_LINKS)
		links = LIMIT_MIME_LINKS;
	out->link = arena_array(t->a, links, sizeof(*out->link));
	for (size_t i = 0; i < t->m->n; i++) {
		const struct html_found *f = &t->found[i];

		for (size_t k = 0; k < HTML_HIDDENS; k++)
			out->hidden[k] += f->hidden[k];
		out->tracking += f->tracking;
		out->over |= f->over;
		for (size_t k = 0; k < f->links; k++) {
			if (out->links == links) {
				out->over = true;
				break;
			}
			out->link[out->links++] = f->link[k];
		}
	}
}

void
reading_as(struct arena *a, const struct mime_message *m,
    enum mime_part_choice want, struct mime_reading *out)
{
	struct reading_plan pl = { 0 };
	unsigned char roles[LIMIT_MIME_PARTS];
	struct reading_texts t;
	bool html = false;

	*out = (struct mime_reading){ .truncated = m->over };
	reading_text_init(&t, a, m, out);
	mime_reading_measure(&pl, m);
	mime_reading_walk(&pl);
	memcpy(roles, pl.role, sizeof(roles));
	out->divergent = reading_choice_make(&pl, &t, want);
	out->text = mime_reading_join_texts(&pl, &t, &out->from_html);
	if (out->divergent && want == MIME_PART_AUTO) {
		memcpy(pl.role, roles, sizeof(roles));
		(void)reading_choice_make(&pl, &t, MIME_PART_PLAIN);
		out->other = mime_reading_join_texts(&pl, &t, &html);
		if (str_eq(out->other, out->text))
			out->other = S("");
	}
	mime_reading_gather_found(&t, &out->html);
	out->truncated |= out->html.over;
	mime_reading_list_files(a, &pl, out);
}

void
mime_reading_as(struct arena *a, const struct mime_message *m,
    enum mime_part_choice want, struct mime_reading *out)
{
	if (mime_elsewhere_by != NULL)
		mime_elsewhere_by->reading(a, m, want, out);
	else
		reading_as(a, m, want, out);
}

void
mime_reading_make(struct arena *a, const struct mime_message *m,
    struct mime_reading *out)
{
	mime_reading_as(a, m, MIME_PART_AUTO, out);
}

bool
mime_reading_has_attachments(const struct mime_message *m)
{
	struct reading_plan pl = { 0 };

	mime_reading_measure(&pl, m);
	mime_reading_walk(&pl);
	return memchr(pl.role, READING_FILE, m->n) != NULL;
}
