/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the text of an element that contains no tags: its end tag, except
 * for a script, which may hide end tags from older browsers (HTML 13.2.5.4 and
 * 13.2.5.15 to 31).
 */
#include <string.h>

#include "html/build.h"

enum raw_state {
	RAW_PLAIN,
	RAW_ESCAPED, /* within "<!--" */
	RAW_DOUBLE,  /* in a "<script>" within that */
};

static size_t
raw_find(struct str s, size_t i, char c)
{
	const char *p = i < s.n ? memchr(s.p + i, c, s.n - i) : NULL;

	return p != NULL ? (size_t)(p - s.p) : s.n;
}

/* Is this name at i, with a character after it that ends a name? */
static bool
raw_is_tag(struct str s, size_t i, struct str tag)
{
	size_t end = i + tag.n;

	return end < s.n && strchr("\t\n\f\r />", s.p[end]) != NULL &&
	    s.p[end] != '\0' && str_starts_case(str_from(s, i), tag);
}

static size_t
raw_script_end(struct str s, size_t i)
{
	enum raw_state state = RAW_PLAIN;

	for (; i < s.n; i++) {
		if (state == RAW_PLAIN)
			i = raw_find(s, i, '<');
		if (i == s.n)
			break;
		if (s.p[i] == '-' && state != RAW_PLAIN) {
			if (str_starts(str_from(s, i), S("-->")))
				state = RAW_PLAIN;
			continue;
		}
		if (s.p[i] != '<')
			continue;
		if (raw_is_tag(s, i, S("</script"))) {
			if (state != RAW_DOUBLE)
				return i;
			state = RAW_ESCAPED;
		} else if (state == RAW_PLAIN &&
		    str_starts(str_from(s, i), S("<!--"))) {
			state = RAW_ESCAPED;
			i++; /* "<!-->" is a complete comment */
		} else if (state == RAW_ESCAPED &&
		    raw_is_tag(s, i, S("<script"))) {
			state = RAW_DOUBLE;
		}
	}
	return s.n;
}

size_t
html_raw_end(struct str s, size_t i, const struct html_element *e)
{
	struct str name = str_of(e->name);

	if (html_is(e, HTML_N_PLAINTEXT))
		return s.n;
	if (html_is(e, HTML_N_SCRIPT))
		return raw_script_end(s, i);
	for (;; i++) {
		i = raw_find(s, i, '<');
		if (i == s.n)
			return i;
		if (i + 1 < s.n && s.p[i + 1] == '/' &&
		    raw_is_tag(str_from(s, i), 2, name))
			return i;
	}
}
