/* SPDX-License-Identifier: Apache-2.0 */
#include "desk/agree.h"

int
agree(struct call *c, struct str what, struct err *e)
{
	if (args_has(c->args, "yes"))
		return 0;
	if (!operate_door(c)->person)
		return err_set(e, ERR_USAGE, "--yes is needed to %.*s",
		    STR_ARG(str_first(what, 170)));
	if (operate_door(c)->agree(c->arena,
		str_fmt(c->arena, "Shall emcli %.*s?  Type yes",
		    STR_ARG(what))))
		return 0;
	return err_set(e, ERR_USAGE, "nothing was changed");
}
