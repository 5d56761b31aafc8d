/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a provider by name, by domain, or by a domain's MX. */
#include "source/provider.h"

const struct provider *
provider_find(struct str name)
{
	for (const struct provider *p = provider_table; p->name != NULL; p++)
		if (str_eq_case(name, str_of(p->name)))
			return p;
	return NULL;
}

/* Are these one or two short labels: "de", "co.uk"? */
static bool
provider_is_country(struct str s)
{
	struct str head, tail;

	if (!str_cut(s, '.', &head, &tail))
		return head.n >= 2 && head.n <= 3;
	return head.n >= 2 && head.n <= 3 && tail.n == 2 &&
	    !str_has_char(tail, '.');
}

static bool
provider_matches(struct str domain, struct str pattern)
{
	struct str stem = str_first(pattern, pattern.n - 1);

	if (!str_ends(pattern, S(".*")))
		return str_eq(domain, pattern);
	return str_starts(domain, stem) &&
	    provider_is_country(str_from(domain, stem.n));
}

const struct provider *
provider_of_domain(struct str domain)
{
	for (const struct provider *p = provider_table; p->name != NULL; p++) {
		struct str rest = str_of(p->domains), one;

		while (rest.n > 0) {
			(void)str_cut(rest, ' ', &one, &rest);
			if (provider_matches(domain, one))
				return p;
		}
	}
	return NULL;
}

const struct provider *
provider_of_imap(struct str host)
{
	for (const struct provider *p = provider_table; p->name != NULL; p++)
		if (p->imap_host != NULL &&
		    str_eq_case(str_of(p->imap_host), host))
			return p;
	return NULL;
}

const struct provider *
provider_of_mx(struct str host)
{
	for (const struct provider *p = provider_table; p->name != NULL; p++) {
		struct str rest = str_of(p->mx), one;

		while (rest.n > 0) {
			(void)str_cut(rest, ' ', &one, &rest);
			/* The name itself, or a sub-domain of it. */
			if (str_ends(host, one) &&
			    (host.n == one.n ||
				host.p[host.n - one.n - 1] == '.'))
				return p;
		}
	}
	return NULL;
}
