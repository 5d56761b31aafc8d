/* Templates of addresses. */
#include "source/url.h"

#include "base/buf.h"
#include "base/limits.h"

/* What archives write bare in their addresses, beyond RFC 3986. */
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

static struct str
bare(struct str id)
{
	if (id.n > 2 && id.p[0] == '<' && id.p[id.n - 1] == '>')
		return str_first(str_from(id, 1), id.n - 2);
	return id;
}

bool
url_fill(struct arena *a, struct str template, const struct url_parts *parts,
    struct str *out)
{
	const struct {
		struct str name, value;
	} known[] = {
		{ SI("<id>"), bare(parts->id) },
		{ SI("<hash>"), parts->hash },
		{ SI("<list>"), parts->list },
	};
	struct buf b;
	size_t i = 0;

	buf_init(&b, a, LIMIT_URL);
	while (i < template.n) {
		struct str rest = str_from(template, i);
		size_t k = 0;

		while (k < 3 && !str_starts(rest, known[k].name))
			k++;
		if (k == 3) {
			buf_char(&b, template.p[i++]);
			continue;
		}
		if (known[k].value.n == 0)
			return false;
		buf_percent(&b, known[k].value, BARE);
		i += known[k].name.n;
	}
	*out = buf_view(&b);
	return !b.over && b.n > 0;
}
