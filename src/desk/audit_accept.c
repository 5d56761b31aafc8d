/* SPDX-License-Identifier: Apache-2.0 */
/* emcli audit accept: the operator accepts changes that somebody else made. */
#include "desk/audit_edits.h"
#include "desk/desk.h"
#include "gate/notice.h"
#include "store/signed.h"

static const struct arg_spec args[] = {
	{ "yes", ARG_FLAG,
	    .help = "sign; default: only show what would be signed" },
	{ 0 },
};

static const struct field result[] = {
	{ "edits", FIELD_OBJECTS, .help = "changes that emcli did not make",
	    .sub = audit_edits_fields },
	{ "accepted", FIELD_BOOL, .help = "is it signed now?" },
	{ 0 },
};

static int
audit_accept_run(struct call *c, struct json *out, struct err *e)
{
	bool yes = args_has(c->args, "yes");
	struct store_signed v;

	if (store_signed_check(operate_store(c), c->arena, &v, e) < 0)
		return -1;
	audit_edits_put(out, &v);
	audit_edits_say(c, &v);
	json_put_bool(out, "accepted", v.n > 0 && yes);
	if (v.n == 0) {
		gate_tell(c,
		    "nothing was changed without emcli: there is nothing to "
		    "accept");
		return 0;
	}
	if (!yes) {
		gate_tell(c,
		    "Next: undo the changes with emcli's commands, or sign "
		    "them: emcli audit accept --yes");
		return 0;
	}
	if (store_signed_accept(operate_store(c), e) < 0)
		return -1;
	notice_audit(operate_store(c), true, true);
	c->note =
	    str_fmt(c->arena, "%zu%s changes made without emcli were accepted",
		v.n, v.more ? " and more" : "");
	gate_tell(c, "the present state is signed now");
	return 0;
}

const struct op desk_audit_accept = {
	.name = "audit accept",
	.shows = "emcli audit list",
	.summary = "Sign changes that were made without emcli",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = audit_accept_run,
};
