/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_SOURCES_H
#define GATE_SOURCES_H

/* The mail sources as they are now: what each can do, and which serves what. */
#include "gate/gate.h"
#include "source/choose.h"
#include "source/roster.h"

/*
 * sources_roster.c. roster_load() plus what policy refuses each account for any
 * call: a source that may not draft does not serve drafts.
 */
int sources_roster(struct store *s, struct arena *a, struct role_source **out,
    size_t *n, struct err *e);
/*
 * Removes that for an account that a call names: the gate then refuses it and
 * names the rule.
 */
void sources_roster_unbar(struct role_source *src);

/* sources_fields.c: result members for a source, and for a choice. */
extern const struct field sources_fields_supports[];
extern const struct field sources_fields_why_not[];
extern const struct field sources_fields_resolution[];

struct sources_row {
	const struct role_source *source;
	enum choose_reason reason; /* why it is not available, or that it is */
};

struct sources {
	struct sources_row *v; /* accounts with a role, in their order; all
				  accounts if none has a role */
	size_t n;
	struct choose choice[ROLE_OPS];
};

/* Tests all of them in parallel. */
int sources_look(struct call *c, struct sources *out, struct err *e);

#endif
