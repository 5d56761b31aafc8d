/* SPDX-License-Identifier: Apache-2.0 */
/* The agent is asked to do it itself, in its terminal. */
#include <stdlib.h>

#include "base/limits.h"
#include "door/agents/internal.h"
#include "runtime/prompt.h"

enum {
	USUAL_S = 60
};

/* An agent that asks itself works, so it is not waited for. */
static bool
typed_is_own(const struct agents_call *c)
{
	const char *own = getenv("HOUMAO_MANIFEST_PATH");

	return own != NULL && str_eq(str_of(own), c->session.manifest_path);
}

int
agents_typed_call(struct agents_call *c, struct agents_answer *out,
    struct err *e)
{
	int seconds = (int)args_count(&c->given, AGENTS_TYPED_TIMEOUT, USUAL_S);
	const struct prompt_ask q = {
		.folder = c->session.folder,
		.manifest_path = c->session.manifest_path,
		.of = &c->session.manifest,
		.operation = str_of(c->verb->name),
		.args = agents_request(&c->args, c->a),
		.timeout_ms = typed_is_own(c) ? 0 : seconds * 1000,
	};
	struct prompt_outcome got;
	struct json *j = json_new(c->a);

	if (prompt_turn(&q, c->a, &got, e) < 0)
		return -1;
	json_open_object(j, NULL);
	prompt_put(&got, &q, j);
	json_close_object(j);
	out->path = "tui_submission";
	out->typed = true;
	out->model = json_text(j, c->a);
	return 0;
}
