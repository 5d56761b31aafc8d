/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms of keys and tokens.  A row has literals, each followed by a run of
 * characters of a set.  Every run except an unlimited last one stops at its
 * cap, so that time is linear for any text.  Secrets without a recognizable
 * form (a Twilio or a Heroku key is plain hexadecimal) are not here: they would
 * match every checksum.
 */
#include "gate/internal.h"
#include "gate/outbox_secret.h"

enum set {
	NOTHING,
	DIGIT = 1 << 0,
	UPPER = 1 << 1,
	LOWER = 1 << 2,
	HEX = 1 << 3, /* 0-9 a-f */
	DASH = 1 << 4,
	UNDER = 1 << 5,
	BASE64 = 1 << 6, /* + / */
	ASSIGN = 1 << 7, /* between a name and its value */
	ALNUM = DIGIT | UPPER | LOWER,
	UPNUM = DIGIT | UPPER,
	WORD = ALNUM | UNDER,
	URL = ALNUM | DASH | UNDER, /* RFC 4648 section 5 */
	STD = ALNUM | BASE64,       /* RFC 4648 section 4 */
};

enum flag {
	APART = 1 << 0, /* no letter or digit before it */
	WHOLE = 1 << 1, /* nor after it */
	AFTER = 1 << 2, /* a digit before it */
	PLAIN = 1 << 3, /* its last run needs no digit */
	ALONE = 1 << 4, /* nothing of URL before it: its runs may be long */
};

struct piece {
	struct str lit;
	unsigned set;
	uint16_t min, max; /* of the run after it; max 0: as min */
};

struct shape {
	const char *kind;
	unsigned flags;
	struct piece piece[3];
};

#define LIT(text)                                                              \
	{                                                                      \
		SI(text), NOTHING, 0, 0                                        \
	}
#define RUN(text, set, n)                                                      \
	{                                                                      \
		SI(text), (set), (n), 0                                        \
	}
#define UPTO(text, set, n, most)                                               \
	{                                                                      \
		SI(text), (set), (n), (most)                                   \
	}

