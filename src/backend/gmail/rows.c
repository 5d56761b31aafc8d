/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of messages, in one batch, and a second one for the few whose header
 * must be read from the message itself.
 */
#include "backend/gmail/internal.h"

/* A message with an odd header is fetched completely up to this size. */
#define MEND (256UL << 10)

static int
gmail_rows_read_want(struct gmail *g, struct arena *a,
    const struct gmail_label *label, struct str json, struct gmail_want *w,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *msg;

	if (gmail_call_parse(json, &d, e) < 0)
		return -1;
	msg = json_parse_root(d);
	if (gmail_read_row(a, msg, w->id, g->conn.acct->trace, &w->row, &w->odd,
		e) < 0)
		return -1;
	w->row.ref.id = w->id;
	gmail_flag_put(g, a, json_parse_member(msg, "labelIds"), &w->row);
	/* It may have left the folder since its id was returned. */
	w->here = label == NULL ||
	    gmail_label_holds(label, json_parse_member(msg, "labelIds"));
	return 0;
}

/* How many messages the label has. */
static void
gmail_rows_read_count(struct str json, uint32_t *exists)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct err ignore = { 0 };
	int64_t n = 0;

	if (gmail_call_parse(json, &d, &ignore) == 0)
		(void)json_parse_int(json_parse_member(json_parse_root(d),
					 "messagesTotal"),
		    &n);
	*exists = n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
}

/*
 * With two From fields no sender is valid: used where the header cannot be
 * trusted.
 */
static void
gmail_rows_disown(struct arena *a, struct row *row)
{
	row->head = str_fmt(a, "From: unclear\r\n%.*s", STR_ARG(row->head));
}

/* The header, up to the empty line. */
static struct str
gmail_rows_head_of(struct str raw)
{
	ptrdiff_t at = str_find(raw, S("\r\n\r\n"));
	ptrdiff_t bare = str_find(raw, S("\n\n"));

	if (at >= 0 && (bare < 0 || at < bare))
		return str_first(raw, (size_t)at + 4);
	if (bare >= 0)
		return str_first(raw, (size_t)bare + 2);
	return raw;
}

int
gmail_rows_mend(struct gmail *g, struct arena *a, struct gmail_want *want,
    size_t n, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	struct gmail_bit bit[GMAIL_BATCH + 1] = { 0 };
	struct gmail_want *whose[GMAIL_BATCH + 1];
	size_t bits = 0;

	for (size_t i = 0; i < n && bits < GMAIL_BATCH; i++) {
		if (!want[i].here || !want[i].odd)
			continue;
		gmail_rows_disown(a, &want[i].row);
		if (n > 1 && want[i].row.size > MEND)
			continue;
		whose[bits] = &want[i];
		bit[bits++].target = str_fmt(scratch,
		    GMAIL_ME "/messages/%.*s?format=raw&fields=labelIds,raw",
		    STR_ARG(want[i].id));
	}
	/*
	 * A row that is odd, and may be hidden, must not cause an extra
	 * request.
	 */
	if (bits == 0 && g->even) {
		whose[bits] = NULL;
		bit[bits++].target =
		    S(GMAIL_ME "/profile?fields=messagesTotal");
	}
	if (bits > 0 && gmail_batch(g, scratch, bit, bits, e) < 0)
		return -1;
	for (size_t i = 0; i < bits; i++) {
		struct str raw;

		if (whose[i] == NULL)
			continue;
		whose[i]->here = bit[i].found;
		if (!bit[i].found)
			continue;
		if (gmail_read_raw(scratch, bit[i].body, LIMIT_MESSAGE, NULL,
			&raw, e) < 0)
			return -1;
		whose[i]->row.head = str_dup(a,
		    str_first(gmail_rows_head_of(raw), LIMIT_MIME_HEAD));
	}
	return 0;
}

int
gmail_rows(struct gmail *g, struct arena *a, const struct gmail_label *label,
    struct gmail_want *want, size_t n, uint32_t *exists, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	struct gmail_bit bit[GMAIL_BITS] = { 0 };
	struct gmail_want *whose[GMAIL_BATCH];
	size_t bits = 0, messages, labels;

	for (size_t i = 0; i < n; i++) {
		/* Other ids cannot exist in Gmail. */
		if (!gmail_url_is_id(want[i].id))
			continue;
		whose[bits] = &want[i];
		bit[bits++].target = str_fmt(scratch,
		    GMAIL_ME "/messages/%.*s?format=full&fields=%s",
		    STR_ARG(want[i].id), GMAIL_ROW_FIELDS);
	}
	messages = bits;
	if (exists != NULL && label != NULL && label->id.n > 0)
		bit[bits++].target = str_fmt(scratch,
		    GMAIL_ME "/labels/%.*s?fields=messagesTotal",
		    STR_ARG(label->id));
	else if (exists != NULL)
		bit[bits++].target =
		    S(GMAIL_ME "/profile?fields=messagesTotal");
	labels = bits;
	if (messages > 0 && g->label == NULL)
		bit[bits++].target = S(GMAIL_LABELS);
	if (bits == 0)
		return 0;
	if (gmail_batch(g, scratch, bit, bits, e) < 0)
		return -1;
	if (labels < bits)
		gmail_label_take(g, bit[labels].body);
	for (size_t i = 0; i < messages; i++)
		if (bit[i].found &&
		    gmail_rows_read_want(g, a, label, bit[i].body, whose[i],
			e) < 0)
			return -1;
	if (exists != NULL)
		gmail_rows_read_count(bit[messages].body, exists);
	return gmail_rows_mend(g, a, want, n, e);
}
