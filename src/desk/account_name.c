/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts by number and by name. */
#include "desk/account_name.h"

#include "gate/operate.h"
#include "store/store.h"

int
account_name_load(const struct call *c, struct account_names *out,
    struct err *e)
{
	return store_account_list(operate_store(c), c->arena, &out->v, &out->n,
	    e);
}

struct str
account_name(const struct account_names *names, int64_t id)
{
	for (size_t i = 0; i < names->n; i++)
		if (names->v[i].id == id)
			return names->v[i].name;
	return S("");
}

int
account_name_id(const struct call *c, int64_t *out, struct err *e)
{
	struct store_account acct = { 0 };

	if (args_has(c->args, "account") &&
	    store_account_get(operate_store(c), c->arena,
		args_text(c->args, "account"), &acct, e) < 0)
		return -1;
	*out = acct.id;
	return 0;
}
