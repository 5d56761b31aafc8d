/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a message that is passed on brings along.  Its fields and its text were
 * written by others, and none of them can end the block: a header field has no
 * line end, and a line that would read as the end begins with one more space.
 */
#include "mime/forward.h"

#include "base/clean.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/compose.h"
#include "mime/date.h"
#include "mime/quote.h"

enum {
	PEOPLE_SHOWN = 100, /* of one field */
	SAME_SHOWN = 2      /* fields of one name */
};

#define BEGIN "---------- Forwarded message ----------"
#define END "---------- End of forwarded message ----------"
#define RULE "---------- " /* the beginning of both */

/* Some readers end a line at U+2028 and U+2029, others do not. */
static struct str
forward_separators(struct arena *a, struct str s, char as)
{
	struct buf b;

	if (str_find(s, S("\xE2\x80\xA8")) < 0 &&
	    str_find(s, S("\xE2\x80\xA9")) < 0)
		return s;
	buf_init(&b, a, LIMIT_OUTGOING);
	for (size_t i = 0; i < s.n; i++) {
		struct str rest = str_from(s, i);

		if (str_starts(rest, S("\xE2\x80\xA8")) ||
		    str_starts(rest, S("\xE2\x80\xA9"))) {
			buf_char(&b, as);
			i += 2;
		} else {
			buf_char(&b, s.p[i]);
		}
	}
	return buf_view(&b);
}

/* Would a reader take the line for one of ours, or for a signature's? */
static bool
forward_is_ours(struct str line)
{
	return str_eq(str_trim(line), S(BEGIN)) ||
	    str_eq(str_trim(line), S(END)) || str_eq(line, S("-- "));
}

static struct str
forward_text(struct arena *a, struct str text)
{
	struct str rest = forward_separators(a, text, '\n'), line;
	struct buf b;

	buf_init(&b, a, LIMIT_OUTGOING);
	while (rest.n > 0) {
		bool ended = str_cut(rest, '\n', &line, &rest);

		buf_text(&b, forward_is_ours(line) ? " " : "");
		buf_str(&b, line);
		buf_text(&b, ended ? "\n" : "");
	}
	return buf_view(&b);
}

/*
 * A reader that does not join the lines of a paragraph sees each of them: RFC
 * 3676 section 4.4 allows one more space before any.
 */
static void
forward_put_lines(struct buf *out, struct str flowed)
{
	struct str line;

	while (flowed.n > 0) {
		(void)str_cut(flowed, '\n', &line, &flowed);
		buf_text(out, str_starts(line, S(RULE)) ? " " : "");
		buf_str(out, line);
		buf_char(out, '\n');
	}
}

static void
forward_put_address(struct buf *b, const struct address *p)
{
	struct str name =
	    forward_separators(b->a, clean_address(b->a, p->name, NULL), ' ');
	struct str addr =
	    forward_separators(b->a, clean_address(b->a, p->addr, NULL), ' ');

	if (name.n > 0)
		buf_fmt(b, "%.*s <%.*s>", STR_ARG(name), STR_ARG(addr));
	else
		buf_str(b, addr);
}

/* "To: Ann <ann@us.example>, bob@us.example" */
static void
forward_put_people(struct arena *a, struct buf *out, const char *name,
    const struct addresses *l)
{
	struct buf b;

	if (l->n == 0)
		return;
	buf_init(&b, a, LIMIT_OUTGOING);
	buf_fmt(&b, "%s: ", name);
	for (size_t i = 0; i < l->n && i < PEOPLE_SHOWN; i++) {
		buf_text(&b, i > 0 ? ", " : "");
		forward_put_address(&b, &l->v[i]);
	}
	if (l->n > PEOPLE_SHOWN)
		buf_fmt(&b, " and %zu more", l->n - PEOPLE_SHOWN);
	quote_flow(out, buf_view(&b), 0);
}

