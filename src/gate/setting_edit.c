/* SPDX-License-Identifier: Apache-2.0 */
/* Changes the settings of an existing account. */
#include "gate/setting.h"

/* Removing a server also removes its port and TLS. */
int
setting_edit(struct arena *a, const struct args *given, struct store_account *v,
    struct err *e)
{
	if (setting_apply(a, given, v, e) < 0)
		return -1;
	setting_defaults(v);
	return setting_check(a, given, v, e);
}

static size_t
setting_edit_note(const char *name, struct str was, struct str is,
    struct setting_change *out)
{
	*out = (struct setting_change){ name, was, is };
	return !str_eq(was, is);
}

size_t
setting_edit_changes(struct arena *a, const struct store_account *was,
    const struct store_account *is, struct setting_change out[SETTING_CHANGES])
{
	size_t n = setting_edit_note("name", was->name, is->name, out);

	for (int i = 0; i < SETTINGS; i++)
		n += setting_edit_note(account_setting[i].name,
		    setting_text(a, &account_setting[i], was),
		    setting_text(a, &account_setting[i], is), &out[n]);
	return n;
}
