/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: what a name server, or who claims to be one, answers. */
#include <stdint.h>

#include "base/limits.h"
#include "source/dns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str packet = { (const char *)data, size };
	struct dns_records all;
	struct err e = { 0 };
	enum dns_type type = size % 2 == 0 ? DNS_SRV : DNS_MX;

	struct strs texts;

	if (dns_read_text(a, packet, &texts, &e) == 0)
		for (size_t i = 0; i < texts.n; i++)
			if (texts.v[i].n > LIMIT_DKIM_KEY)
				err_bug("fuzz: a text's size");
	if (dns_read(a, packet, type, &all, &e) < 0)
		return 0;
	for (size_t i = 0; i < all.n; i++)
		for (size_t k = 0; k < all.v[i].host.n; k++)
			if ((unsigned char)all.v[i].host.p[k] <= ' ')
				err_bug("fuzz: no host name");
	return 0;
}
