/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structure of a message: RFC 2045, RFC 2046.  One pass over the bytes with
 * a stack of open parts.  Each line is read once; only a line that begins with
 * "--" is compared with the open boundaries, at most LIMIT_MIME_DEPTH of them,
 * so all steps are at most linear.
 */
#include <string.h>

#include "base/limits.h"
#include "mime/elsewhere.h"
#include "mime/internal.h"

#define NO_PART SIZE_MAX /* beyond LIMIT_MIME_PARTS: parsed, not recorded */

struct open {
	size_t part;
	struct str boundary; /* of a multipart; empty after its end was seen */
	bool is_multipart;
	bool is_digest;
	bool met; /* a line with its boundary was seen */
};

struct parser {
	struct arena *a;
	struct str raw;
	struct mime_message *out;
	struct open stack[LIMIT_MIME_DEPTH + 2];
	size_t top;
	size_t bounds;   /* stack entries with a boundary to search for */
	uint64_t firsts; /* the first characters of these boundaries */
};

struct match {
	size_t level; /* the entry with this boundary */
	bool closing;
	size_t begin, next; /* the line, and the text after it */
};

static uint64_t
mime_message_bit(char c)
{
	return UINT64_C(1) << ((unsigned char)c % 64);
}

/*
 * Does the line, without its dashes, begin with an open boundary?  "It is
 * sufficient that the boundary appear in its entirety", RFC 2046 section 5.1.1;
 * the longest one wins, among equal ones the innermost.  So an outer boundary
 * closes the parts within (5.1.2).
 */
static bool
mime_message_is_boundary(const struct parser *ps, struct str line,
    struct match *m)
{
	size_t longest = 0;

	if (line.n == 0 || (ps->firsts & mime_message_bit(line.p[0])) == 0)
		return false;
	for (size_t i = ps->top; i-- > 0;) {
		struct str b = ps->stack[i].boundary;

		if (b.n > longest && str_starts(line, b)) {
			longest = b.n;
			m->level = i;
		}
	}
	m->closing = str_starts(str_from(line, longest), S("--"));
	return longest > 0;
}

/* The end of the line that begins at pos: its LF, or the end of the message. */
static size_t
mime_message_line_end(const struct parser *ps, size_t pos)
{
	const char *nl = memchr(ps->raw.p + pos, '\n', ps->raw.n - pos);

	return nl != NULL ? (size_t)(nl - ps->raw.p) : ps->raw.n;
}

/* Is there a boundary at pos, the start of a line? */
static bool
mime_message_boundary_at(const struct parser *ps, size_t pos, struct match *m)
{
	struct str line;
	size_t end;

	if (ps->raw.n - pos < 3 || ps->raw.p[pos] != '-' ||
	    ps->raw.p[pos + 1] != '-')
		return false;
	end = mime_message_line_end(ps, pos);
	line = (struct str){ ps->raw.p + pos + 2, end - pos - 2 };
	if (!mime_message_is_boundary(ps, line, m))
		return false;
	m->begin = pos;
	m->next = end < ps->raw.n ? end + 1 : end;
	return true;
}

/* The next boundary line from pos on, the start of a line. */
static bool
mime_message_next_boundary(const struct parser *ps, size_t pos, struct match *m)
{
	if (ps->bounds == 0)
		return false;
	while (pos < ps->raw.n) {
		if (mime_message_boundary_at(ps, pos, m))
			return true;
		pos = mime_message_line_end(ps, pos) + 1;
	}
	return false;
}

/*
 * The end of the header that starts at pos: after its empty line, or before a
 * boundary, since a part may be cut off within its header.
 */
static size_t
mime_message_head_end(const struct parser *ps, size_t pos)
{
	struct match m;

	if (ps->bounds == 0)
		return ps->raw.n; /* the header's parser finds its end */
	while (pos < ps->raw.n) {
		size_t end = mime_message_line_end(ps, pos), next;

		next = end < ps->raw.n ? end + 1 : end;
		if (end == pos || (end == pos + 1 && ps->raw.p[pos] == '\r'))
			return next;
		if (mime_message_boundary_at(ps, pos, &m))
			return pos;
		pos = next;
	}
	return ps->raw.n;
}

static enum mime_encoding
mime_message_encoding_of(const struct mime_header *h)
{
	const struct mime_field *f =
	    mime_header_get(h, "Content-Transfer-Encoding", 0);
	struct str s, tail;

	if (f == NULL)
		return MIME_IDENTITY;
	s = str_trim(f->value);
	(void)str_cut(s, ';', &s, &tail);
	(void)str_cut(s, '(', &s, &tail);
	s = str_trim(s);
	if (s.n > 1 && s.p[0] == '"' && s.p[s.n - 1] == '"')
		s = (struct str){ s.p + 1, s.n - 2 };
	if (str_eq_case(s, S("base64")))
		return MIME_BASE64;
	if (str_eq_case(s, S("quoted-printable")))
		return MIME_QP;
	return MIME_IDENTITY;
}

static void
mime_message_read_fields(struct parser *ps, struct mime_part *p, bool in_digest)
{
	const struct mime_field *f;

	f = mime_header_get(&p->header, "Content-Type", 0);
	if (f != NULL)
		mime_param_parse(ps->a, f->value, &p->ctype);
	/* A type that cannot be parsed is plain text, RFC 2045 section 5.2. */
	p->type = p->ctype.value;
	if (!str_has_char(p->type, '/'))
		p->type = S("text/plain");
	if (f == NULL && in_digest)
		p->type = S("message/rfc822"); /* RFC 2046 section 5.1.5 */
	f = mime_header_get(&p->header, "Content-Disposition", 0);
	if (f != NULL)
		mime_param_parse(ps->a, f->value, &p->disp);
	p->encoding = mime_message_encoding_of(&p->header);
}

