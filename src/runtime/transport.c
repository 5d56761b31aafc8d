/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/runtime.h"

static const char *const transport_names[] = {
	[TRANSPORT_NONE] = "none",
	[TRANSPORT_FILESYSTEM] = "filesystem",
	[TRANSPORT_STALWART] = "stalwart",
};

const char *
transport_name(enum transport t)
{
	return transport_names[t];
}

bool
transport_find(struct str name, enum transport *out)
{
	for (unsigned i = 0; i <= TRANSPORT_STALWART; i++)
		if (str_eq(name, str_of(transport_names[i]))) {
			*out = (enum transport)i;
			return true;
		}
	return false;
}
