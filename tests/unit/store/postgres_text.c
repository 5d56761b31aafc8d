/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as text that PostgreSQL can hold, and back. */
#include "../rows.h"

#include "base/utf8.h"
#include "store/postgres_text.h"

static struct text {
	const char *why;
	struct str s, written;
} texts[] = {
	{ "nothing", SI(""), SI("") },
	{ "letters stay", SI("INBOX/Ann's \"mail\" \\x41"),
	    SI("INBOX/Ann's \"mail\" \\x41") },
	{ "characters stay", SI("Entw\xC3\xBCrfe \xF0\x9F\x93\xAC"),
	    SI("Entw\xC3\xBCrfe \xF0\x9F\x93\xAC") },
	{ "a NUL", SI("a\0b"),
	    SI("a\x01\x01"
	       "b") },
	{ "the mark",
	    SI("a\x01"
	       "b"),
	    SI("a\x01\x02"
	       "b") },
	{ "the mark of a NUL", SI("\x01\x01"), SI("\x01\x02\x01\x02") },
	{ "Latin 1", SI("caf\xE9"), SI("caf\xF4\x8F\xBF\xA9") },
	{ "the begin of a character at the end", SI("a\xC3"),
	    SI("a\xF4\x8F\xBF\x83") },
	{ "a surrogate", SI("\xED\xA0\x80"),
	    SI("\xF4\x8F\xBF\xAD\xF4\x8F\xBE\xA0\xF4\x8F\xBE\x80") },
	{ "a character that stands for a byte", SI("\xF4\x8F\xBF\xA9"),
	    SI("\xF4\x8F\xBF\xB4\xF4\x8F\xBE\x8F\xF4\x8F\xBE\xBF"
	       "\xF4\x8F\xBE\xA9") },
	{ "the one before these", SI("\xF4\x8F\xBD\xBF"),
	    SI("\xF4\x8F\xBD\xBF") },
};

static void
there_and_back(struct arena *a, struct str s, struct str *written)
{
	struct str copy;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	postgres_text_put(&b, s);
	*written = str_dup(a, buf_view(&b));
	assert_true(utf8_valid(*written));
	assert_false(str_has_char(*written, '\0'));
	assert_int_equal(postgres_text_plain(s), str_eq(*written, s));
	copy = str_dup(a, *written);
	rows_same(str_first(copy,
		      postgres_text_back((char *)(uintptr_t)copy.p, copy.n)),
	    s);
}

static void
text(void **state)
{
	const struct text *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str written;

	there_and_back(a, r->s, &written);
	rows_same(written, r->written);
}

/* All texts of three bytes out of those that matter: none is written as
 * another is. */
static void
every(void **state)
{
	static const unsigned char bytes[] = { 0, 1, 2, 'a', 0x80, 0x8F, 0xA9,
		0xBF, 0xC3, 0xED, 0xF4 };
	const size_t n = sizeof(bytes), all = n * n * n * n;
	struct arena *a = arena_open(64 << 20);
	struct strs seen = { 0 };

	(void)state;
	for (size_t i = 0; i < all; i++) {
		const char s[] = { (char)bytes[i % n], (char)bytes[i / n % n],
			(char)bytes[i / n / n % n],
			(char)bytes[i / n / n / n] };
		struct str written;

		there_and_back(a, (struct str){ s, 4 }, &written);
		if (i % 97 == 0) {
			assert_false(str_among(&seen, written));
			str_push(a, &seen, written);
		}
	}
	arena_close(&a);
}

/* What psql wrote. */
static void
foreign(void **state)
{
	char s[] = "a\x01z\x01";

	(void)state;
	assert_int_equal(postgres_text_back(s, 4), 4);
	assert_memory_equal(s, "a\x01z\x01", 4);
}

int
main(void)
{
	ROWS(texts, text);
	rows_add("any bytes come back", every, NULL);
	rows_add("what others wrote is left as it is", foreign, NULL);
	return cmocka_run_group_tests_name("postgres text", rows_tests, NULL,
	    NULL);
}
