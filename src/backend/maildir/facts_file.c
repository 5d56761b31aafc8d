/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts as a file beside the store: header, facts, texts, in their memory
 * layout.  The file is emcli's, but is read like a stranger's.  A file that
 * cannot be written is not an error: its data is rebuilt.
 */
#include "backend/maildir/internal.h"

struct head {
	char magic[8];
	uint32_t version, fact_n;
	uint64_t bytes, n, text_n, sum; /* of everything after it */
};

#define MAGIC "emclmdir"
#define VERSION 2

static bool
maildir_facts_file_is_good(const char *p, size_t n)
{
	struct head h;

	if (n < sizeof(h))
		return false;
	memcpy(&h, p, sizeof(h));
	return memcmp(h.magic, MAGIC, 8) == 0 && h.version == VERSION &&
	    h.fact_n == sizeof(struct maildir_fact) && h.bytes == n &&
	    h.n <= LIMIT_MAILDIR_FILES && h.text_n <= n &&
	    sizeof(h) + h.n * sizeof(struct maildir_fact) + h.text_n == n &&
	    h.sum == backend_sum(h.n, p + sizeof(h), n - sizeof(h));
}

bool
maildir_facts_file_load(struct maildir *m)
{
	struct str *map = &m->facts.map;
	const struct head *h;
	const void *v;

	if (!maildir_cache_map(m, "facts", map) ||
	    !maildir_facts_file_is_good(map->p, map->n))
		return false;
	v = map->p;
	h = v;
	v = map->p + sizeof(*h);
	m->facts.v = v;
	m->facts.n = h->n;
	m->facts.text =
	    (struct str){ (const char *)v + h->n * sizeof(*m->facts.v),
		    h->text_n };
	return true;
}

void
maildir_facts_file_save(const struct maildir *m)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct maildir_facts *x = &m->facts;
	size_t facts = x->n * sizeof(*x->v);
	struct head h = { .version = VERSION, .fact_n = sizeof(*x->v) };
	char *p;

	h.n = x->n;
	h.text_n = x->text.n;
	h.bytes = sizeof(h) + facts + x->text.n;
	memcpy(h.magic, MAGIC, 8);
	p = arena_alloc(a, h.bytes);
	memcpy(p + sizeof(h), x->v, facts);
	if (x->text.n > 0)
		memcpy(p + sizeof(h) + facts, x->text.p, x->text.n);
	h.sum = backend_sum(h.n, p + sizeof(h), h.bytes - sizeof(h));
	memcpy(p, &h, sizeof(h));
	maildir_cache_put(m, "facts", (struct str){ p, h.bytes });
}
