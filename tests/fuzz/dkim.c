/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: signatures and key records.  The input is a record, an empty
 * line, and a message.
 */
#include "check.h"

#include "base/limits.h"
#include "mime/authres.h"

static void
asked(struct str query)
{
	check(query.n <= 253, "a name's size");
	check(str_find(query, S("._domainkey.")) > 0, "a key's name");
	for (size_t i = 0; i < query.n; i++) {
		char c = query.p[i];

		check((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '-' || c == '_' ||
			c == '.',
		    "a name's letters");
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str in = { (const char *)data, size };
	ptrdiff_t at = str_find(in, S("\n\n"));
	struct str record = at < 0 ? S("") : str_first(in, (size_t)at);
	struct str raw = at < 0 ? in : str_from(in, (size_t)at + 2);
	struct strs records = { &record, 1 };
	struct dkim_signature *s;
	size_t n;
	bool bad;

	s = dkim_read(a, raw, S("football.example.com"), 1528638000, &n, &bad);
	check(n <= LIMIT_DKIM_SIGNATURES, "number of signatures");
	for (size_t i = 0; i < n; i++) {
		asked(s[i].query);
		check(str_ends(S("football.example.com"), s[i].domain),
		    "whose signatures are read");
		(void)dkim_verify(a, &s[i], &records);
	}
	return 0;
}
