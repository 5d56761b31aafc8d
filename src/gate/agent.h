/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_AGENT_H
#define GATE_AGENT_H

/*
 * Callers of a door that strangers can reach: an agent that the operator added,
 * authenticated by its token, with the accounts, skills and operations that it
 * may use; and its sessions.
 */
#include "gate/gate.h"

struct gate_agent {
	int64_t id;
	struct gate_caller
	    caller; /* for gate_caller_set(), after it is completed */
};

/* 1: the token is an agent's; 0: it is not; -1.  Everything is in the arena. */
int gate_agent_find(struct gate *g, struct arena *a, struct str token,
    struct gate_agent *out, struct err *e);
/*
 * The caller is a process of that user of this machine, as the kernel says:
 * from now on all calls are its agent's, the one of that name or, without a
 * name, the one added first.  ERR_CONFIG, with one text for a user that is no
 * agent and for a name that is not the user's.
 */
int gate_agent_admit(struct gate *g, uint32_t uid, struct str name,
    struct err *e);
/* The same for the agent of that token: 1; 0: it is no agent's; -1. */
int gate_agent_enter(struct gate *g, struct str token, struct err *e);
/* The name of the agent that it is now, as long as the gate is open. */
struct str gate_agent_name(const struct gate *g);
/* That agent's call comes from a process of that user, as the kernel says. */
void gate_agent_from(struct gate *g, uint32_t uid);
/*
 * What confines this process, for `doctor`; whole: nothing is missing of it.
 * The text outlives the gate.
 */
void gate_agent_confined(struct gate *g, const char *by, bool whole);
/* What a client said at the start of its session. */
struct gate_agent_session {
	struct str revision;
	struct str client;       /* its name; may be empty */
	bool asks;               /* it can show its user a form */
	struct str conversation; /* a name for that; set when it is found */
};

/* Starts a session with that id, which nobody can guess. */
int gate_agent_session_begin(struct gate *g, struct arena *a,
    const struct gate_agent *who, const struct gate_agent_session *x,
    struct str id, struct err *e);
/* 1 with its data; 0: this agent has no such session. */
int gate_agent_session(struct gate *g, struct arena *a,
    const struct gate_agent *who, struct str id, struct gate_agent_session *out,
    struct err *e);
/* 1: it ended; 0: this agent has no such session. */
int gate_agent_session_end(struct gate *g, struct arena *a,
    const struct gate_agent *who, struct str id, struct err *e);

#endif