/* Decides whether it contains parts; beyond the depth it stays a leaf. */
static void
mime_message_classify(struct parser *ps, struct mime_part *p, struct open *o)
{
	bool deep = p->depth >= LIMIT_MIME_DEPTH;

	if (str_starts(p->type, S("multipart/"))) {
		struct str b = mime_param_get(&p->ctype, "boundary");

		if (b.n == 0) {
			p->type = S("text/plain"); /* no boundary to split it */
		} else if (deep) {
			ps->out->over = true;
		} else {
			p->is_multipart = o->is_multipart = true;
			o->is_digest = str_eq(p->type, S("multipart/digest"));
			o->boundary = b;
			ps->bounds++;
			ps->firsts |= mime_message_bit(b.p[0]);
		}
	} else if ((str_eq(p->type, S("message/rfc822")) ||
		       str_eq(p->type, S("message/global"))) &&
	    p->encoding == MIME_IDENTITY) {
		/* RFC 2046 section 5.2.1 allows no other encoding. */
		if (deep)
			ps->out->over = true;
		else
			p->is_message = true;
	}
	if (p->is_multipart)
		p->encoding = MIME_IDENTITY; /* RFC 2045 section 6.4 */
}

static struct mime_part *
mime_message_add_part(struct parser *ps)
{
	struct mime_message *m = ps->out;
	struct mime_part *p;

	m->part = arena_more(ps->a, m->part, m->n, sizeof(*p));
	p = &m->part[m->n++];
	p->depth = (int)ps->top;
	p->parent = ps->top > 0 ? (int)ps->stack[ps->top - 1].part : -1;
	return p;
}

/*
 * A header without an empty line after it and with a line that is not a field:
 * that line and everything after it are text, or nobody would ever see them.
 */
static void
read_header(struct arena *a, struct str src, struct mime_header *out)
{
	mime_header_parse(a, src, out);
	if (!out->ended && out->damaged)
		mime_header_parse(a, str_first(src, out->stray), out);
}

/*
 * Reads the header of a part at *pos, pushes the part on the stack and moves
 * *pos to its body.  True if that body is a message, a part of its own.
 */
static bool
mime_message_begin_part(struct parser *ps, size_t *pos)
{
	bool in_digest = ps->top > 0 && ps->stack[ps->top - 1].is_digest;
	struct open o = { 0 };
	struct mime_part *p;
	struct str src;

	if (ps->out->n >= LIMIT_MIME_PARTS) {
		ps->out->over = true;
		o.part = NO_PART;
		ps->stack[ps->top++] = o;
		return false;
	}
	o.part = ps->out->n;
	p = mime_message_add_part(ps);
	src.p = ps->raw.p + *pos;
	src.n = mime_message_head_end(ps, *pos) - *pos;
	read_header(ps->a, src, &p->header);
	if (p->header.over)
		ps->out->over = true;
	mime_message_read_fields(ps, p, in_digest);
	mime_message_classify(ps, p, &o);
	*pos += p->header.size;
	p->body.p = ps->raw.p + *pos;
	p->body.n = ps->raw.n - *pos; /* until its end is found */
	ps->stack[ps->top++] = o;
	return p->is_message;
}

/* Ends the open parts above `level`; their last byte is before `end`. */
static void
mime_message_end_parts(struct parser *ps, size_t level, size_t end)
{
	while (ps->top > level) {
		struct open *o = &ps->stack[--ps->top];
		struct mime_part *p;
		size_t begin;

		if (o->boundary.n > 0)
			ps->bounds--;
		if (ps->bounds == 0)
			ps->firsts = 0;
		if (o->part == NO_PART)
			continue;
		p = &ps->out->part[o->part];
		begin = (size_t)(p->body.p - ps->raw.p);
		p->body.n = end > begin ? end - begin : 0;
		if (o->is_multipart && !o->met) {
			/*
			 * Its boundary never came: show the text instead of
			 * hiding it.
			 */
			p->is_multipart = false;
			p->type = S("text/plain");
			p->encoding = mime_message_encoding_of(&p->header);
		}
	}
}

/* The line end before a boundary belongs to it, RFC 2046 section 5.1.1. */
static size_t
mime_message_before_line(const struct parser *ps, size_t begin)
{
	if (begin > 0 && ps->raw.p[begin - 1] == '\n')
		begin--;
	if (begin > 0 && ps->raw.p[begin - 1] == '\r')
		begin--;
	return begin;
}

void
message_parse(struct arena *a, struct str raw, struct mime_message *out)
{
	struct parser ps = { .a = a, .raw = raw, .out = out };
	struct match m;
	size_t pos = 0;

	*out = (struct mime_message){ .raw = raw };
	if (raw.p == NULL)
		ps.raw.p = "";
	while (mime_message_begin_part(&ps, &pos))
		;
	while (mime_message_next_boundary(&ps, pos, &m)) {
		struct open *o = &ps.stack[m.level];

		mime_message_end_parts(&ps, m.level + 1,
		    mime_message_before_line(&ps, m.begin));
		pos = m.next;
		o->met = true;
		if (m.closing) {
			/*
			 * The text from here to an outer boundary is ignored.
			 */
			o->boundary = S("");
			ps.bounds--;
			continue;
		}
		while (mime_message_begin_part(&ps, &pos))
			;
	}
	mime_message_end_parts(&ps, 0, raw.n);
}

void
mime_message_parse(struct arena *a, struct str raw, struct mime_message *out)
{
	if (mime_elsewhere_by != NULL)
		mime_elsewhere_by->message(a, raw, out);
	else
		message_parse(a, raw, out);
}
