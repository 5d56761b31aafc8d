/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of DKIM in DNS.  Whoever asks for one can ask for nothing else. */
#include "source/dns.h"

enum {
	LABEL = 63 /* bytes, RFC 1035 section 2.3.4 */
};

static dns_key_asker *elsewhere;

static bool
dns_key_is_label(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '-' || c == '_'))
			return false;
	}
	return s.n > 0 && s.n <= LABEL;
}

bool
dns_key_is_name(struct str name)
{
	struct str rest = name, label;
	size_t before = 0, after = 0;
	bool more = name.n <= DNS_KEY_NAME, seen = false;

	while (more) {
		more = str_cut(rest, '.', &label, &rest);
		if (!dns_key_is_label(label))
			return false;
		if (seen)
			after++;
		else if (str_eq_case(label, S("_domainkey")))
			seen = true;
		else
			before++;
	}
	return before > 0 && after > 0;
}

void
dns_key_elsewhere(dns_key_asker *asker)
{
	elsewhere = asker;
}

int
dns_key_here(struct arena *a, struct str name, int64_t deadline_ms,
    struct strs *out, struct err *e)
{
	*out = (struct strs){ 0 };
	return dns_key_is_name(name)
	    ? dns_ask_text(a, name, deadline_ms, out, e)
	    : 0;
}

int
dns_key_ask(struct arena *a, struct str name, int64_t deadline_ms,
    struct strs *out, struct err *e)
{
	return (elsewhere != NULL ? elsewhere : dns_key_here)(a, name,
	    deadline_ms, out, e);
}
