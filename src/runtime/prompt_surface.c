/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/prompt_surface.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/activity.h"
#include "runtime/screen.h"
#include "runtime/session.h"
#include "runtime/tmux.h"

#define LOCK "prompt.lock"

enum {
	SETTLE_MS = 5000, /* for a paste to be seen */
	REST_MS = 300,    /* and then, until Enter is no part of it */
	LEAD_MS = 1000,   /* added to the time in which a screen is quiet */
	LOOK_ARENA = 32 << 20,
};

int
prompt_surface_end(struct prompt_surface *s, enum prompt_status status,
    struct str detail)
{
	s->status = status;
	s->detail = detail;
	return 1;
}

/* tmux failed: is that because the program has gone? */
static int
prompt_surface_broken(struct prompt_surface *s, const struct err *why)
{
	if (!process_is_alive(&s->process))
		return prompt_surface_end(s, PROMPT_INTERRUPTED,
		    S("the agent's program has ended"));
	return prompt_surface_end(s, PROMPT_TUI_ERROR,
	    str_fmt(s->a, "%s", why->say));
}

/* -- whose it is ----------------------------------------------------------- */

static int
prompt_surface_none(struct err *e, const char *why)
{
	(void)err_set(e, ERR_UNSUPPORTED,
	    "nothing can be typed for this session: %s", why);
	e->reason = "no_prompt_surface";
	return -1;
}

int
prompt_surface_check(const struct manifest *m, struct err *e)
{
	if (m->tmux.n == 0) {
		(void)prompt_surface_none(e, "it is not in tmux");
		return err_hint(e, "emcli session start --tmux");
	}
	if (host_table_find(m->tool) == NULL)
		return prompt_surface_none(e, "its program is unknown");
	return 0;
}

int
prompt_surface_find(struct prompt_surface *s, struct err *e)
{
	struct session_state state;
	int r;

	if (prompt_surface_check(s->of, e) < 0 ||
	    session_file_read(s->folder, s->a, &state, e) < 0)
		return -1;
	s->host = host_table_find(s->of->tool);
	s->process = state.process;
	if (!process_is_alive(&s->process))
		return prompt_surface_none(e, "its program does not run");
	r = session_pane_find(s->of->tmux, s->manifest_path, s->a, &s->id, e);
	return r > 0 ? prompt_surface_none(e, "tmux does not have it") : r;
}

int
prompt_surface_lock(const struct prompt_surface *s)
{
	int fd = openat(s->folder, LOCK,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0)
		path_close(&fd);
	return fd;
}

/* -- looking --------------------------------------------------------------- */

int
prompt_surface_look(struct prompt_surface *s, struct arena *a,
    struct str *screen)
{
	struct err e = { 0 };
	uint64_t sum;

	if (!process_is_alive(&s->process))
		return prompt_surface_end(s, PROMPT_INTERRUPTED,
		    S("the agent's program has ended"));
	if (screen_capture(s->id, a, screen, &e) < 0)
		return prompt_surface_broken(s, &e);
	sum = str_hash(STR_HASH, *screen);
	if (sum != s->sum || s->since == 0) {
		s->changed = s->since != 0;
		s->sum = sum;
		s->since = clock_mono_ms();
	}
	s->shows_prompt = screen_is_ready(*screen, s->host, a);
	return 0;
}

static int
prompt_surface_glance(struct prompt_surface *s)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LOOK_ARENA);
	struct str screen;

	return prompt_surface_look(s, a, &screen);
}

bool
prompt_surface_is_idle(const struct prompt_surface *s)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct activity v;

	if (!activity_read(s->folder, a, &v) || !v.idle)
		return false;
	/* A program that never says that it works has only said when a turn
	 * of before was over. */
	return s->submitted_us > 0 ? v.at_us > s->submitted_us
				   : s->host->busy != NULL;
}

bool
prompt_surface_is_quiet(const struct prompt_surface *s)
{
	return s->shows_prompt &&
	    clock_mono_ms() - s->since >= LIMIT_PROMPT_QUIET_MS;
}

/* -- typing ---------------------------------------------------------------- */

/*
 * Does a person use it?  What is typed while they scroll back goes nowhere, and
 * what they have begun to write would be a part of it.  1 with what they do.
 */
static int
prompt_surface_is_held(struct prompt_surface *s, struct str *why, struct err *e)
{
	int r = screen_in_mode(s->id, s->a, e);

	*why = S("a person scrolls back in the agent's terminal: nothing was "
		 "typed");
	if (r != 0)
		return r;
	*why = S("a person types in the agent's terminal: nothing was typed");
	return screen_is_used(s->id, LIMIT_PROMPT_PERSON_S, s->a, e);
}

int
prompt_surface_wait(struct prompt_surface *s, int timeout_ms)
{
	int wait = timeout_ms;
	struct err e = { 0 };
	struct str why;
	int64_t end;
	int held;

	if (wait < LIMIT_PROMPT_QUIET_MS + LEAD_MS)
		wait = LIMIT_PROMPT_QUIET_MS + LEAD_MS;
	end = clock_mono_ms() + wait;
	for (;;) {
		if (prompt_surface_glance(s) != 0)
			return 1;
		held = prompt_surface_is_held(s, &why, &e);
		if (held < 0)
			return prompt_surface_broken(s, &e);
		if (held == 0 &&
		    (prompt_surface_is_idle(s) || prompt_surface_is_quiet(s)))
			return 0;
		if (clock_left_ms(end) == 0)
			return prompt_surface_end(s, PROMPT_BUSY,
			    held == 1
				? why
				: S("the agent does not wait for a prompt: "
				    "nothing was typed"));
		(void)usleep(LIMIT_PROMPT_LOOK_MS * 1000);
	}
}

/*
 * The paste first; a program that sees it late would take Enter for a part of
 * it.  Gemini CLI does so for 40 ms after it has seen one.
 */
int
prompt_surface_type(struct prompt_surface *s, struct str text)
{
	int64_t end = clock_mono_ms() + SETTLE_MS;
	struct err e = { 0 }, none = { 0 };

	s->changed = false;
	if (tmux_paste(s->id, text, s->a, &e) < 0)
		return prompt_surface_broken(s, &e);
	do {
		(void)usleep(LIMIT_PROMPT_LOOK_MS * 1000);
		if (prompt_surface_glance(s) != 0)
			return 1;
	} while (clock_left_ms(end) > 0 &&
	    (!s->changed || clock_mono_ms() - s->since < REST_MS));
	(void)activity_write(s->folder, false, s->a, &none);
	s->changed = false;
	s->submitted_us = clock_now_us();
	s->submitted_at = clock_rfc3339(s->a, clock_now());
	if (tmux_paste_enter(s->id, s->a, &e) < 0)
		return prompt_surface_broken(s, &e);
	return 0;
}
