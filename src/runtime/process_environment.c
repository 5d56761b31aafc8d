/* SPDX-License-Identifier: Apache-2.0 */
/* What the program of a session may know. */
#include "runtime/process.h"

/* Of emcli, of a service that emcli is, and of mailboxes: none is an agent's.
 */
static bool
process_environment_is_withheld(struct str line)
{
	static const struct str not [] = {
		SI("EMCLI_"),
		SI("CREDENTIALS_DIRECTORY="),
		SI("NOTIFY_SOCKET="),
		SI("LISTEN_"),
		SI("HOUMAO_MAILBOX_"),
		SI("HOUMAO_STALWART_MANAGEMENT_"),
		SI("HOUMAO_MANIFEST_PATH="),
		SI("HOUMAO_AGENT_ID="),
	};

	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (str_starts(line, not [i]))
			return true;
	return false;
}

static bool
process_environment_is_added(struct str line, const struct strs *add)
{
	struct str name, one, rest;

	(void)str_cut(line, '=', &name, &rest);
	for (size_t i = 0; i < add->n; i++) {
		(void)str_cut(add->v[i], '=', &one, &rest);
		if (str_eq(one, name))
			return true;
	}
	return false;
}

struct strs
process_environment(char *const *from, const struct strs *add, struct arena *a)
{
	struct strs out = { 0 };

	for (; *from != NULL; from++)
		if (!process_environment_is_withheld(str_of(*from)) &&
		    !process_environment_is_added(str_of(*from), add))
			str_push(a, &out, str_of(*from));
	for (size_t i = 0; i < add->n; i++)
		str_push(a, &out, add->v[i]);
	return out;
}
