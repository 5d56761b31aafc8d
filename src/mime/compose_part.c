/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a message: its text, and its files. */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/internal.h"

/* The name to send: the last segment of the path, shortened. */
static struct str
compose_part_file_name(struct arena *a, const struct compose_file *f,
    size_t nth)
{
	struct str name = f->name;
	const char *slash = name.n > 0 ? memrchr(name.p, '/', name.n) : NULL;

	if (slash != NULL)
		name = str_from(name, (size_t)(slash + 1 - name.p));
	name = utf8_first(name, LIMIT_FILE_NAME);
	return name.n > 0 ? name : str_fmt(a, "attachment-%zu", nth + 1);
}

static void
compose_part_put_charset(struct compose_head *w, const struct compose_file *f,
    struct str type)
{
	if (!str_starts_case(type, S("text/")))
		return;
	if (f->charset.n > 0)
		compose_head_param(w, "charset", f->charset);
	else if (utf8_valid(f->bytes))
		compose_head_param(w, "charset", S("utf-8"));
}

/* Tokens only: they are written as they are. */
static void
compose_part_put_kind(struct compose_head *w, const struct compose_file *f,
    struct str type)
{
	const struct {
		const char *name;
		struct str value;
	} params[] = { { "method", f->method }, { "format", f->format },
		{ "delsp", f->delsp } };

	if (!str_starts_case(type, S("text/")))
		return;
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		if (compose_body_is_token(params[i].value))
			compose_head_param(w, params[i].name, params[i].value);
}

static int
compose_part_put_file(struct compose_head *w, struct arena *a,
    const struct compose_file *f, size_t nth, struct err *e)
{
	enum compose_as as = compose_body_as(f);
	struct str type = compose_body_type(f);

	if (!compose_body_is_type(type))
		return err_set(e, ERR_USAGE, "not a content type");
	compose_head_begin(w, "Content-Type");
	compose_head_token(w, type);
	compose_part_put_charset(w, f, type);
	compose_part_put_kind(w, f, type);
	compose_head_param_ascii(w, "name", compose_part_file_name(a, f, nth));
	compose_head_end(w);
	compose_head_begin(w, "Content-Disposition");
	compose_head_token(w, S("attachment"));
	compose_head_param(w, "filename", compose_part_file_name(a, f, nth));
	compose_head_end(w);
	if (w->bad)
		return err_set(e, ERR_USAGE,
		    "a file name contains a line end, a NUL or bytes that are "
		    "not UTF-8");
	compose_line(w, "Content-Transfer-Encoding", compose_body_how(as));
	compose_head_end(w);
	if (as == COMPOSE_AS_BYTES)
		compose_body_base64(w->b, f->bytes);
	else
		buf_str(w->b, f->bytes);
	return 0;
}

static bool
compose_part_has(const struct compose *c, const struct compose_texts *t,
    struct str boundary)
{
	if (str_find(t->plain.bytes, boundary) >= 0 ||
	    str_find(t->html.bytes, boundary) >= 0)
		return true;
	for (size_t i = 0; i < c->files; i++)
		if (compose_body_as(&c->file[i]) != COMPOSE_AS_BYTES &&
		    str_find(c->file[i].bytes, boundary) >= 0)
			return true;
	return false;
}

/*
 * "=_" cannot occur in quoted-printable or base64 (RFC 2045 section 6.7), so
 * only what is sent unencoded could contain the boundary.
 */
static struct str
compose_part_make_boundary(struct arena *a, const struct compose *c,
    const struct compose_texts *t, const char *kind)
{
	char id[33];
	size_t n = 0;
	struct str boundary;

	for (size_t i = 0; i < c->message_id.n && n + 1 < sizeof(id); i++) {
		char ch = c->message_id.p[i];

		if ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
		    (ch >= '0' && ch <= '9'))
			id[n++] = ch;
	}
	id[n] = '\0';
	boundary = str_fmt(a, "=_%s%s", kind, id);
	for (unsigned i = 1; compose_part_has(c, t, boundary); i++)
		boundary = str_fmt(a, "=_%s%u_%s", kind, i, id);
	return boundary;
}

static void
compose_part_put_text(struct compose_head *w, struct str type,
    const struct compose_text *t)
{
	compose_line(w, "Content-Type", type);
	compose_line(w, "Content-Transfer-Encoding", t->encoding);
	compose_head_end(w);
	buf_str(w->b, t->bytes);
}

static void
compose_part_put_plain(struct compose_head *w, const struct compose *c,
    const struct compose_texts *t)
{
	compose_part_put_text(w,
	    c->flowed ? S("text/plain; charset=utf-8; format=flowed")
		      : S("text/plain; charset=utf-8"),
	    &t->plain);
}

static void
compose_part_begin(struct compose_head *w, struct str type, struct str boundary)
{
	compose_head_begin(w, "Content-Type");
	compose_head_token(w, type);
	compose_head_param(w, "boundary", boundary);
	compose_head_end(w);
}

/* RFC 2046 section 5.1.4: the last is what a reader shows if it can. */
void
compose_part_texts(struct compose_head *w, struct arena *a,
    const struct compose *c, const struct compose_texts *t)
{
	struct str boundary;

	if (t->html.bytes.n == 0) {
		compose_part_put_plain(w, c, t);
		return;
	}
	boundary = compose_part_make_boundary(a, c, t, "alt_");
	compose_part_begin(w, S("multipart/alternative"), boundary);
	compose_head_end(w);
	buf_fmt(w->b, "--%.*s\r\n", STR_ARG(boundary));
	compose_part_put_plain(w, c, t);
	buf_fmt(w->b, "\r\n--%.*s\r\n", STR_ARG(boundary));
	compose_part_put_text(w, S("text/html; charset=utf-8"), &t->html);
	buf_fmt(w->b, "\r\n--%.*s--\r\n", STR_ARG(boundary));
}

/* RFC 2045 section 6.4: a part of 8 bits makes the whole one of 8 bits. */
static bool
compose_part_is_eightbit(const struct compose *c)
{
	for (size_t i = 0; i < c->files; i++)
		if (compose_body_as(&c->file[i]) == COMPOSE_AS_8BIT)
			return true;
	return false;
}

int
compose_part_all(struct compose_head *w, struct arena *a,
    const struct compose *c, const struct compose_texts *t, struct err *e)
{
	struct str boundary = compose_part_make_boundary(a, c, t, "");

	compose_part_begin(w, S("multipart/mixed"), boundary);
	if (compose_part_is_eightbit(c))
		compose_line(w, "Content-Transfer-Encoding", S("8bit"));
	compose_head_end(w);
	buf_fmt(w->b, "--%.*s\r\n", STR_ARG(boundary));
	compose_part_texts(w, a, c, t);
	for (size_t i = 0; i < c->files; i++) {
		buf_fmt(w->b, "\r\n--%.*s\r\n", STR_ARG(boundary));
		if (compose_part_put_file(w, a, &c->file[i], i, e) < 0)
			return -1;
	}
	buf_fmt(w->b, "\r\n--%.*s--\r\n", STR_ARG(boundary));
	return 0;
}
