/* The commands that read a stream, which another process can run. */
#include "base/limits.h"
#include "door/argv.h"
#include "door/far.h"
#include "door/mcp/mcp.h"
#include "door/skills/skills.h"

bool
far_pipe_find(struct str name, struct far_pipe *out)
{
	*out = (struct far_pipe){ .name = "mcp", .args = mcp_args };
	if (str_eq(name, S("mcp")))
		return true;
	/* One that talks to a model and a person does so where they are. */
	for (const struct skills_command *c = skills_table; c->name != NULL;
	     c++)
		if (c->pipe != NULL && str_eq(name, str_of(c->name))) {
			*out = (struct far_pipe){ c->name, c->args, c };
			return true;
		}
	return false;
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
	if (p->skills == NULL && args_has(&args, "http")) {
		(void)err_set(e, ERR_UNSUPPORTED,
		    "the broker does not listen for an agent: --http is for "
		    "the operator");
		return err_hint(e,
		    "leave out --http; or tell the operator to run emcli mcp "
		    "--http with the key");
	}
	return args_check(&args, a, e);
}

int
far_pipe_run(const struct far_pipe *p, int argc, char **argv,
    const struct env *env)
{
	/* Without --http nothing serves. */
	return p->skills == NULL ? mcp_run(argc, argv, env, NULL, NULL)
				 : skills_run(p->skills, argc, argv, env, NULL);
}
