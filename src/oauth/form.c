/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries and forms, RFC 6749 appendix B.  A space is written as %20, which
 * every parser accepts, unlike a plus sign.
 */
#include "oauth/internal.h"

void
oauth_form_done(struct oauth_form *f)
{
	secret_wipe(f->p, f->n);
	f->n = 0;
}

void
oauth_form_raw(struct oauth_form *f, struct str s)
{
	if (f->over || s.n > sizeof(f->p) - f->n) {
		f->over = true;
		return;
	}
	if (s.n > 0)
		memcpy(f->p + f->n, s.p, s.n);
	f->n += s.n;
}

void
oauth_form_escape(struct oauth_form *f, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char text[3];

		oauth_form_raw(f,
		    (struct str){ text, str_hex_percent(text, s.p[i]) });
	}
}

static void
oauth_form_put_name(struct oauth_form *f, const char *name)
{
	if (f->n > 0)
		oauth_form_raw(f, S("&"));
	oauth_form_raw(f, str_of(name));
	oauth_form_raw(f, S("="));
}

void
oauth_form_put(struct oauth_form *f, const char *name, struct str value)
{
	oauth_form_put_name(f, name);
	oauth_form_escape(f, value);
}

static int
oauth_form_put_plain(struct str plain, void *ctx)
{
	oauth_form_escape(ctx, plain);
	return 0;
}

void
oauth_form_secret(struct oauth_form *f, const char *name,
    const struct secret *value)
{
	oauth_form_put_name(f, name);
	(void)secret_lend(value, oauth_form_put_plain, f);
}

struct str
oauth_form_view(const struct oauth_form *f)
{
	return (struct str){ f->p, f->n };
}

ptrdiff_t
oauth_form_find(struct str query, const char *name, char *out, size_t room)
{
	struct str item, key, value = { 0 }, found = { 0 };
	unsigned count = 0;
	ptrdiff_t n;

	while (query.n > 0) {
		(void)str_cut(query, '&', &item, &query);
		(void)str_cut(item, '=', &key, &value);
		if (!str_eq(key, str_of(name)))
			continue;
		found = value;
		count++;
	}
	if (count == 0)
		return -1;
	if (count > 1 || (n = str_hex_plain(out, room, found, true)) < 0)
		return -2;
	return n;
}
