/* SPDX-License-Identifier: Apache-2.0 */
/* Whose error it is: both databases say the same of themselves. */
#include <stdio.h>

#include "store/transferring.h"

int
transfer_fail(struct err *e)
{
	static const char *const ours[] = { "the store ", "the database " };
	static const char uri[] = "EMCLI_DB";
	const struct err was = *e;
	const char *at = strstr(was.say, uri);

	/* What says where it is comes from there in place of EMCLI_DB. */
	if (at != NULL) {
		(void)snprintf(e->say, sizeof(e->say), "%.*s--to%s",
		    (int)(at - was.say), was.say, at + sizeof(uri) - 1);
		return -1;
	}
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		const size_t n = strlen(ours[i]);

		if (strncmp(was.say, ours[i], n) != 0)
			continue;
		(void)snprintf(e->say, sizeof(e->say), "the target %s",
		    was.say + n);
		return -1;
	}
	(void)snprintf(e->say, sizeof(e->say), "the target: %.180s", was.say);
	return -1;
}
