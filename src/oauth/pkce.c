/* SPDX-License-Identifier: Apache-2.0 */
/* Random values, and the challenge of RFC 7636. */
#include <sys/random.h>

#include "base/base64.h"
#include "net/sha256.h"
#include "oauth/internal.h"

/* RFC 4648 section 5, without padding. */
static void
oauth_pkce_base64url(const unsigned char raw[32], char out[OAUTH_RANDOM + 1])
{
	char text[OAUTH_RANDOM + 1 + 1];

	(void)base64_encode(text, raw, 32);
	for (int i = 0; i < OAUTH_RANDOM; i++) {
		out[i] = text[i];
		if (text[i] == '+')
			out[i] = '-';
		else if (text[i] == '/')
			out[i] = '_';
	}
	out[OAUTH_RANDOM] = '\0';
	secret_wipe(text, sizeof(text));
}

void
oauth_pkce_random(char out[OAUTH_RANDOM + 1])
{
	unsigned char raw[32];

	if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
		err_bug("no random bytes from the kernel");
	oauth_pkce_base64url(raw, out);
	secret_wipe(raw, sizeof(raw));
}

void
oauth_pkce_challenge(struct str verifier, char out[OAUTH_RANDOM + 1])
{
	unsigned char hash[32];

	sha256_of(verifier, hash);
	oauth_pkce_base64url(hash, out);
}
