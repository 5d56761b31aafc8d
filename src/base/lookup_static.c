/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sources of names that are in the C library itself.  Every database that
 * is asked here or by a library is named: the library that another source is
 * in belongs to the machine's C library, and ends a program that has its own.
 */
#include <nss.h>

#include "base/lookup.h"

void
lookup_begin(void)
{
	static const struct {
		const char *database;
		const char *sources;
	} all[] = {
		{ "hosts", "files dns" },
		{ "passwd", "files" },
		{ "group", "files" },
		{ "initgroups", "files" },
		{ "networks", "files" },
		{ "protocols", "files" },
		{ "services", "files" },
		{ "shadow", "files" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		(void)__nss_configure_lookup(all[i].database, all[i].sources);
}
