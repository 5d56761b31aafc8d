/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "base/md5.h"

/* RFC 1321, section A.5, and lengths around a block's, by md5sum(1). */
static struct row {
	const char *why;
	struct str text;
	size_t times;
	const char *want;
} rows[] = {
	{ "nothing", SI(""), 0, "d41d8cd98f00b204e9800998ecf8427e" },
	{ "a letter", SI("a"), 1, "0cc175b9c0f1b6a831c399e269772661" },
	{ "some words", SI("message digest"), 1,
	    "f96b697d7cb7938d525a2f31aaf161d0" },
	{ "80 digits", SI("1234567890"), 8,
	    "57edf4a22be3c955ac49da2e2107b67a" },
	{ "55 bytes", SI("x"), 55, "04364420e25c512fd958a70738aa8f72" },
	{ "56 bytes", SI("x"), 56, "668a72d5ba17f08e62dabcafad6db14b" },
	{ "63 bytes", SI("x"), 63, "7dc2ca208106a2f703567bdff99d8981" },
	{ "64 bytes", SI("x"), 64, "c1bb4f81d892b2d57947682aeb252456" },
	{ "65 bytes", SI("x"), 65, "1bc932052302d074bdec39795fe00cf6" },
	{ "119 bytes", SI("x"), 119, "ab347a5f68c8a443cfcddc633f12c24f" },
	{ "120 bytes", SI("x"), 120, "fb98667f98096de92620b64f46e1c5b5" },
	{ "1000 bytes", SI("x"), 1000, "398533d48111e9f664b1f64cb10c4b63" },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	unsigned char sum[16];

	md5_of(rows_repeat(a, r->text, r->times), sum);
	rows_same(str_hex_dup(a, sum, sizeof(sum)), str_of(r->want));
}

ROWS_MAIN("base/md5", rows, row)
