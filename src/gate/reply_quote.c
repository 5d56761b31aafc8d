/* SPDX-License-Identifier: Apache-2.0 */
/* The text that an answer quotes. */
#include "gate/reply.h"

#include "base/clean.h"
#include "mime/date.h"
#include "mime/quote.h"

struct str
reply_quote(struct arena *a, const struct mime_envelope *v, struct str raw)
{
	struct quote q = { 0 };
	struct mime_message msg;
	struct mime_reading reading;

	mime_message_parse(a, raw, &msg);
	mime_reading_make(a, &msg, &reading);
	q.text = clean_text(a, reading.text, NULL);
	if (v->from.n > 0)
		q.who = clean_address(a, v->from.v[0].addr, NULL);
	if (v->has_date)
		q.date = date_rfc3339(a, v->date_s, v->date_offset_min);
	return quote_block(a, &q);
}