static const struct shape shapes[] = {
	/* RFC 7468, RFC 9580 section 6.2, RFC 4716 and similar. */
	{ "private_key", PLAIN, { LIT("PRIVATE KEY-----") } },
	{ "private_key", PLAIN, { LIT("PRIVATE KEY BLOCK-----") } },
	{ "private_key", PLAIN, { LIT("ENCRYPTED PRIVATE KEY ----") } },
	{ "private_key", PLAIN, { LIT("PuTTY-User-Key-File-") } },
	{ "private_key", PLAIN, { LIT("openssh-key-v1\0") } },
	/* PKCS #8 (RFC 5958) of RSA, of curves, of Ed25519; PKCS #1. */
	{ "private_key", PLAIN,
	    { LIT("\x02\x01\x00\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01"
		  "\x01\x01\x05\x00\x04") } },
	{ "private_key", PLAIN,
	    { LIT("\x02\x01\x00\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01"
		  "\x06") } },
	{ "private_key", PLAIN,
	    { LIT("\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22"
		  "\x04\x20") } },
	{ "private_key", PLAIN, { LIT("\x02\x01\x00\x02\x82\x01\x01\x00") } },
	{ "private_key", PLAIN, { LIT("\x02\x01\x00\x02\x82\x02\x01\x00") } },
	{ "private_key", PLAIN, { RUN("AGE-SECRET-KEY-1", UPNUM, 58) } },

	{ "aws_key", APART | WHOLE | PLAIN, { RUN("AKIA", UPNUM, 16) } },
	{ "aws_key", APART | WHOLE | PLAIN, { RUN("ASIA", UPNUM, 16) } },
	{ "aws_key", APART | WHOLE | PLAIN, { RUN("ABIA", UPNUM, 16) } },
	{ "aws_key", APART | WHOLE | PLAIN, { RUN("ACCA", UPNUM, 16) } },
	{ "aws_key", 0,
	    { UPTO("secret_access_key", ASSIGN, 1, 8), RUN("", STD, 40) } },
	{ "aws_key", 0,
	    { UPTO("SECRET_ACCESS_KEY", ASSIGN, 1, 8), RUN("", STD, 40) } },
	{ "aws_key", 0,
	    { UPTO("SecretAccessKey", ASSIGN, 1, 8), RUN("", STD, 40) } },
	{ "azure_key", 0, { RUN("AccountKey=", STD, 86) } },
	{ "google_key", APART, { RUN("AIza", URL, 35) } },
	{ "google_oauth", 0, { RUN("GOCSPX-", URL, 28) } },
	{ "google_oauth", APART, { RUN("ya29.", URL, 40) } },
	{ "google_oauth", APART, { RUN("1//0", URL, 40) } },

	{ "github_token", 0, { RUN("ghp_", ALNUM, 36) } },
	{ "github_token", 0, { RUN("gho_", ALNUM, 36) } },
	{ "github_token", 0, { RUN("ghu_", ALNUM, 36) } },
	{ "github_token", 0, { RUN("ghs_", ALNUM, 36) } },
	{ "github_token", 0, { RUN("ghr_", ALNUM, 36) } },
	{ "github_token", 0, { RUN("github_pat_", WORD, 60) } },
	{ "gitlab_token", 0, { RUN("glpat-", URL, 20) } },
	{ "gitlab_token", 0, { RUN("gldt-", URL, 20) } },
	{ "gitlab_token", 0, { RUN("glrt-", URL, 20) } },
	{ "gitlab_token", 0, { RUN("glptt-", URL, 20) } },
	{ "gitlab_token", 0, { RUN("glcbt-", URL, 20) } },
	{ "gitlab_token", 0, { RUN("glsoat-", URL, 20) } },
	{ "slack_token", 0, { RUN("xoxb-", ALNUM | DASH, 24) } },
	{ "slack_token", 0, { RUN("xoxp-", ALNUM | DASH, 24) } },
	{ "slack_token", 0, { RUN("xoxa-", ALNUM | DASH, 24) } },
	{ "slack_token", 0, { RUN("xoxr-", ALNUM | DASH, 24) } },
	{ "slack_token", 0, { RUN("xoxs-", ALNUM | DASH, 24) } },
	{ "slack_token", 0, { RUN("xoxe-", ALNUM | DASH, 24) } },
	{ "slack_token", 0, { RUN("xoxe.", ALNUM | DASH, 24) } },
	{ "slack_token", 0, { RUN("xapp-", ALNUM | DASH, 24) } },
	{ "slack_token", 0,
	    { UPTO("hooks.slack.com/services/T", UPNUM, 6, 20),
		UPTO("/B", UPNUM, 6, 20), RUN("/", ALNUM, 20) } },
	{ "stripe_key", 0, { RUN("sk_live_", ALNUM, 24) } },
	{ "stripe_key", 0, { RUN("rk_live_", ALNUM, 24) } },
	{ "stripe_key", 0, { RUN("sk_test_", ALNUM, 24) } },
	{ "stripe_key", 0, { RUN("rk_test_", ALNUM, 24) } },
	{ "stripe_key", 0, { RUN("whsec_", STD, 32) } },
	{ "openai_key", APART, { RUN("sk-proj-", URL, 40) } },
	{ "openai_key", APART, { RUN("sk-svcacct-", URL, 40) } },
	{ "openai_key", APART, { RUN("sk-admin-", URL, 40) } },
	{ "openai_key", APART | WHOLE, { RUN("sk-", ALNUM, 48) } },
	{ "anthropic_key", APART, { RUN("sk-ant-", URL, 40) } },
	{ "npm_token", APART, { RUN("npm_", ALNUM, 36) } },
	{ "pypi_token", APART, { RUN("pypi-AgE", URL, 50) } },
	{ "huggingface_token", APART, { RUN("hf_", ALNUM, 34) } },
	{ "vault_token", APART, { RUN("hvs.", URL, 24) } },
	{ "digitalocean_token", 0, { RUN("dop_v1_", HEX, 64) } },
	{ "shopify_token", 0, { RUN("shpat_", HEX | UPPER, 32) } },
	{ "databricks_token", APART | WHOLE, { RUN("dapi", HEX, 32) } },
	{ "mailgun_key", APART | WHOLE, { RUN("key-", HEX, 32) } },
	{ "telegram_token", AFTER, { RUN(":AA", URL, 33) } },
	{ "sendgrid_key", APART,
	    { UPTO("SG.", URL, 16, 64), RUN(".", URL, 32) } },
	/*
	 * RFC 7519: a header and a body that are JSON objects, and a signature.
	 */
	{ "jwt", ALONE,
	    { UPTO("eyJ", URL, 8, 8192), UPTO(".eyJ", URL, 8, 65535),
		RUN(".", URL, 20) } },
};

