/* SPDX-License-Identifier: Apache-2.0 */
#include "door/completion.h"

const char *
completion_summary(const struct completion *c, const struct completion_place *p,
    struct str word)
{
	struct str prefix = p->prefix;

	if (str_eq(prefix, S("help")))
		prefix = S("");
	for (size_t i = 0; i < c->commands; i++) {
		struct str name = c->command[i].name;

		if (prefix.n > 0) {
			if (!str_starts(name, prefix) || name.n <= prefix.n)
				continue;
			name = str_from(name, prefix.n + 1);
		}
		if (str_eq(name, word))
			return c->command[i].summary;
	}
	return NULL;
}
