/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <sys/random.h>

#include "base/path.h"
#include "base/secret.h"
#include "net/sha256.h"
#include "runtime/instance.h"

enum {
	RANDOM = 32,
	HEAD = 6, /* "emcli_" */
	SIZE = HEAD + 2 * RANDOM
};

static void
instance_token_spell(const unsigned char raw[RANDOM], char out[SIZE + 1])
{
	static const char digits[] = "0123456789abcdef";

	memcpy(out, "emcli_", HEAD);
	for (size_t i = 0; i < RANDOM; i++) {
		out[HEAD + 2 * i] = digits[raw[i] >> 4];
		out[HEAD + 2 * i + 1] = digits[raw[i] & 15];
	}
	out[SIZE] = '\n';
}

int
instance_token_make(int session, struct instance_token *out, struct err *e)
{
	CLEANUP(path_close) int run = instance_run(session, true, e);
	unsigned char raw[RANDOM];
	char text[SIZE + 1];
	int r;

	if (run < 0)
		return -1;
	if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
		err_bug("getrandom");
	instance_token_spell(raw, text);
	r = instance_put(run, INSTANCE_TOKEN,
	    (struct str){ text, sizeof(text) }, e);
	sha256_of((struct str){ text, SIZE }, out->digest);
	secret_wipe(raw, sizeof(raw));
	secret_wipe(text, sizeof(text));
	return r;
}

bool
instance_token_is(const struct instance_token *t, struct str given)
{
	unsigned char digest[32], differs = 0;

	sha256_of(given, digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		differs |= digest[i] ^ t->digest[i];
	return differs == 0;
}
