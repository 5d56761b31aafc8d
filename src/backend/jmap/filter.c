/* SPDX-License-Identifier: Apache-2.0 */
/* A query as a filter: RFC 8621 section 4.4.1. */
#include "backend/jmap/internal.h"
#include "backend/jmap/query.h"
#include "backend/jmap/row.h"
#include "base/clock.h"

#define DAY 86400LL
#define FOLDED 24 /* characters of an id that may be split over two lines */
#define PARTS 3

/*
 * Nothing arrives before it is written, except with a wrong clock and the two
 * days that zones may differ.
 */
static int64_t
filter_after(const struct query *q)
{
	int64_t since = q->since_s != 0 ? q->since_s - 2 * DAY : 0;

	return q->received_s > since ? q->received_s : since;
}

static void
filter_open(struct jmap_call *c, const char *key, const char *operator)
{
	json_open_object(c->out, key);
	json_put_text(c->out, "operator", operator);
	json_open_array(c->out, "conditions");
}

static void
filter_close(struct jmap_call *c)
{
	json_close_array(c->out);
	json_close_object(c->out);
}

static void
filter_put_header(struct jmap_call *c, struct str id)
{
	json_open_array(c->out, "header");
	json_put_text(c->out, NULL, "Message-ID");
	json_put_str(c->out, NULL, id);
	json_close_array(c->out);
}

static void
filter_put_part(struct jmap_call *c, struct str part)
{
	json_open_object(c->out, NULL);
	filter_put_header(c, part);
	json_close_object(c->out);
}

/*
 * A server searches a field as it was folded, and a fold may be within the id:
 * then two of its three parts are unbroken.  Some servers find only whole ids.
 */
static void
filter_put_id(struct jmap_call *c, struct str id)
{
	const size_t part = id.n / PARTS;

	filter_open(c, NULL, "OR");
	filter_put_part(c, id);
	for (size_t fold = 0; fold < PARTS; fold++) {
		filter_open(c, NULL, "AND");
		for (size_t i = 0; i < PARTS; i++) {
			struct str rest = str_from(id, i * part);

			if (i != fold)
				filter_put_part(c,
				    i + 1 < PARTS ? str_first(rest, part)
						  : rest);
		}
		filter_close(c);
	}
	filter_close(c);
}

bool
jmap_filter_is_nested(const struct jmap *j, const struct query *q)
{
	return !j->flat && q->message_id.n >= FOLDED;
}

/* One keyword that is there and one that is not; find.c checks them all. */
static void
filter_put_keywords(struct jmap_call *c, const struct query *q)
{
	const char *is = jmap_flag_keyword(q->with);
	const char *is_not = jmap_flag_keyword(q->without);

	if (is != NULL)
		json_put_text(c->out, "hasKeyword", is);
	if (is_not != NULL)
		json_put_text(c->out, "notKeyword", is_not);
}

static void
filter_put_condition(struct jmap_call *c, const char *key,
    const struct jmap_box *box, const struct query *q)
{
	int64_t after = q != NULL ? filter_after(q) : 0;

	json_open_object(c->out, key);
	json_put_str(c->out, "inMailbox", box->id);
	if (q != NULL && q->text.n > 0)
		json_put_str(c->out, "text", q->text);
	if (q != NULL && q->message_id.n > 0 && !jmap_filter_is_nested(c->j, q))
		filter_put_header(c, q->message_id);
	if (q != NULL)
		filter_put_keywords(c, q);
	if (after > 0)
		json_put_str(c->out, "after", clock_rfc3339(c->a, after));
	/* That second and earlier: some of its messages may follow. */
	if (q != NULL && q->behind.n > 0)
		json_put_str(c->out, "before",
		    clock_rfc3339(c->a, q->behind_s + 1));
	json_close_object(c->out);
}

void
jmap_filter_put(struct jmap_call *c, const struct jmap_box *box,
    const struct query *q)
{
	if (q == NULL || !jmap_filter_is_nested(c->j, q)) {
		filter_put_condition(c, "filter", box, q);
		return;
	}
	filter_open(c, "filter", "AND");
	filter_put_condition(c, NULL, box, q);
	filter_put_id(c, q->message_id);
	filter_close(c);
}
