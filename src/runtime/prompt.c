/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A prompt turn.  After the text is typed the screen is looked at until a
 * result is there, the agent waits again, or the time is over: no sentinel is
 * needed for an end.
 */
#include "runtime/prompt.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/prompt_check.h"
#include "runtime/prompt_surface.h"
#include "runtime/prompt_text.h"
#include "runtime/screen.h"

enum {
	LOOK_ARENA = 32 << 20,
};

struct prompt_at {
	const struct prompt_ask *q;
	struct prompt_surface surface;
	struct prompt_outcome *out;
	struct str last; /* the last line that is typed */
};

/* Looks for a result below the request: 1 there is one. */
static int
prompt_read_result(struct prompt_at *t, struct str screen, struct arena *a,
    struct str *why)
{
	const struct binding *b = &t->q->of->mailbox;
	const struct sentinel_want want = { t->out->request_id, t->q->operation,
		str_of(transport_name(b->transport)), b->principal_id };
	struct str text = screen_below(screen, t->last, t->out->request_id, a);
	const struct strs surfaces = { &text, 1 };
	struct sentinel_result got;
	struct err e = { 0 };

	if (sentinel_read(&surfaces, &want, a, &got, &e) < 0) {
		*why = str_fmt(t->surface.a, "%s", e.say);
		return 0;
	}
	t->out->preview = str_dup(t->surface.a, got.text);
	return prompt_surface_end(&t->surface,
	    got.ok ? PROMPT_SUBMITTED : PROMPT_REJECTED,
	    got.ok ? S("") : S("the agent says that it did not do it"));
}

/* Looks at the screen; a result there ends the turn.  1: it is over. */
static int
prompt_look(struct prompt_at *t, struct str *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LOOK_ARENA);
	struct str screen;

	if (prompt_surface_look(&t->surface, a, &screen) != 0)
		return 1;
	return prompt_read_result(t, screen, a, why);
}

static int
prompt_wait_end(struct prompt_at *t)
{
	struct prompt_surface *s = &t->surface;
	int64_t end = clock_mono_ms() + t->q->timeout_ms;
	struct str why = S("there is no result");

	while (clock_left_ms(end) > 0) {
		(void)usleep(LIMIT_PROMPT_LOOK_MS * 1000);
		/* Asked first: what was written before that is on the screen
		 * by the next look. */
		t->out->turn_ended = prompt_surface_is_idle(s) ||
		    (s->changed && prompt_surface_is_quiet(s));
		if (t->out->turn_ended)
			(void)usleep(LIMIT_PROMPT_LOOK_MS * 1000);
		if (prompt_look(t, &why) != 0)
			return 1;
		if (t->out->turn_ended)
			return prompt_surface_end(s, PROMPT_SUBMITTED,
			    str_fmt(s->a, "the agent's turn is over: %.*s",
				STR_ARG(why)));
	}
	return prompt_surface_end(s, PROMPT_SUBMITTED,
	    S("it was typed, and the agent may still work at it"));
}

/* Types it when the agent is ready, and waits for what comes of it. */
static void
prompt_do(struct prompt_at *t, struct str text)
{
	struct prompt_surface *s = &t->surface;
	CLEANUP(path_close) int lock = prompt_surface_lock(s);

	if (lock < 0)
		(void)prompt_surface_end(s, PROMPT_BUSY,
		    S("another prompt is being typed: nothing was typed"));
	else if (prompt_surface_wait(s, t->q->timeout_ms) == 0 &&
	    prompt_surface_type(s, text) == 0)
		(void)prompt_wait_end(t);
	t->out->status = s->status;
	t->out->detail = s->detail;
	t->out->submitted_at = s->submitted_at;
}

int
prompt_turn(const struct prompt_ask *q, struct arena *a,
    struct prompt_outcome *out, struct err *e)
{
	struct prompt_at t = {
		.q = q,
		.surface = { .folder = q->folder,
		    .manifest_path = q->manifest_path,
		    .of = q->of,
		    .a = a },
		.out = out,
	};
	struct prompt_text text = { .mailbox = &q->of->mailbox,
		.operation = q->operation,
		.args = q->args };
	struct json *people = NULL;
	struct str typed;

	*out = (struct prompt_outcome){ .request_id = prompt_text_id(a) };
	if (prompt_surface_find(&t.surface, e) < 0 ||
	    prompt_check_mailbox(q, a, e) < 0 ||
	    prompt_check_people(q, a, &people, e) < 0)
		return -1;
	text.host = t.surface.host;
	text.installed = prompt_check_skills(q->of, text.host->skills, a);
	text.request_id = out->request_id;
	text.resolved = people;
	t.last = prompt_text_last(a, out->request_id);
	if (prompt_text_make(&text, a, &typed, e) < 0)
		return -1;
	prompt_do(&t, typed);
	return 0;
}