enum {
	SHAPES = sizeof(shapes) / sizeof(shapes[0]),
	PIECES = sizeof(shapes[0].piece) / sizeof(shapes[0].piece[0])
};

static bool
outbox_secret_shape_in_set(unsigned char c, unsigned set)
{
	if (c >= '0' && c <= '9')
		return (set & (DIGIT | HEX)) != 0;
	if (c >= 'A' && c <= 'Z')
		return (set & UPPER) != 0;
	if (c >= 'a' && c <= 'z')
		return (set & LOWER) != 0 || ((set & HEX) && c <= 'f');
	switch (c) {
	case '-':
		return (set & DASH) != 0;
	case '_':
		return (set & UNDER) != 0;
	case '+':
	case '/':
		return (set & BASE64) != 0;
	case ' ':
	case '"':
	case '\'':
	case ':':
	case '=':
	case '>':
		return (set & ASSIGN) != 0;
	default:
		return false;
	}
}

static bool
outbox_secret_shape_is_alnum(struct str s, size_t i)
{
	return i < s.n &&
	    outbox_secret_shape_in_set((unsigned char)s.p[i], ALNUM);
}

/*
 * A run at s.p[*i], which moves after it.  "xxxxxxxxxxxxxxxx" and words with
 * dashes appear in text about tokens: without a digit it is not one.
 */
static bool
outbox_secret_shape_take_run(struct str s, size_t *i, const struct piece *p,
    bool plain)
{
	size_t most = p->max > 0 ? p->max : p->min, n = 0;
	bool digit = plain;

	while (n < most && *i + n < s.n &&
	    outbox_secret_shape_in_set((unsigned char)s.p[*i + n], p->set)) {
		digit = digit || (s.p[*i + n] >= '0' && s.p[*i + n] <= '9');
		n++;
	}
	*i += n;
	return n >= p->min && digit;
}

static bool
is_none(const struct piece *p)
{
	return p->lit.n == 0 && p->min == 0;
}

static bool
outbox_secret_shape_matches(const struct shape *x, struct str s, size_t i)
{
	size_t end = i;

	if ((x->flags & APART) && i > 0 &&
	    outbox_secret_shape_is_alnum(s, i - 1))
		return false;
	if ((x->flags & AFTER) &&
	    (i == 0 || s.p[i - 1] < '0' || s.p[i - 1] > '9'))
		return false;
	if ((x->flags & ALONE) && i > 0 &&
	    outbox_secret_shape_in_set((unsigned char)s.p[i - 1], URL))
		return false;
	for (int k = 0; k < PIECES && !is_none(&x->piece[k]); k++) {
		const struct piece *p = &x->piece[k];
		bool last = k + 1 == PIECES || is_none(p + 1);

		if (!str_starts(str_from(s, end), p->lit))
			return false;
		end += p->lit.n;
		if (p->min > 0 &&
		    !outbox_secret_shape_take_run(s, &end, p,
			(x->flags & PLAIN) || !last))
			return false;
	}
	return !(x->flags & WHOLE) || !outbox_secret_shape_is_alnum(s, end);
}

const char *
outbox_secret_shape(struct str s)
{
	/* Index of shapes by first byte: heads, and the next with the same. */
	uint8_t head[256] = { 0 }, next[SHAPES + 1] = { 0 };

	for (uint8_t k = SHAPES; k > 0; k--) {
		unsigned char c =
		    (unsigned char)shapes[k - 1].piece[0].lit.p[0];

		next[k] = head[c];
		head[c] = k;
	}
	for (size_t i = 0; i < s.n; i++)
		for (uint8_t k = head[(unsigned char)s.p[i]]; k != 0;
		     k = next[k])
			if (outbox_secret_shape_matches(&shapes[k - 1], s, i))
				return shapes[k - 1].kind;
	return NULL;
}
