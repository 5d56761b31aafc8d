/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses as operators and agents write them: for rules and for sending. */
#include "mime/address.h"

#include <string.h>

#include "base/idna.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/internal.h"

/* The whole of `in` must be one addr-spec. */
static bool
address_read_whole(struct arena *a, struct str in, struct address_spec *out)
{
	size_t i = 0;

	return in.n <= LIMIT_ADDRESS && address_spec_read(a, in, &i, out) &&
	    i == in.n;
}

int
address_canonical(struct arena *a, struct str in, struct str *out,
    struct err *e)
{
	struct address_spec spec;

	if (!address_read_whole(a, in, &spec) ||
	    !address_spec_canonical(a, &spec, out))
		return address_say(a, in, false, e);
	return 0;
}

int
address_entry(struct arena *a, struct str in, struct str *out, struct err *e)
{
	struct str domain;

	if (in.n == 0 || in.p[0] != '@')
		return address_canonical(a, in, out, e);
	if (in.n > LIMIT_ADDRESS || !idna_ascii(a, str_from(in, 1), &domain))
		return address_say(a, in, true, e);
	*out = str_fmt(a, "@%.*s", STR_ARG(domain));
	return 0;
}

int
address_wire(struct arena *a, struct str in, struct str *out, bool *utf8,
    struct err *e)
{
	struct address_spec spec;
	struct str domain, local;

	if (!address_read_whole(a, in, &spec) ||
	    !idna_ascii(a, spec.domain, &domain))
		return address_say(a, in, false, e);
	/* Legal in quotes, but unused in real addresses, and often a trick. */
	if (str_has_char(spec.local, ' ') || str_has_char(spec.local, '<') ||
	    str_has_char(spec.local, '>'))
		return err_set(e, ERR_USAGE,
		    "a mail address with a space or angle bracket");
	*utf8 = !utf8_ascii(spec.local);
	if (*utf8)
		domain = idna_unicode(a, domain);
	local = address_spec_local(a, spec.local);
	*out = str_fmt(a, "%.*s@%.*s", STR_ARG(local), STR_ARG(domain));
	return 0;
}

struct str
address_domain(struct str addr)
{
	const char *at = addr.n > 0 ? memrchr(addr.p, '@', addr.n) : NULL;

	if (at == NULL)
		return S("");
	return str_from(addr, (size_t)(at + 1 - addr.p));
}
