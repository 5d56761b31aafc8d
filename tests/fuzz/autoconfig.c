/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a file of mail settings as a stranger's web server gives it. */
#include <stdint.h>

#include "source/discover.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct discover_server *s)
{
	if (s->host.n > 253 || (s->host.n > 0 && s->port == 0))
		err_bug("fuzz: no server");
	for (size_t i = 0; i < s->host.n; i++)
		if ((unsigned char)s->host.p[i] <= ' ' || s->host.p[i] == '/' ||
		    (unsigned char)s->host.p[i] >= 0x7f)
			err_bug("fuzz: no host name");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str text = { (const char *)data, size };
	struct discover d = { 0 };
	struct err e = { 0 };
	int r = autoconfig_read(a, text, S("ann@b.example"), &d, &e);

	if ((r < 0) != (e.kind != ERR_NONE))
		err_bug("fuzz: an error that is none");
	if (r == 1 && d.imap.host.n == 0)
		err_bug("fuzz: found nothing");
	check(&d.imap);
	check(&d.smtp);
	for (size_t i = 0; i < d.username.n; i++)
		if ((unsigned char)d.username.p[i] < ' ')
			err_bug("fuzz: a login of two lines");
	return 0;
}
