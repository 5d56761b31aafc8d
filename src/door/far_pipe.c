/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that read a stream, which another process can run. */
#include "base/limits.h"
#include "door/argv.h"
#include "door/far.h"

static const struct far_pipe *far_pipes;

void
far_pipe_table(const struct far_pipe *v)
{
	far_pipes = v;
}

const struct far_pipe *
far_pipe_find(struct str name)
{
	const struct far_pipe *p = far_pipes;

	for (; p != NULL && p->name != NULL; p++)
		if (str_eq(name, str_of(p->name)))
			return p;
	return NULL;
}

int
far_pipe_check(const struct far_pipe *p, int argc, char **argv, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct args args = { 0 };
	bool help = false;

	if (argv_parse(p->args, argc, argv, a, &args, &help, e) < 0)
		return -1;
	if (help)
		return 0;
	if (p->turns && args_has(&args, "http")) {
		(void)err_set(e, ERR_UNSUPPORTED,
		    "the broker does not listen for an agent: --http is for "
		    "the operator");
		return err_hint(e,
		    "leave out --http; or tell the operator to run emcli mcp "
		    "--http with the key");
	}
	return args_check(&args, a, e);
}
