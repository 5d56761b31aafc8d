#ifndef GATE_GRANT_H
#define GATE_GRANT_H

/*
 * Grants: the right of one principal to a skill's operations, for one turn or
 * for as long as a lease lasts.  gate/call.c checks them, after policy and
 * before the act; what is here makes, ends and shows them.
 */
#include "gate/gate.h"
#include "skill/skill.h"

/* The longest a lease's handle is. */
#define GATE_LEASE 48

/* How it stands with a skill, for whoever asks. */
struct gate_grant {
	const struct skill *skill;
	bool fresh;        /* made by this call; else it was there */
	struct str lease;  /* its handle; empty when it cannot be told */
	int64_t expires_s; /* at the latest */
	uint32_t idle_s;   /* or when it has not been used for so long */
	uint32_t uses;     /* or after so many more; 0: any number */
	struct str ops;    /* what it is good for: " list get " */
};

/* Does the door know the user's turn, so that grants end with it? */
bool gate_grant_in_turn(const struct gate *g);
/* May this caller load it?  What it may not does not exist for it: skills with
 * no operation, and those of which policy would refuse every call. */
int gate_grant_may(struct gate *g, struct arena *a, const struct skill *s,
    bool *may, struct err *e);
/* Is a grant live that covers the skill, for this caller?  Uses nothing up. */
int gate_grant_live(struct gate *g, struct arena *a, const struct skill *s,
    bool *live, struct err *e);
/* For load_skill alone.  One that is live is not made twice. */
int gate_grant_load(struct call *c, const struct skill *s,
    struct gate_grant *out, struct err *e);
/* Ends what this caller has of it: by handle, or else all of this place. */
int gate_grant_unload(struct call *c, const struct skill *s, struct str lease,
    size_t *n, struct err *e);
/* No such skill, or not for this caller: one text.  ERR_NOT_FOUND. */
int gate_grant_unknown(struct call *c, struct str asked, struct err *e);

#endif
