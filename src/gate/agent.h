#ifndef GATE_AGENT_H
#define GATE_AGENT_H

/*
 * Whoever calls through a door that strangers can reach: an agent the operator
 * added, known by its token, with the accounts, skills and operations it may
 * know of; and its sessions.
 */
#include "gate/gate.h"

struct gate_agent {
	int64_t id;
	struct gate_caller caller; /* to be passed on, and completed */
};

/* 1: that is the agent's token; 0: it is nobody's; -1.  All in the arena. */
int gate_agent_find(struct gate *g, struct arena *a, struct str token,
    struct gate_agent *out, struct err *e);
/* What a client said as its session began. */
struct gate_agent_session {
	struct str revision;
	struct str client;       /* its name; may be empty */
	bool asks;               /* it can show its user a form */
	struct str conversation; /* a name for that: set when it is found */
};

/* A new session under that id, which nobody can guess. */
int gate_agent_session_begin(struct gate *g, struct arena *a,
    const struct gate_agent *who, const struct gate_agent_session *x,
    struct str id, struct err *e);
/* 1 and what is known of it; 0: it is none of this agent's. */
int gate_agent_session(struct gate *g, struct arena *a,
    const struct gate_agent *who, struct str id, struct gate_agent_session *out,
    struct err *e);
/* 1: it ended; 0: it was none of this agent's. */
int gate_agent_session_end(struct gate *g, struct arena *a,
    const struct gate_agent *who, struct str id, struct err *e);

#endif
