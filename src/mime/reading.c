/*
 * What a person reads of a message: which leaves are its text, which are
 * attachments.  First the structure decides (walk), without decoding a byte;
 * then, where a multipart/alternative offers a choice, the words do.
 */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/html.h"
#include "mime/internal.h"

enum role {
	ROLE_NONE, /* a container, or within an attached message */
	ROLE_TEXT, /* read */
	ROLE_FILE, /* an attachment */
	ROLE_LEFT, /* an alternative that was not chosen */
};

struct plan {
	const struct mime_message *m;
	size_t end[LIMIT_MIME_PARTS];  /* behind the last part within */
	size_t nth[LIMIT_MIME_PARTS];  /* the how manyeth child it is */
	size_t root[LIMIT_MIME_PARTS]; /* of a multipart/related */
	unsigned char role[LIMIT_MIME_PARTS];
};

/* Text leaves as they are read, decoded when first asked for. */
struct texts {
	struct arena *a;
	const struct mime_message *m;
	struct str *v;
	bool *done;
	size_t room; /* what is left of LIMIT_MIME_TEXT */
	struct mime_reading *out;
};

static bool
is_html(const struct mime_part *p)
{
	return str_eq(p->type, S("text/html"));
}

static bool
is_text(const struct mime_part *p)
{
	return is_html(p) || str_eq(p->type, S("text/plain")) ||
	    str_eq(p->type, S("text/markdown"));
}

static bool
is_type(const struct mime_part *p, const char *type)
{
	return p->is_multipart && str_eq(p->type, str_of(type));
}

static bool
has_name(const struct mime_part *p)
{
	return mime_param_get(&p->disp, "filename").n > 0 ||
	    mime_param_get(&p->ctype, "name").n > 0;
}

/*
 * Can this leaf be part of the text?  As RFC 8621 section 4.1.4 has it: not
 * when it says attachment, and not when it has a name and is not the first.
 */
static bool
may_be_text(const struct plan *pl, size_t i)
{
	const struct mime_part *p = &pl->m->part[i];

	if (p->is_message || str_eq(p->disp.value, S("attachment")))
		return false;
	/* A message that is only text of some kind is read as plain text. */
	if (i == 0 && str_starts(p->type, S("text/")))
		return true;
	return is_text(p) && (pl->nth[i] == 0 || !has_name(p));
}

static bool
holds_text(const struct plan *pl, size_t i)
{
	size_t k = i;

	while (k < pl->end[i]) {
		const struct mime_part *p = &pl->m->part[k];

		if (!p->is_multipart && may_be_text(pl, k))
			return true;
		k = p->is_message ? pl->end[k] : k + 1;
	}
	return false;
}

static bool
has_cid(const struct mime_part *p, struct str start)
{
	const struct mime_field *f =
	    mime_header_get(&p->header, "Content-ID", 0);

	return f != NULL && str_eq(str_trim(f->value), str_trim(start));
}

/*
 * The part of a multipart/related that is shown, RFC 2387 section 3.2: the one
 * `start` names, else the first; if that has no text, the first that has.
 */
static size_t
root_of(const struct plan *pl, size_t i)
{
	struct str start = mime_param_get(&pl->m->part[i].ctype, "start");
	size_t root = i + 1;

	for (size_t k = i + 1; start.n > 0 && k < pl->end[i]; k = pl->end[k])
		if (has_cid(&pl->m->part[k], start)) {
			root = k;
			break;
		}
	if (root < pl->end[i] && holds_text(pl, root))
		return root;
	for (size_t k = i + 1; k < pl->end[i]; k = pl->end[k])
		if (holds_text(pl, k))
			return k;
	return root;
}

