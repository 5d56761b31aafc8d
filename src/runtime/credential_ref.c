/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ascii.h"
#include "base/limits.h"
#include "net/sha256.h"
#include "runtime/runtime.h"

#define DIGEST 8 /* bytes of the hash, two digits each */

struct str
credential_ref(struct arena *a, struct str jmap_url, struct str address)
{
	struct str both =
	    str_fmt(a, "%.*s\n%.*s", STR_ARG(jmap_url), STR_ARG(address));
	unsigned char hash[32];
	struct buf b;

	sha256_of(both, hash);
	buf_init(&b, a, 4 * address.n + 64);
	buf_text(&b, "stalwart-");
	for (size_t i = 0; i < address.n; i++)
		if (address.p[i] == '@')
			buf_text(&b, "-at-");
		else if (address.p[i] == '.')
			buf_char(&b, '-');
		else
			buf_char(&b, address.p[i]);
	buf_char(&b, '-');
	buf_str(&b, str_hex_dup(a, hash, DIGEST));
	return buf_view(&b);
}

bool
credential_ref_is_safe(struct str ref)
{
	if (!str_starts(ref, S("stalwart-")) ||
	    ref.n > LIMIT_FILE_NAME - 5 /* .json */)
		return false;
	for (size_t i = 0; i < ref.n; i++)
		if (!ascii_is_letter(ref.p[i]) && !ascii_is_digit(ref.p[i]) &&
		    !str_has_char(S("+-_"), ref.p[i]))
			return false;
	return true;
}
