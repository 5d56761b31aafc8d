/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole message, RFC 5322 with the MIME of RFC 2045 and 2046: plain text
 * alone or with a page that says the same, or multipart/mixed of that and the
 * files.
 */
#include "mime/compose.h"

#include <string.h>

#include "base/idna.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/date.h"
#include "mime/internal.h"
#include "mime/subject.h"

#define ID_MAX 900 /* RFC 5322 section 2.1.1 allows lines of 998 */
#define HEAD_ROOM 65536UL

/* "<something>": printable ASCII without spaces. */
static bool
compose_is_id(struct str id)
{
	if (id.n < 3 || id.n > ID_MAX || id.p[0] != '<' ||
	    id.p[id.n - 1] != '>')
		return false;
	for (size_t i = 1; i + 1 < id.n; i++)
		if (id.p[i] <= ' ' || id.p[i] > '~' || id.p[i] == '<' ||
		    id.p[i] == '>')
			return false;
	return true;
}

static bool
breaks_line(struct str s)
{
	return str_has_char(s, '\r') || str_has_char(s, '\n') ||
	    str_has_char(s, '\0');
}

/* "a@b, c@d" after "To:". */
static int
compose_put_addresses(struct compose_head *w, struct arena *a, const char *name,
    struct strs list, struct err *e)
{
	struct str wire;
	bool utf8;

	compose_head_begin(w, name);
	for (size_t i = 0; i < list.n; i++) {
		if (address_wire(a, list.v[i], &wire, &utf8, e) < 0)
			return -1;
		if (wire.n > ID_MAX)
			return err_set(e, ERR_USAGE, "an address is too long");
		compose_head_token(w,
		    str_fmt(a, "%.*s%s", STR_ARG(wire),
			i + 1 < list.n ? "," : ""));
	}
	compose_head_end(w);
	return 0;
}

static int
compose_put_from(struct compose_head *w, struct arena *a,
    const struct compose *c, struct err *e)
{
	struct str wire;
	bool utf8;

	if (address_wire(a, c->from, &wire, &utf8, e) < 0)
		return -1;
	if (wire.n > ID_MAX)
		return err_set(e, ERR_USAGE, "the sender is too long");
	compose_head_begin(w, "From");
	if (c->from_name.n > 0) {
		compose_head_phrase(w, c->from_name);
		wire = str_fmt(a, "<%.*s>", STR_ARG(wire));
	}
	compose_head_token(w, wire);
	compose_head_end(w);
	return 0;
}

/*
 * The first reference names the thread and the last its newest message, so
 * references in the middle are dropped if there are too many.  One from a
 * stranger's mail that must not be written is skipped: it must not stop the
 * reply.
 */
static int
compose_put_references(struct compose_head *w, struct strs refs, struct err *e)
{
	size_t skip_to = 0;
	size_t first = refs.n;
	bool any = false;

	if (refs.n > LIMIT_REFERENCES)
		skip_to = refs.n - (LIMIT_REFERENCES - 1);
	for (size_t i = 0; i < refs.n; i++) {
		if (breaks_line(refs.v[i]))
			return err_set(e, ERR_USAGE,
			    "a reference must not contain a line end");
		if (!compose_is_id(refs.v[i]) || (i < skip_to && first < i))
			continue;
		if (first == refs.n)
			first = i;
		if (!any)
			compose_head_begin(w, "References");
		any = true;
		compose_head_token(w, refs.v[i]);
	}
	if (any)
		compose_head_end(w);
	return 0;
}

static int
compose_put_head(struct compose_head *w, struct arena *a,
    const struct compose *c, struct err *e)
{
	struct str date = date_rfc5322(a, c->date_s);

	if (date.n == 0)
		return err_set(e, ERR_USAGE, "the date cannot be written");
	compose_line(w, "Date", date);
	if (compose_put_from(w, a, c, e) < 0)
		return -1;
	if (c->to.n > 0 && compose_put_addresses(w, a, "To", c->to, e) < 0)
		return -1;
	if (c->cc.n > 0 && compose_put_addresses(w, a, "Cc", c->cc, e) < 0)
		return -1;
	if (c->draft_bcc.n > 0 &&
	    compose_put_addresses(w, a, "Bcc", c->draft_bcc, e) < 0)
		return -1;
	if (c->to.n == 0 && c->cc.n == 0)
		compose_line(w, "To", S("undisclosed-recipients:;"));
	compose_head_begin(w, "Subject");
	compose_head_text(w, c->subject);
	compose_head_end(w);
	if (w->bad)
		return err_set(e, ERR_USAGE,
		    "the subject or sender's name contains a line end, a NUL "
		    "or bytes that are not UTF-8");
	if (!compose_is_id(c->message_id))
		return err_set(e, ERR_USAGE, "the Message-ID is not valid");
	compose_line(w, "Message-ID", c->message_id);
	if (breaks_line(c->auto_submitted))
		return err_set(e, ERR_USAGE,
		    "Auto-Submitted must not contain a line end");
	if (c->auto_submitted.n > 0)
		compose_line(w, "Auto-Submitted", c->auto_submitted);
	if (breaks_line(c->in_reply_to))
		return err_set(e, ERR_USAGE,
		    "In-Reply-To must not contain a line end");
	if (compose_is_id(c->in_reply_to))
		compose_line(w, "In-Reply-To", c->in_reply_to);
	return compose_put_references(w, c->references, e);
}

