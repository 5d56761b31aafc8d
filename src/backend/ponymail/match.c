/* Does a message answer a question?  Case is folded in ASCII only. */
#include "backend/ponymail/internal.h"
#include "mime/date.h"
#include "mime/message.h"

#define DAY 86400

/* Days since 1970, also for times before it. */
static int64_t
day_of(int64_t s)
{
	return s >= 0 ? s / DAY : -((-s + DAY - 1) / DAY);
}

/*
 * The day the writer wrote, whatever the zone: as SENTSINCE and SENTBEFORE do
 * (RFC 9051 section 6.4.4).  A message without a date is of no day.
 */
static bool
day_fits(const struct mime_header *h, const struct query *q)
{
	const struct mime_field *f = mime_header_get(h, "Date", 0);
	int64_t when, day;
	int offset_min;

	if (q->since_s == 0 && q->before_s == 0)
		return true;
	if (f == NULL || !date_parse(f->value, &when, &offset_min))
		return false;
	day = day_of(when + (int64_t)offset_min * 60);
	if (q->since_s != 0 && day < day_of(q->since_s))
		return false;
	return q->before_s == 0 || day < day_of(q->before_s);
}

/* Does a field of that name hold the text, as a person reads it? */
static bool
field_has(struct arena *a, const struct mime_header *h, const char *name,
    struct str text)
{
	const struct mime_field *f;

	for (size_t i = 0; (f = mime_header_get(h, name, i)) != NULL; i++)
		if (str_find_case(mime_header_text(a, f->value), text) >= 0)
			return true;
	return text.n == 0;
}

/* Any field of the header, as "Name: text". */
static bool
head_has(struct arena *a, const struct mime_header *h, struct str text)
{
	for (size_t i = 0; i < h->n; i++) {
		struct buf b;

		buf_init(&b, a, LIMIT_MIME_HEAD * 4);
		buf_str(&b, h->field[i].name);
		buf_text(&b, ": ");
		buf_str(&b, mime_header_text(a, h->field[i].value));
		if (str_find_case(buf_view(&b), text) >= 0)
			return true;
	}
	return false;
}

bool
ponymail_match(struct arena *a, struct str raw, const struct query *q)
{
	struct mime_message m;
	struct mime_reading r;
	struct mime_header h;

	mime_header_parse(a, raw, &h);
	if (!day_fits(&h, q) || !field_has(a, &h, "From", q->from) ||
	    !field_has(a, &h, "Subject", q->subject) ||
	    !field_has(a, &h, "Message-ID", q->message_id))
		return false;
	if (q->text.n == 0 || head_has(a, &h, q->text))
		return true;
	mime_message_parse(a, raw, &m);
	mime_reading_make(a, &m, &r);
	return str_find_case(r.text, q->text) >= 0;
}
