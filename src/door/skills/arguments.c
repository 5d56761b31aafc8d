/* SPDX-License-Identifier: Apache-2.0 */
/* A model's arguments, and the mailbox among them. */
#include "base/limits.h"
#include "door/selector_args.h"
#include "door/skills/internal.h"

/* Does the door itself supply it? */
static bool
arguments_is_ours(const struct arg_spec *s)
{
	return s->type == ARG_ACCOUNT || str_eq(str_of(s->name), S("lease"));
}

int
arguments_read(struct skills_call *c, const struct op *op,
    const struct turn_call *call, struct args *out, struct str *say,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *given = NULL;

	args_init(out, op->args, c->arena);
	/* Models write no arguments as an empty string or as an object. */
	if (str_trim(call->args).n > 0) {
		if (json_parse_open(call->args, LIMIT_ARGV, &d, e) < 0)
			return -1;
		given = json_parse_root(d);
	}
	if (given != NULL && !json_parse_is_object(given))
		return err_set(e, ERR_USAGE, "the arguments are not an object");
	return selector_args_read(&c->boxes, op, given, arguments_is_ours,
	    c->arena, out, say, e);
}
