/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of addresses. */
#include "source/url.h"

#include "base/buf.h"
#include "base/limits.h"

/* Archives write this unencoded, beyond RFC 3986. */
#define BARE "@"

struct str
url_encode(struct arena *a, struct str s)
{
	struct buf b;

	buf_init(&b, a, 3 * s.n + 1);
	buf_percent(&b, s, BARE);
	return buf_view(&b);
}

bool
url_wants(struct str template, struct str part)
{
	return str_find(template, part) >= 0;
}

enum {
	PARTS = 3,  /* of struct url_parts, in its order */
	ORIGIN = 3, /* number of "/" before the path */
};

static const struct str part_names[PARTS] = { SI("<id>"), SI("<hash>"),
	SI("<list>") };

/* The part that begins here in a template; PARTS: none. */
static size_t url_part_at(struct str template)
{
	size_t k = 0;

	while (k < PARTS && !str_starts(template, part_names[k]))
		k++;
	return k;
}

static bool
is_value_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || str_has_char(S("-._~%" BARE), c);
}

/* A value encoded by url_fill(); equal wherever the part occurs. */
static bool
url_take_value(struct arena *a, struct str raw, struct str *out)
{
	struct buf b;

	buf_init(&b, a, LIMIT_URL);
	for (size_t i = 0; i < raw.n; i++) {
		int c = (unsigned char)raw.p[i];

		if (!is_value_byte(raw.p[i]))
			return false;
		if (c == '%') {
			c = i + 2 < raw.n ? str_hex_pair(raw, i + 1) : -1;
			i += 2;
		}
		if (c < 0x20 || c == 0x7f)
			return false;
		buf_char(&b, (char)c);
	}
	if (b.n == 0 || b.over || (out->n > 0 && !str_eq(*out, buf_view(&b))))
		return false;
	*out = buf_view(&b);
	return true;
}

/* The end of a value: at the template's next text. */
static bool
url_value_end(struct str template, struct str url, size_t *out)
{
	size_t n = 0;
	ptrdiff_t at;

	while (n < template.n && url_part_at(str_from(template, n)) == PARTS)
		n++;
	if (n == template.n) { /* the last one: takes the rest */
		*out = url.n > n ? url.n - n : 0;
		return url.n > n;
	}
	at = n > 0 ? str_find(url, str_first(template, n)) : -1;
	*out = at > 0 ? (size_t)at : 0;
	return at > 0;
}

/* Are both equal at this position? */
static bool
url_is_same(char x, char y, int slashes)
{
	return x == y ||
	    (slashes < ORIGIN &&
		str_eq_case((struct str){ &x, 1 }, (struct str){ &y, 1 }));
}

bool
url_match(struct arena *a, struct str template, struct str url,
    struct url_parts *out)
{
	struct str *part[PARTS] = { &out->id, &out->hash, &out->list };
	int slashes = 0;

	*out = (struct url_parts){ 0 };
	while (template.n > 0) {
		size_t k = url_part_at(template), end;

		if (k < PARTS) {
			template = str_from(template, part_names[k].n);
			if (!url_value_end(template, url, &end) ||
			    !url_take_value(a, str_first(url, end), part[k]))
				return false;
			url = str_from(url, end);
			continue;
		}
		if (url.n == 0 ||
		    !url_is_same(url.p[0], template.p[0], slashes))
			return false;
		slashes += url.p[0] == '/';
		template = str_from(template, 1);
		url = str_from(url, 1);
	}
	return url.n == 0;
}

static struct str
url_bare(struct str id)
{
	if (id.n > 2 && id.p[0] == '<' && id.p[id.n - 1] == '>')
		return str_first(str_from(id, 1), id.n - 2);
	return id;
}

bool
url_fill(struct arena *a, struct str template, const struct url_parts *parts,
    struct str *out)
{
	const struct str value[PARTS] = { url_bare(parts->id), parts->hash,
		parts->list };
	struct buf b;
	size_t i = 0;

	buf_init(&b, a, LIMIT_URL);
	while (i < template.n) {
		struct str rest = str_from(template, i);
		size_t k = url_part_at(rest);

		if (k == PARTS) {
			buf_char(&b, template.p[i++]);
			continue;
		}
		if (value[k].n == 0)
			return false;
		buf_percent(&b, value[k], BARE);
		i += part_names[k].n;
	}
	*out = buf_view(&b);
	return !b.over && b.n > 0;
}
