/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags of messages.  All but one are keywords, RFC 8621 section 4.1.1;
 * archived is what is in the folder for archived mail.
 */
#include "backend/jmap/internal.h"
#include "backend/jmap/row.h"

static const struct {
	unsigned flag;
	const char *keyword;
} keywords[] = {
	{ FLAG_READ, "$seen" },
	{ FLAG_ANSWERED, "$answered" },
	{ FLAG_FLAGGED, "$flagged" },
};

#define KEYWORDS (sizeof(keywords) / sizeof(keywords[0]))

const char *
jmap_flag_keyword(unsigned flag)
{
	for (size_t i = 0; i < KEYWORDS; i++)
		if (flag & keywords[i].flag)
			return keywords[i].keyword;
	return NULL;
}

unsigned
jmap_flag_read(const struct json_value *email)
{
	const struct json_value *all = json_parse_member(email, "keywords");
	unsigned flags = 0;

	for (size_t i = 0; i < KEYWORDS; i++) {
		bool is = false;

		if (json_parse_bool(json_parse_member(all, keywords[i].keyword),
			&is) &&
		    is)
			flags |= keywords[i].flag;
	}
	return flags;
}

void
jmap_flag_read_labels(struct arena *a, const struct json_value *email,
    struct strs *out)
{
	const struct json_value *all = json_parse_member(email, "keywords"),
				*value;
	struct str key = { 0 };
	bool is;

	while (out->n < LIMIT_LABELS &&
	    (value = json_parse_next(all, &key)) != NULL)
		if (json_parse_bool(value, &is) && is &&
		    backend_label_is_keyword(key))
			str_push(a, out, str_dup(a, key));
}

void
jmap_flag_add_boxes(const struct jmap *j, struct jmap_mail *m)
{
	const struct jmap_box *box = jmap_folder_role(j, FOLDER_ARCHIVE);

	if (box != NULL && str_among(&m->boxes, box->id))
		m->row.flags |= FLAG_ARCHIVED;
}

const struct jmap_box *
jmap_flag_place(const struct jmap *j, const struct strs *boxes)
{
	const struct jmap_box *first = NULL;

	for (size_t i = 0; i < j->boxes.n; i++) {
		const struct jmap_box *b = &j->boxes.v[i];

		if (b->path.n == 0 || !b->may_read || !str_among(boxes, b->id))
			continue;
		if (b->role == FOLDER_INBOX)
			return b;
		if (first == NULL)
			first = b;
	}
	return first;
}
