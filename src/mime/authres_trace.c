/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads from a Received field, RFC 5321 section 4.4, which server accepted a
 * message.  Its comments contain names that a stranger chose, so they are
 * skipped; a field in which a word appears twice is ignored.
 */
#include "base/ascii.h"
#include "mime/internal.h"

struct words {
	struct str s;
	size_t i;
};

/* The index after the text from i to `close`; comments nest. */
static size_t
authres_trace_behind(struct str s, size_t i, char open, char close)
{
	size_t depth = 1;

	for (i++; i < s.n && depth > 0; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == close)
			depth--;
		else if (s.p[i] == open)
			depth++;
	}
	return i < s.n ? i : s.n;
}

/* The next word before the date; empty: there is none. */
static struct str
authres_trace_next(struct words *w)
{
	struct str s = w->s;
	size_t from;

	while (w->i < s.n && (ascii_is_space(s.p[w->i]) || s.p[w->i] == '('))
		w->i = s.p[w->i] == '('
		    ? authres_trace_behind(s, w->i, '(', ')')
		    : w->i + 1;
	from = w->i;
	while (w->i < s.n && !ascii_is_space(s.p[w->i]) && s.p[w->i] != '(' &&
	    s.p[w->i] != ';')
		w->i = s.p[w->i] == '"'
		    ? authres_trace_behind(s, w->i, '"', '"')
		    : w->i + 1;
	return (struct str){ s.p + from, w->i - from };
}

/* Moves to the value after the word; false if the word was there before. */
static bool
authres_trace_take(struct words *w, struct str *to)
{
	if (to->p != NULL)
		return false;
	*to = authres_trace_next(w);
	return to->n > 0;
}

bool
authres_trace_read(struct str raw, struct authres_trace *out)
{
	struct words w = { raw, 0 };
	struct str word;

	*out = (struct authres_trace){ 0 };
	while ((word = authres_trace_next(&w)).n > 0) {
		struct str *to = NULL;

		if (str_eq_case(word, S("from")))
			to = &out->from;
		else if (str_eq_case(word, S("by")))
			to = &out->by;
		else if (str_eq_case(word, S("with")))
			to = &out->with;
		if (to != NULL && !authres_trace_take(&w, to))
			return false;
	}
	if (str_ends(out->by, S(".")))
		out->by.n--;
	return out->by.n > 0;
}