/* Fills end[], nth[] and root[]: the tree, from the list with parents. */
static void
measure(struct plan *pl, const struct mime_message *m)
{
	size_t n = m->n;

	pl->m = m;
	for (size_t i = 0; i < n; i++) {
		pl->role[i] = ROLE_NONE;
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
		if (is_type(&m->part[i], "multipart/related"))
			pl->root[i] = root_of(pl, i);
}

/* Gives every leaf outside of attached messages its role. */
static void
walk(struct plan *pl)
{
	const struct mime_message *m = pl->m;
	size_t i = 0;

	while (i < m->n) {
		const struct mime_part *p = &m->part[i];
		size_t up = p->parent >= 0 ? (size_t)p->parent : 0;
		bool aside; /* an image and the like of a related root */

		/* A related part's other children are all attachments. */
		aside = i > 0 &&
		    (pl->role[up] == ROLE_FILE ||
			(is_type(&m->part[up], "multipart/related") &&
			    pl->root[up] != i));
		if (p->is_multipart) {
			pl->role[i] = aside ? ROLE_FILE : ROLE_NONE;
			i++;
		} else {
			pl->role[i] = !aside && may_be_text(pl, i) ? ROLE_TEXT
								   : ROLE_FILE;
			i = pl->end[i];
		}
	}
	for (i = 0; i < m->n; i++)
		if (m->part[i].is_multipart)
			pl->role[i] = ROLE_NONE;
}

/* Is it a view into the message?  Then it stays as long as that does. */
static bool
is_view(struct str s, const struct mime_part *p)
{
	return s.n > 0 && (uintptr_t)s.p >= (uintptr_t)p->body.p &&
	    (uintptr_t)s.p + s.n <= (uintptr_t)p->body.p + p->body.n;
}

/*
 * A step each for transfer encoding, charset, line ends and markup: what they
 * leave behind is several times the part, so it is left where it can be freed.
 */
static struct str
read_part(struct texts *t, const struct mime_part *p, bool *over)
{
	CLEANUP(arena_close) struct arena *passing = arena_open(LIMIT_ARENA);
	struct str s = part_read(passing, p, &t->out->bad_charset);

	struct html_found found = { 0 };

	if (is_html(p)) {
		s = html_text(passing, s, t->room, &found);
		*over = found.over;
	}
	if (s.n > t->room) {
		s = utf8_first(s, t->room);
		*over = true;
	}
	return is_view(s, p) ? s : str_dup(t->a, s);
}

static struct str
text_of(struct texts *t, size_t i)
{
	bool over = t->room == 0;

	if (t->done[i])
		return t->v[i];
	t->done[i] = true;
	if (!over)
		t->v[i] = read_part(t, &t->m->part[i], &over);
	t->room -= t->v[i].n;
	t->out->truncated |= over;
	return t->v[i];
}

/* Is there anything to read, or only white space of one kind or another? */
static bool
has_words(struct str s)
{
	size_t i = 0;

	while (i < s.n) {
		bool ok = true;
		uint32_t cp = utf8_next(s, &i, &ok);

		if (cp > ' ' && cp != 0x7F && cp != 0xA0 && cp != 0x3000 &&
		    cp != 0xFEFF && (cp < 0x2000 || cp > 0x200F))
			return true;
	}
	return false;
}

/* Does part i, or one within, have text of that kind with words in it? */
static bool
speaks(const struct plan *pl, struct texts *t, size_t i, bool html)
{
	for (size_t k = i; k < pl->end[i]; k++)
		if (pl->role[k] == ROLE_TEXT &&
		    is_html(&pl->m->part[k]) == html &&
		    has_words(text_of(t, k)))
			return true;
	return false;
}

/* Which child of a multipart/alternative is read: 0 when none has words. */
static size_t
choose(const struct plan *pl, struct texts *t, size_t i)
{
	size_t best = 0;

	for (size_t k = i + 1; k < pl->end[i]; k = pl->end[k])
		if (speaks(pl, t, k, false))
			return k;
	/* The last is the richest, RFC 2046 section 5.1.4. */
	for (size_t k = i + 1; k < pl->end[i]; k = pl->end[k])
		if (speaks(pl, t, k, true))
			best = k;
	return best;
}

/* Leaves every alternative but one; the innermost choices come first. */
static void
leave_others(struct plan *pl, struct texts *t)
{
	for (size_t i = pl->m->n; i-- > 0;) {
		size_t best;

		if (!is_type(&pl->m->part[i], "multipart/alternative"))
			continue;
		best = choose(pl, t, i);
		for (size_t k = i + 1; k < pl->end[i]; k++)
			if (pl->role[k] == ROLE_TEXT &&
			    (best == 0 || k < best || k >= pl->end[best]))
				pl->role[k] = ROLE_LEFT;
	}
}

static struct str
without_line_ends(struct str s)
{
	while (s.n > 0 && s.p[s.n - 1] == '\n')
		s.n--;
	return s;
}

/* One text stays as it is; several are set apart by an empty line. */
static void
join_texts(const struct plan *pl, struct texts *t)
{
	struct str one = S("");
	struct buf b;
	size_t n = 0;

	buf_init(&b, t->a, LIMIT_MIME_TEXT);
	for (size_t i = 0; i < pl->m->n; i++) {
		struct str s;

		if (pl->role[i] != ROLE_TEXT)
			continue;
		s = text_of(t, i);
		if (!has_words(s))
			continue;
		t->out->from_html |= is_html(&pl->m->part[i]);
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
	t->out->text = n > 1 ? buf_view(&b) : one;
}

static void
list_files(struct arena *a, const struct plan *pl, struct mime_reading *out)
{
	const struct mime_message *m = pl->m;

	out->attachment = arena_array(a, m->n, sizeof(*out->attachment));
	for (size_t i = 0; i < m->n; i++) {
		struct mime_attachment *f = &out->attachment[out->n];

		if (pl->role[i] != ROLE_FILE)
			continue;
		out->n++;
		f->part = &m->part[i];
		f->type = m->part[i].type;
		f->name = mime_part_name(a, f->part);
		if (f->name.n == 0)
			f->name = name_make_up(a, f->type, out->n);
	}
}

void
mime_reading_make(struct arena *a, const struct mime_message *m,
    struct mime_reading *out)
{
	struct plan pl = { 0 };
	struct texts t = { .a = a, .m = m, .room = LIMIT_MIME_TEXT };

	*out = (struct mime_reading){ .truncated = m->over };
	t.out = out;
	t.v = arena_array(a, m->n, sizeof(*t.v));
	t.done = arena_array(a, m->n, sizeof(*t.done));
	measure(&pl, m);
	walk(&pl);
	leave_others(&pl, &t);
	join_texts(&pl, &t);
	list_files(a, &pl, out);
}

bool
mime_reading_has_attachments(const struct mime_message *m)
{
	struct plan pl = { 0 };

	measure(&pl, m);
	walk(&pl);
	return memchr(pl.role, ROLE_FILE, m->n) != NULL;
}
