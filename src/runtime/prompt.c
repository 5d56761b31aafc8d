/*
 * A prompt turn.  The screen is looked at every LIMIT_PROMPT_LOOK_MS, before
 * the text is typed until the agent waits for one, and after it until a result
 * is there, the agent waits again, or the time is over: no sentinel is needed
 * for an end.
 */
#include "runtime/prompt.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/activity.h"
#include "runtime/prompt_check.h"
#include "runtime/prompt_text.h"
#include "runtime/screen.h"
#include "runtime/session.h"
#include "runtime/tmux.h"

#define LOCK "prompt.lock"

enum {
	SETTLE_MS = 1000, /* for a paste to be seen */
	LEAD_MS = 1000,   /* added to the time in which a screen is quiet */
	LOOK_ARENA = 32 << 20,
};

struct prompt_at {
	const struct prompt_ask *q;
	const struct home_host *host;
	struct arena *a;
	struct process process;
	struct str id; /* of the session in tmux */
	struct prompt_outcome *out;
	struct str last;      /* the last line that is typed */
	int64_t submitted_us; /* 0: nothing is */
	/* The screen as it was seen last, and since when. */
	uint64_t sum;
	int64_t since;
	bool shows_prompt, changed;
};

static void
prompt_nap(int ms)
{
	(void)usleep((useconds_t)ms * 1000);
}

static int
prompt_end_with(struct prompt_at *t, enum prompt_status s, struct str detail)
{
	t->out->status = s;
	t->out->detail = detail;
	return 1;
}

/* tmux failed: is that because the program has gone? */
static int
prompt_end_broken(struct prompt_at *t, const struct err *why)
{
	if (!process_is_alive(&t->process))
		return prompt_end_with(t, PROMPT_INTERRUPTED,
		    S("the agent's program has ended"));
	return prompt_end_with(t, PROMPT_TUI_ERROR,
	    str_fmt(t->a, "%s", why->say));
}

/* -- looking --------------------------------------------------------------- */

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
		*why = str_fmt(t->a, "%s", e.say);
		return 0;
	}
	t->out->preview = str_dup(t->a, got.text);
	return prompt_end_with(t, got.ok ? PROMPT_SUBMITTED : PROMPT_REJECTED,
	    got.ok ? S("") : S("the agent says that it did not do it"));
}

/* Looks at the screen; a result there ends the turn.  1: it is over. */
static int
prompt_look(struct prompt_at *t, struct str *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LOOK_ARENA);
	struct err e = { 0 };
	struct str screen;
	uint64_t sum;

	if (!process_is_alive(&t->process))
		return prompt_end_with(t, PROMPT_INTERRUPTED,
		    S("the agent's program has ended"));
	if (screen_capture(t->id, a, &screen, &e) < 0)
		return prompt_end_broken(t, &e);
	sum = str_hash(STR_HASH, screen);
	if (sum != t->sum || t->since == 0) {
		t->changed = t->since != 0;
		t->sum = sum;
		t->since = clock_mono_ms();
	}
	t->shows_prompt = screen_is_ready(screen, t->host, a);
	return t->submitted_us == 0 ? 0 : prompt_read_result(t, screen, a, why);
}

/* Has a hook said so, after the text was typed? */
static bool
prompt_is_said_idle(const struct prompt_at *t)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct activity v;

	if (!activity_read(t->q->folder, a, &v) || !v.idle)
		return false;
	/* A program that never says that it works has only said when a turn
	 * of before was over. */
	return t->submitted_us > 0 ? v.at_us > t->submitted_us
				   : t->host->busy != NULL;
}

static bool
prompt_is_quiet(const struct prompt_at *t)
{
	return t->shows_prompt &&
	    clock_mono_ms() - t->since >= LIMIT_PROMPT_QUIET_MS;
}

/* -- before ---------------------------------------------------------------- */

/* Waits until the agent waits for a prompt.  1: it does not. */
static int
prompt_wait_ready(struct prompt_at *t)
{
	int wait = t->q->timeout_ms;
	int64_t end;
	struct err e = { 0 };
	struct str none;
	int mode;

	if (wait < LIMIT_PROMPT_QUIET_MS + LEAD_MS)
		wait = LIMIT_PROMPT_QUIET_MS + LEAD_MS;
	end = clock_mono_ms() + wait;
	for (;;) {
		if (prompt_look(t, &none) != 0)
			return 1;
		mode = screen_in_mode(t->id, t->a, &e);
		if (mode < 0)
			return prompt_end_broken(t, &e);
		if (mode == 0 && (prompt_is_said_idle(t) || prompt_is_quiet(t)))
			return 0;
		if (clock_left_ms(end) == 0)
			return prompt_end_with(t, PROMPT_BUSY,
			    mode == 0
				? S("the agent does not wait for a prompt: "
				    "nothing was typed")
				: S("a person scrolls back in the agent's "
				    "terminal: nothing was typed"));
		prompt_nap(LIMIT_PROMPT_LOOK_MS);
	}
}

