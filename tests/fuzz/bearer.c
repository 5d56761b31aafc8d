/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: an access token and the keys of its issuer.  The input is the
 * token, a line end, and the keys.  Nobody is let in by chance.
 */
#include <stdint.h>
#include <stdlib.h>

#include "oauth/bearer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct oauth_bearer_want want = {
		.issuer = S("https://id.example"),
		.audience = S("https://m.example/mcp"),
		.any_type = true,
		.now_s = 1700000000,
	};
	struct str in = { (const char *)data, size }, token, keys;
	struct oauth_bearer got;

	(void)str_cut(in, '\n', &token, &keys);
	oauth_bearer_check(a, token, &want, keys, &got);
	if ((got.is == OAUTH_BEARER_GOOD) != (got.why == NULL))
		err_bug("fuzz: a verdict without a reason");
	return 0;
}
