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

void
gmail_flag_put(const struct gmail *g, struct arena *a,
    const struct json_value *ids, struct row *row)
{
	row->folder = gmail_flag_place(ids);
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