/* The paste first; a program that is told of it late would take Enter for a
 * part of it. */
static int
prompt_type(struct prompt_at *t, struct str text)
{
	int64_t end = clock_mono_ms() + SETTLE_MS;
	struct err e = { 0 }, none = { 0 };
	struct str why;

	t->changed = false;
	if (tmux_paste(t->id, text, t->a, &e) < 0)
		return prompt_end_broken(t, &e);
	do {
		prompt_nap(LIMIT_PROMPT_LOOK_MS);
		if (prompt_look(t, &why) != 0)
			return 1;
	} while (!t->changed && clock_left_ms(end) > 0);
	(void)activity_write(t->q->folder, false, t->a, &none);
	t->changed = false;
	t->submitted_us = clock_now_us();
	t->out->submitted_at = clock_rfc3339(t->a, clock_now());
	if (tmux_paste_enter(t->id, t->a, &e) < 0)
		return prompt_end_broken(t, &e);
	return 0;
}

/* -- after ----------------------------------------------------------------- */

static int
prompt_wait_end(struct prompt_at *t)
{
	int64_t end = clock_mono_ms() + t->q->timeout_ms;
	struct str why = S("there is no result");

	while (clock_left_ms(end) > 0) {
		prompt_nap(LIMIT_PROMPT_LOOK_MS);
		/* Asked first: what was written before that is on the screen
		 * by the next look. */
		t->out->turn_ended = prompt_is_said_idle(t) ||
		    (t->changed && prompt_is_quiet(t));
		if (t->out->turn_ended)
			prompt_nap(LIMIT_PROMPT_LOOK_MS);
		if (prompt_look(t, &why) != 0)
			return 1;
		if (t->out->turn_ended)
			return prompt_end_with(t, PROMPT_SUBMITTED,
			    str_fmt(t->a, "the agent's turn is over: %.*s",
				STR_ARG(why)));
	}
	return prompt_end_with(t, PROMPT_SUBMITTED,
	    S("it was typed, and the agent may still work at it"));
}

/* -- the whole ------------------------------------------------------------- */

static int
prompt_no_surface(struct err *e, const char *why)
{
	(void)err_set(e, ERR_UNSUPPORTED,
	    "nothing can be typed for this session: %s", why);
	e->reason = "no_prompt_surface";
	return -1;
}

/* A session whose program runs in a terminal of tmux. */
static int
prompt_find_surface(struct prompt_at *t, struct err *e)
{
	const struct manifest *m = t->q->of;
	struct session_state state;
	int r;

	t->host = host_table_find(m->tool);
	if (m->tmux.n == 0)
		return prompt_no_surface(e, "it is not in tmux");
	if (t->host == NULL)
		return prompt_no_surface(e, "its program is unknown");
	if (session_file_read(t->q->folder, t->a, &state, e) < 0)
		return -1;
	t->process = state.process;
	if (!process_is_alive(&t->process))
		return prompt_no_surface(e, "its program does not run");
	r = session_pane_find(m->tmux, t->q->manifest_path, t->a, &t->id, e);
	return r > 0 ? prompt_no_surface(e, "tmux does not have it") : r;
}

/* At most one of them at a time.  A descriptor; -1: there is another. */
static int
prompt_lock(const struct prompt_at *t)
{
	int fd = openat(t->q->folder, LOCK,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0)
		path_close(&fd);
	return fd;
}

int
prompt_turn(const struct prompt_ask *q, struct arena *a,
    struct prompt_outcome *out, struct err *e)
{
	CLEANUP(path_close) int lock = -1;
	struct prompt_at t = { .q = q, .a = a, .out = out };
	struct prompt_text text = { .mailbox = &q->of->mailbox,
		.operation = q->operation,
		.args = q->args };
	struct json *people = NULL;
	struct str typed;

	*out = (struct prompt_outcome){ .request_id = prompt_text_id(a) };
	if (prompt_find_surface(&t, e) < 0 ||
	    prompt_check_mailbox(q, a, e) < 0 ||
	    prompt_check_people(q, a, &people, e) < 0)
		return -1;
	text.host = t.host;
	text.installed = prompt_check_skills(q->of, t.host->skills, a);
	text.request_id = out->request_id;
	text.resolved = people;
	t.last = prompt_text_last(a, out->request_id);
	if (prompt_text_make(&text, a, &typed, e) < 0)
		return -1;
	lock = prompt_lock(&t);
	if (lock < 0) {
		(void)prompt_end_with(&t, PROMPT_BUSY,
		    S("another prompt is being typed: nothing was typed"));
		return 0;
	}
	if (prompt_wait_ready(&t) == 0 && prompt_type(&t, typed) == 0)
		(void)prompt_wait_end(&t);
	return 0;
}
