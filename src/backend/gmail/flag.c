/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags and labels of messages.  To Gmail all of them are labels: what is not
 * UNREAD was read, STARRED is flagged, and what the account itself has named
 * are labels here too.  Whether a message was answered is not kept.
 */
#include "backend/gmail/internal.h"

/* Where a message is, asked without a folder; otherwise only in All Mail. */
static const struct str places[] = {
	SI("TRASH"),
	SI("SPAM"),
	SI("INBOX"),
	SI("DRAFT"),
	SI("SENT"),
};

#define PLACES (sizeof(places) / sizeof(places[0]))

static struct str
gmail_flag_place(const struct json_value *ids)
{
	for (size_t i = 0; i < PLACES; i++)
		if (gmail_label_in(ids, places[i]))
			return places[i];
	return GMAIL_ALL_MAIL;
}

/* What moving never changes. */
static const struct str states[] = {
	SI("UNREAD"),
	SI("STARRED"),
	SI("IMPORTANT"),
	SI("CHAT"),
};

static bool
gmail_flag_is_state(struct str id)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (str_eq(id, states[i]))
			return true;
	return false;
}

static void
gmail_flag_put_places(struct arena *a, const struct json_value *ids,
    struct strs *out)
{
	size_t n = json_parse_count(ids);
	struct str id = S("");

	*out = (struct strs){ 0 };
	for (size_t i = 0; i < n; i++)
		if (json_parse_str(json_parse_item(ids, i), &id) &&
		    id.n <= LIMIT_LABEL && !gmail_flag_is_state(id))
			str_push(a, out, str_dup(a, id));
	if (out->n > LIMIT_PLACES)
		*out = (struct strs){ 0 };
}

void
gmail_flag_put(const struct gmail *g, struct arena *a,
    const struct json_value *ids, struct row *row)
{
	row->folder = gmail_flag_place(ids);
	gmail_flag_put_places(a, ids, &row->places);
	row->flags = 0;
	if (!gmail_label_in(ids, S("UNREAD")))
		row->flags |= FLAG_READ;
	if (gmail_label_in(ids, S("STARRED")))
		row->flags |= FLAG_FLAGGED;
	row->labels = (struct strs){ 0 };
	for (size_t i = 0; i < g->labels; i++)
		if (g->label[i].user && row->labels.n < LIMIT_LABELS &&
		    gmail_label_in(ids, g->label[i].id))
			str_push(a, &row->labels, str_dup(a, g->label[i].name));
}
