/* SPDX-License-Identifier: Apache-2.0 */
/* emcli issuer show. */
#include "desk/issuer.h"

static int
issuer_show_run(struct call *c, struct json *out, struct err *e)
{
	struct store_issuer x;
	int r = store_issuer_get(operate_store(c), c->arena, &x, e);

	if (r == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "no identity provider is set: see emcli help issuer set");
	if (r == 1)
		issuer_put(out, &x);
	return r < 0 ? -1 : 0;
}

const struct op desk_issuer_show = {
	.name = "issuer show",
	.shows = "emcli issuer show",
	.summary = "Show the identity provider whose tokens are accepted",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args_none,
	.result = issuer_fields,
	.run = issuer_show_run,
};
