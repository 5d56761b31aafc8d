/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_FORM_FACE_H
#define DOOR_FORM_FACE_H

/*
 * The conversation with a person who is asked step by step (desk/flow.h): the
 * walk from page to page, and the three ways of asking.
 */
#include "desk/flow.h"

enum flow_go {
	FLOW_GO_ON,
	FLOW_GO_BACK,
	FLOW_GO_QUIT,
	FLOW_GO_FAIL, /* *e says why */
};

struct flow_face {
	/* ERR_UNSUPPORTED: this face cannot be shown here, take another. */
	int (*open)(void **ctx, struct flow *f, struct err *e);
	/*
	 * Shows the page with f->why, if there is one, and asks its questions:
	 * answers go to flow_put(), then `settle` is called; what it refuses is
	 * asked again.
	 */
	enum flow_go (
	    *ask)(void *ctx, struct flow *f, enum flow_page at, struct err *e);
	/* Waits for work to be done, and shows its lines as they come. */
	enum flow_go (*watch)(void *ctx, struct flow *f, enum flow_page at,
	    struct flow_watch *w);
	/* Leaves nothing on the screen; NULL-safe. */
	void (*close)(void *ctx);
};

/*
 * From the first page to the last.  ERR_USAGE with reason "quit" when the
 * person gave up.  flow_run.c
 */
int flow_run(struct flow *f, const struct flow_face *face, void *ctx,
    struct err *e);
/* For faces: flow_settle(), then the hook; an error in words of titles. */
int flow_run_settle(struct flow *f, enum flow_page at, struct err *e);

/* What a page says above its questions, in lines.  flow_text.c */
const char *flow_text_title(enum flow_page at);
struct str flow_text(struct flow *f, enum flow_page at);
/* "imap.login   ok   the server took the credentials" */
struct str flow_text_probe(struct arena *a, const struct probe *p);
/* Keys to be shown: the i-th and its variable, or NULL past the last. */
const struct secret *flow_text_key(const struct flow *f, size_t i,
    const char **name);

/* face_tui.c: forms on the whole screen. */
extern const struct flow_face face_tui;
/* face_plain.c: one line after the other, for a terminal of any kind. */
extern const struct flow_face face_plain;
/* face_flags.c: asks nobody; what no option answered is an error. */
extern const struct flow_face face_flags;

/* face.c: what a door does for an operation that has questions (struct
 * operate_door): flow_run() with the best face that can be shown here. */
int face_ask(struct flow *f, struct err *e);

#endif
