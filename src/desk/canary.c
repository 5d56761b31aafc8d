/* SPDX-License-Identifier: Apache-2.0 */
/* The words that must not leave in mail, as a command line gives them. */
#include "desk/canary.h"

#include "base/utf8.h"
#include "desk/picture.h"
#include "gate/operate.h"

const struct arg_spec canary_args[] = {
	{ "word", ARG_TEXT,
	    ARG_REQUIRED | ARG_MANY | ARG_POSITIONAL | ARG_QUIET,
	    .help = "at least 8 bytes; a message that contains it is held" },
	{ 0 },
};

int
canary_each(struct call *c, const char *done,
    int (*fn)(struct store *s, struct str word, struct err *e), struct err *e)
{
	const struct strs *words = args_list(c->args, "word");

	for (size_t i = 0; i < words->n; i++) {
		if (!utf8_valid(words->v[i]))
			return err_set(e, ERR_USAGE, "a canary must be UTF-8");
		if (fn(operate_store(c), words->v[i], e) < 0)
			return -1;
		gate_tell(c, "%s %.*s", done,
		    STR_ARG(picture_text(c->arena, words->v[i], false)));
	}
	return 0;
}
