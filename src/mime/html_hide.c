/*
 * Elements that a browser does not show: the hidden attribute, and styles that
 * come to the same.  What hides words from a person must not say them to an
 * agent.  Style sheets are not read.  In doubt about where such an element
 * ends, it ends: words that can be seen must not be lost.
 */
#include <string.h>

#include "mime/internal.h"

#define STYLE_MAX 1000

/* Does the value at the beginning of s come to nothing: "0", "0px", "0.0"? */
static bool
is_zero(struct str s)
{
	size_t i = 0;

	while (i < s.n && (s.p[i] == '0' || s.p[i] == '.'))
		i++;
	return i > 0 && (i == s.n || s.p[i] < '0' || s.p[i] > '9');
}

static bool
is_hiding(struct str name, struct str value)
{
	if (str_eq(name, S("display")))
		return str_starts(value, S("none"));
	if (str_eq(name, S("visibility")))
		return str_starts(value, S("hidden")) ||
		    str_starts(value, S("collapse"));
	if (str_eq(name, S("font-size")) || str_eq(name, S("opacity")))
		return is_zero(value);
	return false;
}

/* The declarations of a style attribute, CSS in its plainest form. */
static bool
hides(struct str style)
{
	char text[STYLE_MAX];
	struct str rest, one, name, value;
	size_t n = 0;
	bool more = true;

	for (size_t i = 0; i < style.n && n < sizeof(text); i++) {
		unsigned char c = (unsigned char)style.p[i];

		if (c > ' ')
			text[n++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
	}
	rest = (struct str){ text, n };
	while (more) {
		more = str_cut(rest, ';', &one, &rest);
		if (str_cut(one, ':', &name, &value) && is_hiding(name, value))
			return true;
	}
	return false;
}

static bool
is_one_of(const char *name, const char *list)
{
	struct str rest = str_of(list), one;
	bool more = true;

	while (more) {
		more = str_cut(rest, ' ', &one, &rest);
		if (str_eq(one, str_of(name)))
			return true;
	}
	return false;
}

/* An element without an end. */
static bool
is_void(const char *name)
{
	return is_one_of(name,
	    "area base br col embed hr img input link meta source track wbr");
}

/* Does this tag end what is hidden without naming it? */
static bool
ends(struct html *h, const struct html_tag *t, const struct html_element *e)
{
	bool block = e != NULL && e->lines > 0;
	int *open = NULL;

	if (strcmp(h->hid, "p") == 0)
		return block && (!t->closing || strcmp(t->name, "p") != 0);
	if (is_one_of(h->hid, "li dd dt td th tr option") &&
	    ((!t->closing && strcmp(t->name, h->hid) == 0) ||
		(t->closing && is_one_of(t->name, "ul ol dl tr tbody table"))))
		return strcmp(t->name, h->hid) != 0 || !t->closing;
	if (strcmp(t->name, "div") == 0)
		open = &h->hid_divs;
	else if (strcmp(t->name, "table") == 0)
		open = &h->hid_tables;
	if (open == NULL || strcmp(t->name, h->hid) == 0)
		return false;
	*open += t->closing ? -1 : 1;
	return *open < 0;
}

/* A tag within what is hidden; false: it is the first beyond. */
static bool
within(struct html *h, const struct html_tag *t, const struct html_element *e)
{
	if (ends(h, t, e)) {
		h->hides = 0;
		return false;
	}
	if (strcmp(t->name, h->hid) == 0)
		h->hides += t->closing ? -1 : 1;
	return true;
}

bool
html_hide_tag(struct html *h, const struct html_tag *t,
    const struct html_element *e)
{
	if (h->drop != NULL)
		return false;
	if (h->hides > 0 && within(h, t, e))
		return true;
	if (t->closing || t->name[0] == '\0' ||
	    (t->attr[HTML_HIDDEN].p == NULL && !hides(t->attr[HTML_STYLE])))
		return false;
	if (is_void(t->name))
		return true;
	memcpy(h->hid, t->name, sizeof(h->hid));
	h->hides = 1;
	h->hid_divs = h->hid_tables = 0;
	return true;
}
