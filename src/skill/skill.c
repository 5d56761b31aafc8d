/* SPDX-License-Identifier: Apache-2.0 */
/* Searches the catalogue. */
#include "skill/internal.h"

enum {
	ID_MAX = 64
};

const struct skill *
skill_at(size_t i)
{
	size_t n = 0;

	while (n < i && skills_all[n].name != NULL)
		n++;
	return skills_all[n].name != NULL ? &skills_all[n]
					  : skill_added_at(i - n);
}

const struct skill *
skill_home_at(size_t i)
{
	size_t n = 0;

	while (n < i && skills_home[n].name != NULL)
		n++;
	return skills_home[n].name != NULL ? &skills_home[n] : NULL;
}

/* Into a skill's spelling; its length, or 0 when it can be no id. */
static size_t
skill_normal(struct str id, char out[ID_MAX])
{
	size_t n = 0;
	bool gap = false;

	for (size_t i = 0; i < id.n; i++) {
		unsigned char c = (unsigned char)id.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c + ('a' - 'A'));
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		    c == '-') {
			/* A separator is dropped at the end. */
			if (gap && n > 0 && n < ID_MAX)
				out[n++] = '-';
			if (n == ID_MAX)
				return 0;
			out[n++] = (char)c;
			gap = false;
		} else {
			gap = true;
		}
	}
	return n;
}

const struct skill *
skill_find(struct str id)
{
	char name[ID_MAX];
	struct str want = { name, skill_normal(id, name) };
	const struct skill *s = NULL;

	for (size_t i = 0; want.n > 0 && (s = skill_at(i)) != NULL; i++)
		if (str_eq(want, str_of(s->name)))
			break;
	return s;
}

bool
skill_has_op(const struct skill *s, struct str op)
{
	for (size_t i = 0; s->ops[i] != NULL; i++)
		if (str_eq(op, str_of(s->ops[i])))
			return true;
	return false;
}

const struct skill *
skill_of_op(struct str op)
{
	for (const struct skill *s = skills_all; s->name != NULL; s++)
		if (!s->whole && skill_has_op(s, op))
			return s;
	return NULL;
}

const struct skill_file *
skill_resource(const struct skill *s, struct str path)
{
	const struct skill_file *f = s->resources;

	for (; f->path != NULL; f++)
		if (str_eq(path, str_of(f->path)))
			return f;
	return NULL;
}
