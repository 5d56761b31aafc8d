/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a list's months, beside the store:
 *
 *	M <month> <told> <listed>
 *	<epoch> <mid> <Message-ID> <In-Reply-To>	as many as listed
 *
 * Texts are percent-encoded, an empty one is "-".
 */
#include "backend/ponymail/internal.h"

#define CACHE_MAX (512UL << 20)

static void
ponymail_cache_put_text(struct buf *b, struct str s, char end)
{
	if (s.n == 0)
		buf_char(b, '-');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c > ' ' && c < 0x7f && c != '%' && (c != '-' || s.n > 1)) {
			buf_char(b, (char)c);
		} else {
			char text[3];

			str_hex_escape(text, '%', s.p[i]);
			buf_add(b, text, 3);
		}
	}
	buf_char(b, end);
}

struct str
ponymail_cache_text(struct arena *a, const struct pony_list *l)
{
	struct buf b;

	buf_init(&b, a, CACHE_MAX);
	for (size_t i = 0; i < l->months; i++) {
		const struct pony_month *m = &l->month[i];

		if (!m->known)
			continue;
		buf_fmt(&b, "M %d %u %u\n", m->at, m->told, m->n);
		for (uint32_t k = 0; k < m->n; k++) {
			const struct pony_entry *x = &m->v[k];

			buf_fmt(&b, "%lld ", (long long)x->epoch);
			ponymail_cache_put_text(&b, x->mid, ' ');
			ponymail_cache_put_text(&b, x->message_id, ' ');
			ponymail_cache_put_text(&b, x->parent, '\n');
		}
	}
	return b.over ? S("") : buf_view(&b);
}

static struct str
ponymail_cache_word(struct str *line)
{
	struct str w;

	(void)str_cut(*line, ' ', &w, line);
	return w;
}

static bool
ponymail_cache_get_text(struct arena *a, struct str w, struct str *out)
{
	char *p = arena_alloc(a, w.n);
	size_t n = 0;
	int c;

	if (w.n == 0)
		return false;
	for (size_t i = 0; i < w.n && !str_eq(w, S("-")); i++) {
		if (w.p[i] != '%') {
			p[n++] = w.p[i];
			continue;
		}
		c = str_hex_pair(w, i + 1);
		if (c < 0)
			return false;
		p[n++] = (char)c;
		i += 2;
	}
	*out = (struct str){ p, n };
	return true;
}

static bool
ponymail_cache_get_epoch(struct str w, int64_t *out)
{
	bool minus = str_starts(w, S("-"));
	uint64_t n;

	if (!str_to_u64(str_from(w, minus), INT64_MAX, &n))
		return false;
	*out = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

static bool
ponymail_cache_get_entry(struct arena *a, struct str line, struct pony_entry *x)
{
	return ponymail_cache_get_epoch(ponymail_cache_word(&line),
		   &x->epoch) &&
	    ponymail_cache_get_text(a, ponymail_cache_word(&line), &x->mid) &&
	    x->mid.n > 0 &&
	    ponymail_cache_get_text(a, ponymail_cache_word(&line),
		&x->message_id) &&
	    ponymail_cache_get_text(a, ponymail_cache_word(&line),
		&x->parent) &&
	    line.n == 0;
}

static bool
ponymail_cache_get_month(struct str line, struct pony_month *m)
{
	uint32_t at;

	*m = (struct pony_month){ .known = true };
	if (!str_eq(ponymail_cache_word(&line), S("M")) ||
	    !str_to_u32(ponymail_cache_word(&line), 10000 * 12, &at) ||
	    !str_to_u32(ponymail_cache_word(&line), LIMIT_PONY_MESSAGES,
		&m->told) ||
	    !str_to_u32(ponymail_cache_word(&line), LIMIT_PONY_MESSAGES, &m->n))
		return false;
	m->at = (int)at;
	return line.n == 0;
}

bool
ponymail_cache_read(struct str text, struct pony_list *l)
{
	struct str line, rest = text;
	struct pony_month m;

	l->month = arena_array(l->a, LIMIT_PONY_MONTHS, sizeof(m));
	while (rest.n > 0) {
		if (!str_cut(rest, '\n', &line, &rest) ||
		    !ponymail_cache_get_month(line, &m) ||
		    l->months == LIMIT_PONY_MONTHS || m.n > rest.n)
			return false;
		m.v = arena_array(l->a, m.n, sizeof(*m.v));
		for (uint32_t i = 0; i < m.n; i++)
			if (!str_cut(rest, '\n', &line, &rest) ||
			    !ponymail_cache_get_entry(l->a, line, &m.v[i]))
				return false;
		l->month[l->months++] = m;
	}
	return true;
}

void
ponymail_cache_load(const struct pony *p, struct pony_list *l)
{
	CLEANUP(arena_close) struct arena *a = arena_open(2 * CACHE_MAX);
	struct str text;

	if (ponymail_cache_file_get(p, l, "", CACHE_MAX, a, &text) &&
	    ponymail_cache_read(text, l))
		return;
	l->month = NULL;
	l->months = 0;
}

void
ponymail_cache_keep(const struct pony *p, const struct pony_list *l)
{
	CLEANUP(arena_close) struct arena *a = NULL;

	if (p->conn.acct->cache_dir.n == 0 || !l->changed)
		return;
	a = arena_open(LIMIT_ARENA);
	ponymail_cache_file_put(p, l, "", ponymail_cache_text(a, l));
}
