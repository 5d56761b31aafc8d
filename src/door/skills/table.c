/* The commands there are. */
#include "door/skills/ask.h"
#include "door/skills/skills.h"

const struct skills_command skills_table[] = {
	{ "skills filter",
	    "Give a model request back with the mail tools of this turn",
	    filter_args, filter_run, NULL },
	{ "skills run",
	    "Execute the calls a model made, and give back their results",
	    run_args, run_run, NULL },
	{ "ask", "Have a model answer, with the mail tools it loads", ask_args,
	    NULL, ask_run },
	{ 0 },
};
