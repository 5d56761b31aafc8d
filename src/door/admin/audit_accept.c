/* emcli audit accept: what somebody else changed becomes the operator's. */
#include "door/admin/internal.h"
#include "store/signed.h"

const struct arg_spec audit_accept_args[] = {
	{ .name = "yes",
	    .type = ARG_FLAG,
	    .help = "do it; else what would be signed is shown" },
	{ 0 },
};

int
audit_accept(struct admin_call *c, struct err *e)
{
	struct store_signed v;

	if (store_signed_check(c->store, c->arena, &v, e) < 0)
		return -1;
	audit_verify_edits(c, &v);
	if (v.n == 0) {
		buf_text(c->out,
		    "nothing was changed by somebody else: there is nothing "
		    "to accept\n");
		return 0;
	}
	if (!args_has(c->args, "yes")) {
		buf_text(c->out,
		    "Next: mend it with emcli's commands, or sign it as it is: "
		    "emcli audit accept --yes\n");
		return 0;
	}
	if (store_signed_accept(c->store, e) < 0)
		return -1;
	c->done = str_fmt(c->arena, "%zu%s changes by others were accepted",
	    v.n, v.more ? " and more" : "");
	buf_text(c->out, "signed as it is now\n");
	return 0;
}
