/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Email objects as rows, RFC 8621 section 4.  The header is rebuilt from its
 * raw fields, in their order: the position of Authentication-Results decides
 * whether they are trusted.
 */
#include "backend/jmap/row.h"
#include "backend/internal.h"
#include "backend/jmap/internal.h"
#include "base/clock.h"

/* The fields that a query may test, for requests of only those. */
static const char *const sifted[] = { "From", "To", "Cc", "Subject", "Date",
	"Message-ID" };

static struct str
jmap_row_property(struct arena *a, const char *name)
{
	return str_fmt(a, "header:%s:asRaw:all", name);
}

void
jmap_row_properties(struct json *out, bool light)
{
	static const char *const whole[] = { "blobId", "threadId", "keywords",
		"size", "receivedAt", "hasAttachment", "headers" };
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	json_open_array(out, "properties");
	json_put_text(out, NULL, "id");
	json_put_text(out, NULL, "mailboxIds");
	if (light)
		for (size_t i = 0; i < sizeof(sifted) / sizeof(*sifted); i++)
			json_put_str(out, NULL,
			    jmap_row_property(a, sifted[i]));
	else
		for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
			json_put_text(out, NULL, whole[i]);
	json_close_array(out);
}

static void
put_some(struct buf *b, struct str s)
{
	buf_str(b, str_first(s, b->max - b->n));
}

static bool
jmap_row_is_field_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] <= ' ' || s.p[i] >= 0x7f || s.p[i] == ':')
			return false;
	return s.n > 0;
}

/*
 * One field.  A line end is kept only where it folds (RFC 5322 section 2.2.3),
 * so that no value can be mistaken for another field.
 */
static void
jmap_row_put_field(struct buf *b, struct str name, struct str value)
{
	if (!jmap_row_is_field_name(name))
		return;
	put_some(b, name);
	put_some(b, S(":"));
	while (value.n > 0) {
		size_t n = 0;

		while (n < value.n && value.p[n] != '\r' && value.p[n] != '\n')
			n++;
		put_some(b, str_first(value, n));
		value = str_from(value, n);
		if (value.n == 0)
			break;
		value = str_from(value, str_starts(value, S("\r\n")) ? 2 : 1);
		put_some(b,
		    value.n > 0 && (value.p[0] == ' ' || value.p[0] == '\t')
			? S("\r\n")
			: S(" "));
	}
	put_some(b, S("\r\n"));
}

/* One byte over the cap tells the reader that there was more. */
static struct str
jmap_row_head_whole(struct arena *a, const struct json_value *list)
{
	size_t n = json_parse_count(list);
	struct str name, value;
	struct buf b;

	buf_init(&b, a, LIMIT_MIME_HEAD + 1);
	for (size_t i = 0; i < n && b.n < b.max; i++) {
		const struct json_value *v = json_parse_item(list, i);

		if (json_parse_str(json_parse_member(v, "name"), &name) &&
		    json_parse_str(json_parse_member(v, "value"), &value))
			jmap_row_put_field(&b, name, value);
	}
	put_some(&b, S("\r\n"));
	return buf_view(&b);
}

static struct str
jmap_row_head_light(struct arena *a, const struct json_value *v)
{
	struct str value;
	struct buf b;

	buf_init(&b, a, LIMIT_MIME_HEAD + 1);
	for (size_t i = 0; i < sizeof(sifted) / sizeof(*sifted); i++) {
		const struct json_value *list =
		    json_parse_member(v, jmap_row_property(a, sifted[i]).p);
		size_t n = json_parse_count(list);

		for (size_t k = 0; k < n && b.n < b.max; k++)
			if (json_parse_str(json_parse_item(list, k), &value))
				jmap_row_put_field(&b, str_of(sifted[i]),
				    value);
	}
	return buf_view(&b);
}

static bool
jmap_row_is_in(struct arena *a, const struct json_value *v, struct str box)
{
	bool in = false;

	if (box.n == 0)
		return true;
	return json_parse_bool(json_parse_member(json_parse_member(v,
						     "mailboxIds"),
				   str_c(a, box)),
		   &in) &&
	    in;
}

static void
jmap_row_read_boxes(struct arena *a, const struct json_value *v,
    struct strs *out)
{
	const struct json_value *all = json_parse_member(v, "mailboxIds"), *is;
	struct str id = { 0 };
	bool in;

	while ((is = json_parse_next(all, &id)) != NULL)
		if (json_parse_bool(is, &in) && in)
			str_push(a, out, str_dup(a, id));
}

int
jmap_row_read(struct arena *a, const struct json_value *v, struct str box,
    struct jmap_mail *out)
{
	struct row *r = &out->row;
	const struct json_value *headers = json_parse_member(v, "headers");
	struct str id, s = { 0 };
	int64_t n;

	*out = (struct jmap_mail){ 0 };
	if (!jmap_id(v, "id", &id) || !jmap_row_is_in(a, v, box))
		return 0;
	jmap_row_read_boxes(a, v, &out->boxes);
	if (out->boxes.n <= LIMIT_PLACES)
		r->places = out->boxes;
	r->ref.id = str_dup(a, id);
	r->head = headers != NULL ? jmap_row_head_whole(a, headers)
				  : jmap_row_head_light(a, v);
	if (jmap_id(v, "blobId", &s))
		out->blob = str_dup(a, s);
	if (jmap_id(v, "threadId", &s))
		r->thread = str_dup(a, s);
	if (json_parse_int(json_parse_member(v, "size"), &n) && n > 0)
		r->size = (uint64_t)n;
	if (json_parse_str(json_parse_member(v, "receivedAt"), &s))
		(void)clock_parse(s, &r->received_s);
	(void)json_parse_bool(json_parse_member(v, "hasAttachment"),
	    &r->has_attachments);
	(void)json_parse_bool(json_parse_member(json_parse_member(v,
						    "keywords"),
				  "$draft"),
	    &r->draft);
	r->flags = jmap_flag_read(v);
	jmap_flag_read_labels(a, v, &r->labels);
	return 1;
}

bool
jmap_row_fits(const struct row *r, const struct query *q)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_header h;

	mime_header_parse(a, r->head, &h);
	return backend_match_date(&h, q) && backend_match_fields(a, &h, q);
}