static void
forward_put_head(struct arena *a, struct buf *out,
    const struct mime_envelope *v)
{
	struct str subject =
	    forward_separators(a, clean_text(a, v->subject, NULL), ' ');

	forward_put_people(a, out, "From", &v->from);
	if (v->has_date) {
		buf_text(out, "Date: ");
		quote_put_date(out,
		    date_rfc3339(a, v->date_s, v->date_offset_min));
		buf_char(out, '\n');
	}
	quote_flow(out, str_fmt(a, "Subject: %.*s", STR_ARG(subject)), 0);
	forward_put_people(a, out, "To", &v->to);
	forward_put_people(a, out, "Cc", &v->cc);
}

struct str
forward_block(struct arena *a, const struct forward *f)
{
	struct str text = f->text;
	struct buf b, within;

	text = str_trim_end(text, S(" \t\n"));
	buf_init(&b, a, LIMIT_OUTGOING);
	buf_init(&within, a, LIMIT_OUTGOING);
	forward_put_head(a, &within, f->env);
	buf_char(&within, '\n');
	quote_flow(&within, forward_text(a, text), 0);
	buf_text(&b, BEGIN "\n");
	forward_put_lines(&b, buf_view(&within));
	if (f->cut)
		buf_text(&b, "[...]\n");
	buf_text(&b, END "\n");
	return buf_view(&b);
}

struct strs
forward_which(struct arena *a, struct str raw)
{
	static const char *const names[] = { "From", "Date", "Subject" };
	struct mime_message m;
	struct strs out = { 0 };

	mime_message_parse(a, str_first(raw, LIMIT_MIME_HEAD), &m);
	for (size_t k = 0; m.n > 0 && k < sizeof(names) / sizeof(names[0]);
	     k++) {
		const struct mime_field *f;

		/* A second From is shown too: readers differ in which. */
		for (size_t i = 0; i < SAME_SHOWN &&
		     (f = mime_header_get(&m.part[0].header, names[k], i)) !=
			 NULL;
		     i++)
			str_push(a, &out,
			    str_fmt(a, "%s: %.*s", names[k],
				STR_ARG(
				    utf8_first(mime_header_text(a, f->value),
					LIMIT_SUBJECT))));
	}
	return out;
}

/* What it says of itself goes along, if it can be written. */
static void
forward_set_type(const struct mime_attachment *at, struct compose_file *out)
{
	struct str charset = mime_param_get(&at->part->ctype, "charset");

	out->type = compose_body_is_type(at->type)
	    ? at->type
	    : S("application/octet-stream");
	if (compose_body_is_token(charset))
		out->charset = charset;
	out->method = mime_param_get(&at->part->ctype, "method");
	out->format = mime_param_get(&at->part->ctype, "format");
	out->delsp = mime_param_get(&at->part->ctype, "delsp");
}

/* RFC 5322 section 2.1: the lines of a file's message get their CRLF. */
static struct str
forward_lines(struct arena *a, struct str raw)
{
	struct str line;
	struct buf b;

	if (str_has_char(raw, '\r'))
		return raw;
	buf_init(&b, a, 2 * raw.n + 1);
	while (raw.n > 0) {
		bool ended = str_cut(raw, '\n', &line, &raw);

		buf_str(&b, line);
		buf_text(&b, ended ? "\r\n" : "");
	}
	return buf_view(&b);
}

struct compose_file *
forward_files(struct arena *a, const struct mime_reading *r)
{
	struct compose_file *v = arena_array(a, r->n, sizeof(*v));

	for (size_t i = 0; i < r->n; i++) {
		const struct mime_attachment *at = &r->attachment[i];

		v[i] = (struct compose_file){ .name = at->name,
			.bytes = mime_part_decode(a, at->part) };
		forward_set_type(at, &v[i]);
		if (at->part->is_message)
			v[i].bytes = forward_lines(a, v[i].bytes);
	}
	return v;
}

struct compose_file *
forward_whole(struct arena *a, struct str raw)
{
	struct compose_file *f = arena_new(a, struct compose_file);

	*f = (struct compose_file){ .name = S("message.eml"),
		.type = S("message/rfc822"),
		.bytes = forward_lines(a, raw) };
	return f;
}
