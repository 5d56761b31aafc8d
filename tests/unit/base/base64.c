/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/base64.h"

/* RFC 4648, section 10. */
static struct row {
	const char *why;
	struct str text, raw;
	bool strict; /* does the strict reader accept it? */
	bool bad;    /* does the lenient one complain? */
} rows[] = {
	{ "nothing", SI(""), SI(""), true, false },
	{ "one byte", SI("Zg=="), SI("f"), true, false },
	{ "two bytes", SI("Zm8="), SI("fo"), true, false },
	{ "three bytes", SI("Zm9v"), SI("foo"), true, false },
	{ "six bytes", SI("Zm9vYmFy"), SI("foobar"), true, false },
	{ "the last two of the alphabet", SI("+/+/"), SI("\xfb\xff\xbf"), true,
	    false },
	{ "no padding", SI("Zg"), SI("f"), false, false },
	{ "one character left over", SI("Zm9vY"), SI("foo"), false, false },
	{ "bits left over, one pad", SI("Zm9="), SI("fo"), false, false },
	{ "bits left over, two pads", SI("Zh=="), SI("f"), false, false },
	{ "white space", SI("Zm9v\r\n YmFy"), SI("foobar"), false, false },
	{ "a line end within a group", SI("Zm\n9v"), SI("foo"), false, false },
	{ "a stranger", SI("Zm9v!YmFy"), SI("foobar"), false, true },
	{ "the other alphabet", SI("__--"), SI(""), false, true },
	{ "text behind the padding", SI("Zg==Zm9v"), SI("f"), false, false },
	{ "only padding", SI("===="), SI(""), false, false },
	{ "three pads", SI("Z==="), SI(""), false, false },
	{ "padding in the middle", SI("Z=g="), SI(""), false, false },
	{ "a NUL", SI("Zm9v\0YmFy"), SI("foobar"), false, true },
	{ "8-bit bytes", SI("Zm9v\xff\x80YmFy"), SI("foobar"), false, true },
};

/* The same without padding and with its own alphabet, RFC 4648 section 5. */
static void
url(void **state)
{
	static const struct {
		struct str text, raw;
	} good[] = { { SI(""), SI("") }, { SI("Zg"), SI("f") },
		{ SI("Zm8"), SI("fo") }, { SI("Zm9v"), SI("foo") },
		{ SI("Zm9vYg"), SI("foob") },
		{ SI("-_-_"), SI("\xfb\xff\xbf") } };
	static const struct str bad[] = { SI("Z"), SI("Zm9vY"), SI("Zg=="),
		SI("Zm8="), SI("+/+/"), SI("Zh"), SI("Zm9"), SI("Zm9v\n"),
		SI("Zm 9"), SI("====") };
	char out[64];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(base64_decode_url(out, good[i].text),
		    good[i].raw.n);
		rows_same((struct str){ out, good[i].raw.n }, good[i].raw);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(base64_decode_url(out, bad[i]), -1);
}

static void
row(void **state)
{
	const struct row *r = *state;
	char out[64];
	bool bad = !r->bad;
	ptrdiff_t n = base64_decode(out, r->text);

	assert_int_equal(n, r->strict ? (ptrdiff_t)r->raw.n : -1);
	if (n > 0)
		assert_memory_equal(out, r->raw.p, r->raw.n);
	memset(out, 0, sizeof(out));
	rows_same((struct str){ out, base64_decode_lax(out, r->text, &bad) },
	    r->raw);
	assert_int_equal(bad, r->bad);
	/* And in its own place. */
	memcpy(out, r->text.p, r->text.n);
	rows_same((struct str){ out,
		      base64_decode_lax(out, (struct str){ out, r->text.n },
			  &bad) },
	    r->raw);
	assert_int_equal(bad, r->bad);
}

static void
round_trip(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	char raw[257], out[3 * 344 / 4 + 3];
	struct buf b;
	bool bad;

	(void)state;
	for (size_t i = 0; i < sizeof(raw); i++)
		raw[i] = (char)(i * 89);
	for (size_t n = 0; n <= sizeof(raw); n++) {
		buf_init(&b, a, base64_size(n));
		base64_put(&b, (struct str){ raw, n });
		assert_int_equal(b.n, base64_size(n));
		assert_false(b.over);
		assert_int_equal(base64_decode(out, buf_view(&b)), n);
		assert_memory_equal(out, raw, n);
		assert_int_equal(base64_decode_lax(out, buf_view(&b), &bad), n);
		assert_memory_equal(out, raw, n);
	}
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("without padding, for addresses", url, NULL);
	rows_add("every length comes back as it was", round_trip, NULL);
	return cmocka_run_group_tests_name("base/base64", rows_tests, NULL,
	    NULL);
}
