/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key record, RFC 6376 section 3.6.1, and the check of a signature with it.
 * A signature fails if the record forbids it or cannot be read.
 */
#include "base/base64.h"
#include "base/limits.h"
#include "base/signature.h"
#include "mime/internal.h"

enum {
	RSA_LEAST = 1024 /* RFC 8301 section 3.2 */
};

/* Does the record allow this signature with its key? */
static bool
dkim_key_allows(const struct dkim_tags *t, const struct dkim *d)
{
	struct str flags = dkim_tag_get(t, "t", S(""));
	struct str k = dkim_tag_get(t, "k", S("rsa"));
	struct str s = dkim_tag_get(t, "s", S("*"));

	/* v= is optional, but if present it must come first. */
	if (dkim_tag_find(t, "v") != NULL &&
	    (!str_eq(t->v[0].name, S("v")) ||
		!str_eq(t->v[0].value, S("DKIM1"))))
		return false;
	if (!str_eq(k, d->ed25519 ? S("ed25519") : S("rsa")))
		return false;
	if (!dkim_tag_lists(dkim_tag_get(t, "h", S("sha256")), S("sha256")))
		return false;
	if (!dkim_tag_lists(s, S("*")) && !dkim_tag_lists(s, S("email")))
		return false;
	/* In test mode, a signed message counts like an unsigned one. */
	if (dkim_tag_lists(flags, S("y")))
		return false;
	return !d->within || !dkim_tag_lists(flags, S("s"));
}

bool
dkim_key_verify(struct arena *a, struct str record, const struct dkim *d)
{
	struct dkim_tags t;
	struct signature x = { .bits = RSA_LEAST,
		.of = { (const char *)d->head, sizeof(d->head) },
		.value = d->b };
	struct str text;
	char *p;
	ptrdiff_t n;

	if (record.n > LIMIT_DKIM_KEY || !dkim_tag_read(a, record, &t) ||
	    !dkim_key_allows(&t, d))
		return false;
	text = dkim_tag_squeeze(a, dkim_tag_get(&t, "p", S("")));
	p = arena_alloc(a, text.n + 3);
	n = base64_decode(p, text);
	if (n <= 0)
		return false; /* empty: revoked */
	/* RFC 8463 section 3: the signature is over the hash. */
	x.kind = d->ed25519 ? SIGNATURE_ED25519 : SIGNATURE_RSA;
	x.key = (struct str){ p, (size_t)n };
	return signature_good(&x);
}
