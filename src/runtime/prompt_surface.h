/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_PROMPT_SURFACE_H
#define RUNTIME_PROMPT_SURFACE_H

/*
 * The terminal of a session that a prompt is typed into.  The screen is looked
 * at every LIMIT_PROMPT_LOOK_MS.  What happens to the terminal is no error: the
 * functions that return 1 have put a status and a sentence.
 */
#include "runtime/home.h"
#include "runtime/process.h"
#include "runtime/prompt.h"

struct prompt_surface {
	/* Whose it is; the caller's. */
	int folder;
	struct str manifest_path;
	const struct manifest *of;
	struct arena *a;
	/* By prompt_surface_find(). */
	const struct home_host *host;
	struct process process;
	struct str id; /* of the session in tmux */
	/* What came of it. */
	int64_t submitted_us;    /* 0: nothing was typed */
	struct str submitted_at; /* the same, RFC 3339 */
	enum prompt_status status;
	struct str detail;
	/* The screen as it was seen last, and since when. */
	uint64_t sum;
	int64_t since;
	bool shows_prompt, changed;
};

/* Has the session a terminal of tmux, and a known program?  ERR_UNSUPPORTED. */
int prompt_surface_check(const struct manifest *m, struct err *e);
/*
 * A session whose program runs in a terminal of tmux.  ERR_UNSUPPORTED, reason
 * "no_prompt_surface": it has none; ERR_CONFIG.
 */
int prompt_surface_find(struct prompt_surface *s, struct err *e);
/* At most one prompt at a time.  A descriptor; -1: there is another. */
int prompt_surface_lock(const struct prompt_surface *s);
/* Looks once; the text lives in the arena.  1: the terminal is gone. */
int prompt_surface_look(struct prompt_surface *s, struct arena *a,
    struct str *screen);
/* Has a hook said that the agent waits, after the text was typed? */
bool prompt_surface_is_idle(const struct prompt_surface *s);
/* Did the screen show a prompt, unchanged for LIMIT_PROMPT_QUIET_MS? */
bool prompt_surface_is_quiet(const struct prompt_surface *s);
/*
 * Waits until the agent waits for a prompt, and no person scrolls back or has
 * pressed a key for LIMIT_PROMPT_PERSON_S; at least so long that a quiet screen
 * can be told.  1: it does not.
 */
int prompt_surface_wait(struct prompt_surface *s, int timeout_ms);
/* Pastes the text and presses Enter.  1: it could not be typed. */
int prompt_surface_type(struct prompt_surface *s, struct str text);
/* Puts that; returns 1. */
int prompt_surface_end(struct prompt_surface *s, enum prompt_status status,
    struct str detail);

#endif
