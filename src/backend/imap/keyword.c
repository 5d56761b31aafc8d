/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags, and labels: keywords that neither the protocol nor a registry gives a
 * meaning (RFC 9051 section 2.3.2).
 */
#include "backend/imap/change.h"
#include "base/limits.h"

static const struct {
	unsigned flag;
	const char *name, *with, *without;
} flags[] = {
	{ FLAG_READ, "\\Seen", " SEEN", " UNSEEN" },
	{ FLAG_ANSWERED, "\\Answered", " ANSWERED", " UNANSWERED" },
	{ FLAG_FLAGGED, "\\Flagged", " FLAGGED", " UNFLAGGED" },
};

#define FLAGS (sizeof(flags) / sizeof(flags[0]))

const char *
imap_keyword_flag(unsigned flag)
{
	for (size_t i = 0; i < FLAGS; i++)
		if (flags[i].flag == flag)
			return flags[i].name;
	return NULL;
}

const char *
imap_keyword_search(unsigned flag, bool with)
{
	for (size_t i = 0; i < FLAGS; i++)
		if (flags[i].flag == flag)
			return with ? flags[i].with : flags[i].without;
	return NULL;
}

bool
imap_keyword_among(struct str list, struct str flag)
{
	struct str word, after;
	bool more = true;
	size_t words = 0;

	list = str_trim(list);
	if (!str_starts(list, S("(")))
		return false;
	(void)str_cut(str_from(list, 1), ')', &list, &after);
	while (more) {
		more = str_cut(list, ' ', &word, &list);
		if (str_eq_case(word, flag) || ++words > IMAP_WORDS)
			return true;
	}
	return false;
}

static bool
imap_keyword_node_is_label(const struct imap_node *n)
{
	return n->kind == IMAP_ATOM && backend_label_is_keyword(n->text);
}

/* A message of more than LIMIT_LABELS has the first of them. */
static void
imap_keyword_read_labels(struct arena *a, const struct imap_node *list,
    struct strs *out)
{
	size_t n = 0;

	for (const struct imap_node *k = list->child; k != NULL; k = k->next)
		n += imap_keyword_node_is_label(k);
	if (n == 0)
		return;
	n = n < LIMIT_LABELS ? n : LIMIT_LABELS;
	out->v = arena_array(a, n, sizeof(*out->v));
	for (const struct imap_node *k = list->child; k != NULL && out->n < n;
	     k = k->next)
		if (imap_keyword_node_is_label(k))
			out->v[out->n++] = str_dup(a, k->text);
}

void
imap_keyword_read(struct arena *a, const struct imap_node *list,
    struct row *row)
{
	row->draft = false;
	row->flags = 0;
	for (const struct imap_node *k = list->child; k != NULL; k = k->next) {
		row->draft = row->draft || imap_token_is(k, "\\Draft");
		for (size_t i = 0; i < FLAGS; i++)
			if (imap_token_is(k, flags[i].name))
				row->flags |= flags[i].flag;
	}
	/* Repetitions must not use memory. */
	if (row->labels.v == NULL)
		imap_keyword_read_labels(a, list, &row->labels);
}
