/* SPDX-License-Identifier: Apache-2.0 */
/* Passwords: made, checked, and put into requests and files. */
#include <string.h>
#include <sys/random.h>

#include "base/base64.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "runtime/credential.h"

/* Plaintext on its way; wiped before it goes. */
struct plain {
	char p[LIMIT_CREDENTIAL];
	size_t n;
	bool over;
};

static void
plain_wipe(struct plain *b)
{
	secret_wipe(b->p, sizeof(b->p));
	b->n = 0;
}

static void
plain_add(struct plain *b, struct str s)
{
	if (b->over || s.n > sizeof(b->p) - b->n) {
		b->over = true;
		return;
	}
	if (s.n > 0)
		memcpy(b->p + b->n, s.p, s.n);
	b->n += s.n;
}

/* Within a JSON string, RFC 8259 section 7; no control character gets here. */
static int
plain_add_escaped(struct str plain, void *ctx)
{
	for (size_t i = 0; i < plain.n; i++) {
		if (plain.p[i] == '"' || plain.p[i] == '\\')
			plain_add(ctx, S("\\"));
		plain_add(ctx, (struct str){ plain.p + i, 1 });
	}
	return 0;
}

static int
plain_add_raw(struct str plain, void *ctx)
{
	plain_add(ctx, plain);
	return 0;
}

bool
credential_password_ok(struct str plain)
{
	if (str_trim(plain).n == 0 || !utf8_valid(plain))
		return false;
	for (size_t i = 0; i < plain.n; i++)
		if ((unsigned char)plain.p[i] < ' ' || plain.p[i] == 0x7f)
			return false;
	return true;
}

static int
credential_password_check(struct str plain, void *ctx)
{
	(void)ctx;
	return credential_password_ok(plain) ? 0 : -1;
}

/* -- passwords ---------------------------------------------------------------
 */

struct secret *
credential_password_make(void)
{
	unsigned char raw[24];
	char text[40];
	struct secret *out;
	size_t n;

	if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
		err_bug("getrandom");
	n = base64_encode(text, (const char *)raw, sizeof(raw));
	for (size_t i = 0; i < n; i++)
		text[i] = (char)(text[i] == '+' ? '-'
			: text[i] == '/'        ? '_'
						: text[i]);
	out = secret_new(text, n);
	secret_wipe(raw, sizeof(raw));
	secret_wipe(text, sizeof(text));
	return out;
}

int
credential_password_join(const struct secret *user,
    const struct secret *password, struct secret **out, struct err *e)
{
	CLEANUP(plain_wipe) struct plain b = { .n = 0 };

	(void)secret_lend(user, plain_add_raw, &b);
	plain_add(&b, S(":"));
	(void)secret_lend(password, plain_add_raw, &b);
	if (b.over || b.n > LIMIT_SECRET)
		return err_set(e, ERR_CONFIG, "a key is too long to be sent");
	*out = secret_new(b.p, b.n);
	return 0;
}

int
credential_password_fill(struct str json, const struct secret *password,
    struct secret **out, struct err *e)
{
	CLEANUP(plain_wipe) struct plain b = { .n = 0 };
	const struct str place = S("\"" CREDENTIAL_PLACE "\"");
	ptrdiff_t at = str_find(json, place);

	if (at < 0 || str_find(str_from(json, (size_t)at + 1), place) >= 0)
		err_bug("a request without one place for a password");
	if (secret_lend(password, credential_password_check, NULL) < 0)
		return err_set(e, ERR_USAGE,
		    "the mailbox's password is not text on one line");
	plain_add(&b, str_first(json, (size_t)at + 1));
	(void)secret_lend(password, plain_add_escaped, &b);
	plain_add(&b, str_from(json, (size_t)at + place.n - 1));
	if (b.over || b.n > LIMIT_SECRET)
		return err_set(e, ERR_LIMIT,
		    "the mailbox's password is too long");
	*out = secret_new(b.p, b.n);
	return 0;
}
