/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The client's half of four SASL mechanisms.  Each response is one message that
 * is made on the stack, lent as base64, and wiped.
 */
#include "net/sasl.h"
#include "base/base64.h"
#include "base/limits.h"

#define USER_MAX 1024UL
#define RAW_MAX (LIMIT_SECRET + 4 * USER_MAX + 1024)
#define REFUSAL_MAX 300UL

static const struct {
	struct str name;
	enum sasl_mech mech;
	bool oauth;
} mechs[] = {
	/* The best first.  All token providers support XOAUTH2. */
	{ SI("XOAUTH2"), SASL_XOAUTH2, true },
	{ SI("OAUTHBEARER"), SASL_OAUTHBEARER, true },
	{ SI("PLAIN"), SASL_PLAIN, false },
	{ SI("LOGIN"), SASL_LOGIN, false },
};

#define MECHS (sizeof(mechs) / sizeof(mechs[0]))

enum sasl_mech
sasl_pick(const struct strs *offered, bool oauth)
{
	for (size_t i = 0; i < MECHS; i++)
		if (mechs[i].oauth == oauth &&
		    str_among_case(offered, mechs[i].name))
			return mechs[i].mech;
	return SASL_NONE;
}

const char *
sasl_name(enum sasl_mech m)
{
	for (size_t i = 0; i < MECHS; i++)
		if (mechs[i].mech == m)
			return mechs[i].name.p;
	return "";
}

/*
 * A response being made; it contains the secret, so it never leaves the stack.
 */
struct raw {
	char p[RAW_MAX];
	size_t n;
	bool bad; /* a value is not allowed, or there is no room */
	bool token;
};

static void
sasl_put(struct raw *r, struct str s)
{
	if (r->bad || s.n > sizeof(r->p) - r->n) {
		r->bad = true;
		return;
	}
	if (s.n > 0)
		memcpy(r->p + r->n, s.p, s.n);
	r->n += s.n;
}

/* A value without bytes below `low`: NUL and ^A end fields, CR LF lines. */
static void
sasl_put_value(struct raw *r, struct str s, unsigned char low)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < low || s.p[i] == 0x7f)
			r->bad = true;
	sasl_put(r, s);
}

static int
sasl_put_secret(struct str plain, void *ctx)
{
	struct raw *r = ctx;

	if (r->token) {
		/* RFC 6750 section 2.1: a token is visible ASCII. */
		for (size_t i = 0; i < plain.n; i++)
			if ((unsigned char)plain.p[i] > 0x7e)
				r->bad = true;
		sasl_put_value(r, plain, 0x21);
	} else {
		/* RFC 4616: any UTF-8 except NUL. */
		if (plain.n > 0 && str_has_char(plain, '\0'))
			r->bad = true;
		sasl_put(r, plain);
	}
	return 0;
}

/* RFC 5801 section 4: "," and "=" of an authzid are written as hex. */
static void
sasl_put_saslname(struct raw *r, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		struct str c = { s.p + i, 1 };

		if (c.p[0] == ',')
			sasl_put(r, S("=2C"));
		else if (c.p[0] == '=')
			sasl_put(r, S("=3D"));
		else
			sasl_put_value(r, c, 0x20);
	}
}

static void
sasl_put_port(struct raw *r, uint16_t port)
{
	char text[8];
	int n = snprintf(text, sizeof(text), "%u", (unsigned)port);

	sasl_put(r, (struct str){ text, (size_t)n });
}

/* Puts the complete response `step`; false if there is no such step. */
static bool
sasl_make(const struct sasl *s, int step, struct raw *r)
{
	r->token = s->mech == SASL_XOAUTH2 || s->mech == SASL_OAUTHBEARER;
	if (step == 1 && s->mech == SASL_XOAUTH2)
		return true; /* the empty answer to a refusal */
	if (step == 1 && s->mech == SASL_OAUTHBEARER) {
		sasl_put(r, S("\1")); /* RFC 7628 section 3.2.3 */
		return true;
	}
	if (step == 1 && s->mech == SASL_LOGIN) {
		(void)secret_lend(s->secret, sasl_put_secret, r);
		return true;
	}
	if (step != 0)
		return false;

	switch (s->mech) {
	case SASL_NONE:
		return false;
	case SASL_PLAIN:
		sasl_put(r, S("\0"));
		sasl_put_value(r, s->user, 0x20);
		sasl_put(r, S("\0"));
		(void)secret_lend(s->secret, sasl_put_secret, r);
		return true;
	case SASL_LOGIN:
		sasl_put_value(r, s->user, 0x20);
		return true;
	case SASL_XOAUTH2:
		sasl_put(r, S("user="));
		sasl_put_value(r, s->user, 0x20);
		break;
	case SASL_OAUTHBEARER:
		sasl_put(r, S("n,a="));
		sasl_put_saslname(r, s->user);
		sasl_put(r, S(",\1host="));
		sasl_put_value(r, s->host, 0x21);
		sasl_put(r, S("\1port="));
		sasl_put_port(r, s->port);
		break;
	}
	sasl_put(r, S("\1auth=Bearer "));
	(void)secret_lend(s->secret, sasl_put_secret, r);
	sasl_put(r, S("\1\1"));
	return true;
}

int
sasl_respond(const struct sasl *s, int step,
    int (*fn)(struct str base64, void *ctx), void *ctx, struct err *e)
{
	char text[4 * (RAW_MAX / 3 + 1)];
	struct raw r = { .n = 0 };
	int result;

	if (s->secret == NULL || !sasl_make(s, step, &r) || r.bad ||
	    s->user.n > USER_MAX) {
		secret_wipe(&r, sizeof(r));
		return err_set(e, ERR_USAGE,
		    "the user name or password cannot be used to log in");
	}
	struct str lent = { text, base64_encode(text, r.p, r.n) };

	result = fn(lent, ctx);
	secret_wipe(&r, sizeof(r));
	secret_wipe(text, lent.n);
	return result;
}

struct str
sasl_refusal(struct arena *a, struct str challenge)
{
	struct str in = str_first(str_trim(challenge), 4 * REFUSAL_MAX);
	char *text = arena_alloc(a, 3 * in.n / 4 + 4);
	ptrdiff_t n = base64_decode(text, in);

	if (n < 1 || text[0] != '{') {
		in = str_first(in, REFUSAL_MAX);
		text = str_c(a, in);
		n = (ptrdiff_t)in.n;
	}
	for (ptrdiff_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < 0x20 ||
		    (unsigned char)text[i] > 0x7e)
			text[i] = ' ';
	return str_first((struct str){ text, (size_t)n }, REFUSAL_MAX);
}
