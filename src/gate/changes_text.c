/* A change in words, for whoever is asked about it. */
#include "gate/changes.h"

#include "base/buf.h"

enum {
	WORDS_MAX = 64 << 10
};

struct str
changes_text_marks(struct arena *a, unsigned flags, const struct strs *labels)
{
	static const struct {
		unsigned flag;
		const char *word;
	} words[] = {
		{ FLAG_READ, "read" },
		{ FLAG_FLAGGED, "flagged" },
		{ FLAG_ANSWERED, "answered" },
		{ FLAG_ARCHIVED, "archived" },
	};
	struct buf b;

	buf_init(&b, a, WORDS_MAX);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (flags & words[i].flag)
			buf_fmt(&b, "%s%s", b.n > 0 ? ", " : "", words[i].word);
	for (size_t i = 0; i < labels->n; i++)
		buf_fmt(&b, "%slabel %.*s", b.n > 0 ? ", " : "",
		    STR_ARG(labels->v[i]));
	return buf_view(&b);
}

struct str
changes_text(struct arena *a, const struct mailbox_change *v)
{
	const char *s = v->n == 1 ? "" : "s";

	if (v->move)
		return str_fmt(a, "move %zu message%s from %.*s to %.*s", v->n,
		    s, STR_ARG(v->folder), STR_ARG(v->target));
	return str_fmt(a, "mark %zu message%s in %.*s", v->n, s,
	    STR_ARG(v->folder));
}
