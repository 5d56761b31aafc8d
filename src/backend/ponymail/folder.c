/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a folder of an archive: its list. */
#include "backend/ponymail/internal.h"

int
ponymail_folder_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

/* No "*": for the archive it means all lists. */
static bool
ponymail_folder_is_label(struct str s)
{
	static const struct str plain =
	    SI("-+~_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	       "0123456789");

	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(plain, s.p[i]))
			return false;
	return s.n > 0 && s.n <= LIMIT_FOLDER_NAME;
}

bool
ponymail_folder_cut(struct str folder, struct str *name, struct str *domain)
{
	return str_cut(folder, '@', name, domain) &&
	    ponymail_folder_is_label(*name) &&
	    ponymail_folder_is_label(*domain);
}
