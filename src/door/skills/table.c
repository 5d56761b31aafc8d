/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands. */
#include "door/skills/ask.h"
#include "door/skills/skills.h"

const struct skills_command skills_table[SKILLS_COMMANDS + 1] = {
	{ "skills filter", "Add the mail tools of this turn to a model request",
	    filter_args, filter_run, NULL },
	{ "skills run",
	    "Execute the tool calls of a model, and print their results",
	    run_args, run_run, NULL },
	{ "ask", "Let a model answer a question, with the mail tools it loads",
	    ask_args, NULL, ask_run },
	{ 0 },
};
