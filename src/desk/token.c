/* SPDX-License-Identifier: Apache-2.0 */
/* A new token of an agent's. */
#include "desk/token.h"

#include <string.h>
#include <sys/random.h>

#include "base/secret.h"

int
token_make(char text[TOKEN_TEXT], struct err *e)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[TOKEN_RAW];

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw)) {
		(void)err_set(e, ERR_INTERNAL, "no random bytes");
		return err_errno(e, "getrandom");
	}
	memcpy(text, "emcli_", TOKEN_HEAD);
	for (size_t i = 0; i < sizeof(raw); i++) {
		text[TOKEN_HEAD + 2 * i] = digits[raw[i] >> 4];
		text[TOKEN_HEAD + 2 * i + 1] = digits[raw[i] & 15];
	}
	text[TOKEN_TEXT - 1] = '\n';
	secret_wipe(raw, sizeof(raw));
	return 0;
}
