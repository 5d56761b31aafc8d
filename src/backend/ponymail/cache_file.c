/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli's files beside the store about an archive's lists.  Each begins with a
 * line with the SHA-256 of the rest.
 */
#include "backend/internal.h"
#include "backend/ponymail/internal.h"
#include "net/sha256.h"

/* Change the number when the format or its meaning changes. */
#define MAGIC "emcli-ponymail 2 "
#define FIRST (sizeof(MAGIC) - 1 + 64 + 1)

static struct str
ponymail_cache_file_digest(struct arena *a, struct str bytes)
{
	unsigned char sum[32];

	sha256_of(bytes, sum);
	return str_hex_dup(a, sum, sizeof(sum));
}

/* What is visible in a list depends on the session. */
static const char *
ponymail_cache_file_name(const struct pony *p, struct arena *a,
    const struct pony_list *l, const char *end)
{
	return backend_cache_name(a, &p->conn,
	    str_fmt(a, "%.*s\n%d", STR_ARG(l->folder),
		ponymail_session_is_there(p->conn.acct)),
	    end);
}

bool
ponymail_cache_file_get(const struct pony *p, const struct pony_list *l,
    const char *end, size_t max, struct arena *a, struct str *out)
{
	struct str text, line;

	if (!backend_cache_get(p->conn.acct,
		ponymail_cache_file_name(p, a, l, end), max + FIRST, a,
		&text) ||
	    !str_cut(text, '\n', &line, out) || !str_starts(line, S(MAGIC)))
		return false;
	return str_eq(str_from(line, sizeof(MAGIC) - 1),
	    ponymail_cache_file_digest(a, *out));
}

void
ponymail_cache_file_put(const struct pony *p, const struct pony_list *l,
    const char *end, struct str text)
{
	CLEANUP(arena_close) struct arena *a = arena_open(text.n + (1 << 20));
	struct buf b;

	buf_init(&b, a, FIRST + text.n);
	(void)buf_reserve(&b, b.max);
	buf_text(&b, MAGIC);
	buf_str(&b, ponymail_cache_file_digest(a, text));
	buf_char(&b, '\n');
	buf_str(&b, text);
	backend_cache_put(p->conn.acct, ponymail_cache_file_name(p, a, l, end),
	    buf_view(&b));
}
