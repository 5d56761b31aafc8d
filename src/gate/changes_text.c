/* SPDX-License-Identifier: Apache-2.0 */
/* A change in words, for whoever is asked about it. */
#include "gate/changes.h"

#include "base/buf.h"

enum {
	WORDS_MAX = 64 << 10
};

/* In quotes: no name can pass for our own words. */
static void
changes_text_put_name(struct buf *b, struct str name)
{
	buf_char(b, '"');
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '"' || name.p[i] == '\\')
			buf_char(b, '\\');
		buf_char(b, name.p[i]);
	}
	buf_char(b, '"');
}

struct strs
changes_text_flags(struct arena *a, unsigned flags)
{
	static const struct {
		unsigned flag;
		struct str word;
	} words[] = {
		{ FLAG_READ, SI("read") },
		{ FLAG_FLAGGED, SI("flagged") },
		{ FLAG_ANSWERED, SI("answered") },
		{ FLAG_ARCHIVED, SI("archived") },
	};
	struct strs l = { 0 };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (flags & words[i].flag)
			str_push(a, &l, words[i].word);
	return l;
}

struct str
changes_text_marks(struct arena *a, unsigned flags, const struct strs *labels)
{
	struct strs words = changes_text_flags(a, flags);
	struct buf b;

	buf_init(&b, a, WORDS_MAX);
	for (size_t i = 0; i < words.n; i++)
		buf_fmt(&b, "%s%.*s", b.n > 0 ? ", " : "", STR_ARG(words.v[i]));
	for (size_t i = 0; i < labels->n; i++) {
		buf_fmt(&b, "%slabel ", b.n > 0 ? ", " : "");
		changes_text_put_name(&b, labels->v[i]);
	}
	return buf_view(&b);
}

struct str
changes_text(struct arena *a, const struct mailbox_change *v)
{
	struct buf b;

	buf_init(&b, a, WORDS_MAX);
	buf_fmt(&b, "%s %zu message%s %s ", v->move ? "move" : "mark", v->n,
	    v->n == 1 ? "" : "s", v->move ? "from" : "in");
	changes_text_put_name(&b, v->folder);
	if (v->move) {
		buf_text(&b, " to ");
		changes_text_put_name(&b, v->target);
	}
	return buf_view(&b);
}
