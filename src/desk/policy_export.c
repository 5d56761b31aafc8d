/* SPDX-License-Identifier: Apache-2.0 */
/* emcli policy export: what agents may see and do, as a text. */
#include "desk/desk.h"
#include "desk/policy.h"

static const struct arg_spec args[] = {
	DOCUMENT_ARG_OUTPUT,
	{ "canaries", ARG_FLAG,
	    .help = "also the canaries: whoever reads them can avoid them" },
	{ 0 },
};

static const char *const note[] = {
	"Policy of emcli: what agents see and do.  No tokens, keys or "
	"passwords.",
	"emcli policy apply FILE makes a store so.  A list is the whole list;",
	"what is not named here stays as it is.",
	NULL,
};

static int
policy_export_run(struct call *c, struct json *out, struct err *e)
{
	struct document_put d = { 0 };

	(void)out;
	document_put_begin(c, DOCUMENT_POLICY, note, &d);
	for (const struct policy_section *s = policy_sections; s->key != NULL;
	     s++)
		if (s->put(&d, e) < 0)
			return -1;
	return document_put_end(&d, e);
}

const struct op desk_policy_export = {
	.name = "policy export",
	.summary = "Print what agents may see and do as a text",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.run = policy_export_run,
};
