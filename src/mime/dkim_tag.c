/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tag-list, RFC 6376 section 3.2: "a=1; b=2".  Strict, because two readers
 * who disagree about a tag disagree about what was signed: a repeated name, or
 * anything that is not a tag, makes the whole list invalid.
 */
#include <string.h>

#include "base/ascii.h"
#include "mime/internal.h"

enum {
	TAGS = 50 /* there are 13 for signatures and 7 for keys */
};

/* ALPHA *(ALPHA / DIGIT / "_") */
static bool
dkim_tag_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!letter &&
		    (i == 0 || !((c >= '0' && c <= '9') || c == '_')))
			return false;
	}
	return s.n > 0;
}

/* VALCHAR and FWS; RFC 8616 also allows UTF-8. */
static bool
dkim_tag_is_value(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (((unsigned char)s.p[i] <= ' ' && !ascii_is_space(s.p[i])) ||
		    s.p[i] == 0x7f)
			return false;
	return true;
}

static bool
dkim_tag_add(struct dkim_tags *t, struct str spec)
{
	struct dkim_tag tag;

	if (t->n == TAGS || !str_cut(spec, '=', &tag.name, &tag.whole))
		return false;
	tag.name = str_trim(tag.name);
	tag.value = str_trim(tag.whole);
	if (!dkim_tag_is_name(tag.name) || !dkim_tag_is_value(tag.whole))
		return false;
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->v[i].name, tag.name))
			return false;
	t->v[t->n++] = tag;
	return true;
}

bool
dkim_tag_read(struct arena *a, struct str s, struct dkim_tags *out)
{
	*out = (struct dkim_tags){ .v = arena_array(a, TAGS, sizeof(*out->v)) };
	while (s.n > 0) {
		struct str spec;

		(void)str_cut(s, ';', &spec, &s);
		/* One ";" is allowed after the last tag. */
		if (s.n == 0 && out->n > 0 && str_trim(spec).n == 0)
			break;
		if (!dkim_tag_add(out, spec))
			return false;
	}
	return out->n > 0;
}

const struct dkim_tag *
dkim_tag_find(const struct dkim_tags *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->v[i].name, str_of(name)))
			return &t->v[i];
	return NULL;
}

struct str
dkim_tag_get(const struct dkim_tags *t, const char *name, struct str otherwise)
{
	const struct dkim_tag *tag = dkim_tag_find(t, name);

	return tag != NULL ? tag->value : otherwise;
}

struct str
dkim_tag_squeeze(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_space(s.p[i]))
			p[n++] = s.p[i];
	return (struct str){ p, n };
}

bool
dkim_tag_lists(struct str list, struct str word)
{
	while (list.n > 0) {
		struct str item;

		(void)str_cut(list, ':', &item, &list);
		if (str_eq_case(str_trim(item), word))
			return true;
	}
	return false;
}
