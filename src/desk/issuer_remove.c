/* SPDX-License-Identifier: Apache-2.0 */
/* emcli issuer remove. */
#include "desk/issuer.h"

static const struct field result[] = {
	{ "removed", FIELD_TEXT, .help = "the identity provider" },
	{ 0 },
};

static int
issuer_remove_run(struct call *c, struct json *out, struct err *e)
{
	struct store_issuer x = { 0 };

	if (store_issuer_get(operate_store(c), c->arena, &x, e) < 0 ||
	    store_issuer_remove(operate_store(c), e) < 0)
		return -1;
	c->note = x.issuer;
	json_put_str(out, "removed", x.issuer);
	gate_tell(c, "removed %.*s: its tokens open nothing any more",
	    STR_ARG(x.issuer));
	return 0;
}

const struct op desk_issuer_remove = {
	.name = "issuer remove",
	.shows = "emcli issuer show",
	.summary = "Accept no more tokens of the identity provider",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args_none,
	.result = result,
	.run = issuer_remove_run,
};
