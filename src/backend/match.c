/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a message match a query?  Criteria that a store cannot check are checked
 * here, so that every store finds the same.  Case is folded only in ASCII.
 */
#include "backend/internal.h"
#include "base/limits.h"
#include "mime/date.h"
#include "mime/message.h"

#define DAY 86400

/* Days since 1970, also for times before it. */
static int64_t
day_of(int64_t s)
{
	return s / DAY - (s % DAY < 0);
}

bool
backend_match_day(int64_t date_s, int zone_min, const struct query *q)
{
	int64_t day = day_of(date_s + (int64_t)zone_min * 60);

	if (q->since_s != 0 && day < day_of(q->since_s))
		return false;
	return q->before_s == 0 || day < day_of(q->before_s);
}

bool
backend_match_date(const struct mime_header *h, const struct query *q)
{
	const struct mime_field *f = mime_header_get(h, "Date", 0);
	int64_t when;
	int zone_min;

	if (q->since_s == 0 && q->before_s == 0)
		return true;
	return f != NULL && date_parse(f->value, &when, &zone_min) &&
	    backend_match_day(when, zone_min, q);
}

bool
backend_match_field(struct arena *a, const struct mime_header *h,
    const char *name, struct str text)
{
	const struct mime_field *f;

	for (size_t i = 0; (f = mime_header_get(h, name, i)) != NULL; i++)
		if (str_find_case(mime_header_text(a, f->value), text) >= 0)
			return true;
	return text.n == 0;
}

/* Compares ids in normal form, without folding. */
static bool
id_fits(struct arena *a, const struct mime_header *h, struct str want)
{
	const struct mime_field *f;

	if (want.n == 0)
		return true;
	for (size_t i = 0; (f = mime_header_get(h, "Message-ID", i)) != NULL;
	     i++) {
		struct strs ids;

		mime_header_msgids(a, f->value, &ids);
		for (size_t k = 0; k < ids.n; k++)
			if (str_find_case(ids.v[k], want) >= 0)
				return true;
	}
	return false;
}

bool
backend_match_to(struct arena *a, const struct mime_header *h, struct str text)
{
	return backend_match_field(a, h, "To", text) ||
	    backend_match_field(a, h, "Cc", text);
}

bool
backend_match_fields(struct arena *a, const struct mime_header *h,
    const struct query *q)
{
	return backend_match_field(a, h, "From", q->from) &&
	    backend_match_to(a, h, q->to) &&
	    backend_match_field(a, h, "Subject", q->subject) &&
	    id_fits(a, h, q->message_id);
}

bool
backend_match_flags(unsigned flags, const struct query *q)
{
	return (flags & q->with) == q->with && (flags & q->without) == 0;
}

bool
backend_match_head(struct arena *a, const struct mime_header *h,
    struct str text)
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
	return text.n == 0;
}

bool
backend_match_body(struct arena *a, struct str raw, struct str text)
{
	struct mime_message m;
	struct mime_reading r;

	mime_message_parse(a, raw, &m);
	mime_reading_make(a, &m, &r);
	return str_find_case(r.text, text) >= 0;
}
