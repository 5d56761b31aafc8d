#ifndef GATE_SOURCES_H
#define GATE_SOURCES_H

/* The mail sources as they are now: what each can, and who would serve what. */
#include "gate/gate.h"
#include "source/choose.h"

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
