/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader can be asked. */
#include "reader/internal.h"

#define YEARS (INT64_C(400000000000)) /* seconds, beyond the year 9999 */

static void
verb_heads_ask(struct carry *c, struct reader_ask *q)
{
	size_t *new = carry_list(c, &q->heads, LIMIT_PAGE, sizeof(*new));

	if (c->to == NULL)
		q->head = new;
	for (size_t i = 0; i < q->heads; i++)
		carry_size(c, &q->head[i], LIMIT_MESSAGE);
}

void
reader_verb_ask(struct carry *c, struct reader_ask *q)
{
	int verb = (int)q->verb;

	carry_int(c, &verb, 0, READER_VERBS - 1);
	q->verb = (enum reader_verb)verb;
	carry_bool(c, &q->kept);
	carry_bool(c, &q->utf8);
	carry_bool(c, &q->zones);
	carry_size(c, &q->max, LIMIT_MESSAGE);
	carry_int(c, &q->want, 0, 2);
	carry_i64(c, &q->now_s, -YEARS, YEARS);
	carry_text(c, &q->label, LIMIT_MIME_HEAD);
	carry_text(c, &q->domain, LIMIT_MIME_HEAD);
	if (q->verb == READER_HEADS)
		verb_heads_ask(c, q);
	if (q->verb != READER_VERIFY)
		return;
	shape_event_signature(c, &q->signature);
	carry_strs(c, &q->records, LIMIT_DKIM_RECORDS, LIMIT_MIME_HEAD);
}

/* -- html ------------------------------------------------------------------ */

static void
verb_html(struct arena *a, const struct reader_ask *q, struct reader_answer *r)
{
	r->text = html_here(a, q->bytes, q->max, &r->found);
}

static void
verb_html_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	if (q->utf8)
		carry_utf8(c, &r->text, q->max);
	else
		carry_text(c, &r->text, q->max);
	shape_found(c, &r->found, q->bytes.n, q->utf8);
}

/* -- headers --------------------------------------------------------------- */

bool
reader_verb_head(struct arena *a, struct str head, struct str said,
    struct mime_head *out)
{
	struct carry c = { .rest = said, .source = head, .a = a };

	*out = (struct mime_head){ 0 };
	shape_head(&c, out);
	return !c.bad && c.rest.n == 0;
}

static void
verb_heads_one(struct arena *a, struct str head, struct str authserv_id,
    struct strs *out)
{
	struct mime_head h = { 0 };
	struct buf b;
	struct carry c = { .to = &b, .source = head, .a = a };

	mime_here.head(a, head, S(""), authserv_id, &h);
	buf_init(&b, a, LIMIT_READER_REPLY);
	shape_head(&c, &h);
	str_push(a, out, buf_view(&b));
}

static void
verb_heads(struct arena *a, const struct reader_ask *q, struct reader_answer *r)
{
	struct str rest = q->bytes;

	for (size_t i = 0; i < q->heads; i++) {
		verb_heads_one(a, str_first(rest, q->head[i]), q->label,
		    &r->heads);
		rest = str_from(rest, q->head[i]);
	}
}

static void
verb_heads_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	carry_strs(c, &r->heads, LIMIT_PAGE, LIMIT_READER_REPLY);
	c->bad = c->bad || r->heads.n != q->heads;
}

/* -- a part's bytes -------------------------------------------------------- */

static void
verb_decode(struct arena *a, const struct reader_ask *q,
    struct reader_answer *r)
{
	r->text = mime_here.decode(a, q->bytes, (enum mime_encoding)q->want);
}

static void
verb_decode_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	carry_text(c, &r->text, q->bytes.n);
}

/* -- a message ------------------------------------------------------------- */

static void
verb_message(struct arena *a, const struct reader_ask *q,
    struct reader_answer *r)
{
	mime_here.message(a, q->bytes, &r->message);
}

static void
verb_message_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	(void)q;
	shape_message(c, &r->message);
}

static void
verb_reading(struct arena *a, const struct reader_ask *q,
    struct reader_answer *r)
{
	mime_here.reading(a, q->message, (enum mime_part_choice)q->want,
	    &r->reading);
}

static void
verb_reading_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	shape_reading(c, &r->reading, q->message);
}

/* -- an invitation --------------------------------------------------------- */

static void
verb_calendar(struct arena *a, const struct reader_ask *q,
    struct reader_answer *r)
{
	mime_here.calendar(a, q->bytes, q->label, q->load, &r->calendar);
}

static void
verb_calendar_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	(void)q;
	shape_event_calendar(c, &r->calendar);
}

/* -- its sender ------------------------------------------------------------ */

static void
verb_dkim(struct arena *a, const struct reader_ask *q, struct reader_answer *r)
{
	r->signature =
	    mime_here.dkim(a, q->bytes, q->domain, q->now_s, &r->n, &r->yes);
}

static void
verb_dkim_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	struct dkim_signature *new =
	    carry_list(c, &r->n, LIMIT_DKIM_SIGNATURES, sizeof(*new));

	(void)q;
	if (c->to == NULL)
		r->signature = new;
	for (size_t i = 0; i < r->n; i++)
		shape_event_signature(c, &r->signature[i]);
	carry_bool(c, &r->yes);
}

static void
verb_verify(struct arena *a, const struct reader_ask *q,
    struct reader_answer *r)
{
	r->yes = mime_here.verify(a, &q->signature, &q->records);
}

static void
verb_verify_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	(void)q;
	carry_bool(c, &r->yes);
}

/* -- a charset ------------------------------------------------------------- */

static void
verb_charset(struct arena *a, const struct reader_ask *q,
    struct reader_answer *r)
{
	if (mime_charset_known(q->label))
		r->text = mime_here.charset(a, str_c(a, q->label), q->bytes);
}

static void
verb_charset_carry(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	(void)q;
	carry_utf8(c, &r->text, LIMIT_MIME_TEXT);
}

/* -- all ------------------------------------------------------------------- */

static const struct {
	void (*read)(struct arena *a, const struct reader_ask *q,
	    struct reader_answer *r);
	void (*carry)(struct carry *c, const struct reader_ask *q,
	    struct reader_answer *r);
} verbs[READER_VERBS] = {
	[READER_HTML] = { verb_html, verb_html_carry },
	[READER_HEADS] = { verb_heads, verb_heads_carry },
	[READER_DECODE] = { verb_decode, verb_decode_carry },
	[READER_MESSAGE] = { verb_message, verb_message_carry },
	[READER_READING] = { verb_reading, verb_reading_carry },
	[READER_CALENDAR] = { verb_calendar, verb_calendar_carry },
	[READER_DKIM] = { verb_dkim, verb_dkim_carry },
	[READER_VERIFY] = { verb_verify, verb_verify_carry },
	[READER_CHARSET] = { verb_charset, verb_charset_carry },
};

void
reader_verb_run(struct arena *a, const struct reader_ask *q,
    struct reader_answer *r)
{
	verbs[q->verb].read(a, q, r);
}

void
reader_verb_answer(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r)
{
	verbs[q->verb].carry(c, q, r);
}
