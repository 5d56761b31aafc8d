#ifndef GATE_SOURCES_H
#define GATE_SOURCES_H

/* The mail sources as they are now: what each can, and who would serve what. */
#include "gate/gate.h"
#include "source/choose.h"
#include "source/roster.h"

/*
 * sources_roster.c.  roster_load() with what policy refuses each account,
 * whatever a call asks: a source that may not draft is no source of drafts.
 */
int sources_roster(struct store *s, struct arena *a, struct role_source **out,
    size_t *n, struct err *e);
/* Takes that away from one that a call names: the gate refuses it, and says
 * by which rule. */
void sources_roster_unbar(struct role_source *src);

/* sources_fields.c: members of what is told of a source, and of a choice. */
extern const struct field sources_fields_supports[];
extern const struct field sources_fields_why_not[];
extern const struct field sources_fields_resolution[];

struct sources_row {
	const struct role_source *source;
	enum choose_reason reason; /* why it cannot be had, or that it can */
};

struct sources {
	struct sources_row *v; /* accounts that play a part, in their order;
				* all of them where none does */
	size_t n;
	struct choose choice[ROLE_OPS];
};

/* Tries all of them side by side. */
int sources_look(struct call *c, struct sources *out, struct err *e);

#endif