/* The minimum size of the message, before any copy is made. */
static int
compose_check_size(const struct compose *c, size_t *size, struct err *e)
{
	*size = HEAD_ROOM;
	if (c->files > LIMIT_ATTACHMENTS)
		return err_set(e, ERR_LIMIT, "at most %d attachments",
		    LIMIT_ATTACHMENTS);
	if (c->body.n > LIMIT_OUTGOING || c->html.n > LIMIT_OUTGOING)
		return err_set(e, ERR_LIMIT, "the message is too big");
	*size += c->body.n + c->html.n;
	for (size_t i = 0; i < c->files; i++) {
		size_t n = c->file[i].bytes.n;

		if (n > LIMIT_OUTGOING ||
		    (*size += n / 57 * 78 + 1024) > LIMIT_OUTGOING)
			return err_set(e, ERR_LIMIT,
			    "the message with its attachments is too big");
	}
	return 0;
}

static struct compose_text
compose_encode_text(struct arena *a, struct str text)
{
	struct compose_text t;
	bool qp;

	t.bytes = compose_body_text(a, text, &qp);
	t.encoding = qp ? S("quoted-printable") : S("7bit");
	return t;
}

static struct compose_text
compose_encode_bytes(struct arena *a, struct str bytes)
{
	struct buf b;

	buf_init(&b, a, LIMIT_OUTGOING);
	compose_body_base64(&b, bytes);
	buf_text(&b, b.n == 0 ? "\r\n" : "");
	return (struct compose_text){ b.over ? (struct str){ NULL, 0 }
					     : buf_view(&b),
		S("base64") };
}

/* The texts as they are sent; false: they are too large. */
static bool
compose_encode(struct arena *a, const struct compose *c,
    struct compose_texts *t)
{
	*t = (struct compose_texts){ 0 };
	t->plain = c->exact ? compose_encode_bytes(a, c->body)
			    : compose_encode_text(a, c->body);
	if (c->html.n > 0)
		t->html = compose_encode_text(a, c->html);
	return t->plain.bytes.p != NULL &&
	    (c->html.n == 0 || t->html.bytes.p != NULL);
}

int
compose_message(struct arena *a, const struct compose *c, struct str *out,
    struct err *e)
{
	struct compose_head w = { 0 };
	struct compose_texts t;
	struct buf b;
	size_t size;

	if (str_has_char(c->body, '\0') || !utf8_valid(c->body))
		return err_set(e, ERR_USAGE, "the body is not UTF-8 text");
	if (compose_check_size(c, &size, e) < 0)
		return -1;
	if (!compose_encode(a, c, &t))
		return err_set(e, ERR_LIMIT, "the message is too big");
	buf_init(&b, a, LIMIT_OUTGOING);
	(void)buf_reserve(&b, size < LIMIT_OUTGOING ? size : 0);
	w.b = &b;
	if (compose_put_head(&w, a, c, e) < 0)
		return -1;
	compose_line(&w, "MIME-Version", S("1.0"));
	if (c->files == 0)
		compose_part_texts(&w, a, c, &t);
	else if (compose_part_all(&w, a, c, &t, e) < 0)
		return -1;
	if (w.bad)
		return err_set(e, ERR_USAGE,
		    "a header value contains a line end");
	if (b.over)
		return err_set(e, ERR_LIMIT, "the message is too big");
	*out = buf_view(&b);
	return 0;
}

struct str
compose_message_id(struct arena *a, const unsigned char rnd[16],
    struct str from)
{
	struct str domain;
	char hex[32];

	str_hex_put(hex, rnd, 16);
	if (!idna_ascii(a, address_domain(from), &domain))
		domain = S("localhost");
	return str_fmt(a, "<%.32s@%.*s>", hex, STR_ARG(domain));
}

struct str
compose_reply_subject(struct arena *a, struct str subject)
{
	return subject_reply(a, subject);
}

struct str
compose_forward_subject(struct arena *a, struct str subject)
{
	return subject_forward(a, subject);
}
