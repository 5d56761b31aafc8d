/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli skills filter: reads a model request, and writes it with the tools of
 * this turn.  The request's own tools come first and unchanged; only the tools
 * change, and with --choice the choice among allowed tools.
 */
#include "door/skills/internal.h"

const struct arg_spec filter_args[] = {
	SKILLS_ARGS,
	{ "choice", ARG_CHOICE,
	    .help = "visible: show only the tools of this turn; allowed: "
		    "always show all tools and say which are allowed, so that "
		    "the list never changes",
	    .choices = "visible|allowed", .def = "visible" },
	{ 0 },
};

int
filter_run(struct skills_call *c, struct err *e)
{
	return filter_request(c,
	    str_eq(args_text(c->args, "choice"), S("allowed")), e);
}

int
filter_request(struct skills_call *c, bool choose, struct err *e)
{
	struct filter_tools there;
	struct splice edit[2];
	struct tools ours;
	size_t edits = 0;

	if (choose && c->format == TURN_ANTHROPIC)
		return err_set(e, ERR_USAGE,
		    "--choice allowed: this API cannot say which tools are "
		    "allowed");
	if (tools_make(c, choose, &ours, e) < 0)
		return -1;
	filter_tools_read(c, &there);
	if (filter_tools_put(c, &there, &ours, &edit[edits]))
		edits++;
	if (filter_choice_put(c, &there, &ours, choose, &edit[edits]))
		edits++;
	splice_apply(&c->out, c->text, edit, edits);
	return 0;
}
