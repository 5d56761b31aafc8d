/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_AGENT_H
#define STORE_AGENT_H

/*
 * Agents that authenticate with a token, and their sessions.  Tokens and
 * session ids are stored as hashes.
 */
#include "store/store.h"

/* A set of names such as " home work "; p is NULL: no limit. */
struct store_agent {
	int64_t id;
	struct str name;
	struct str accounts, skills, ops;
	/* The subject of the identity provider that it is; or both empty. */
	struct str issuer, subject;
	int64_t made_ms;
	/* The users of this machine that it is; store_agent_uids() reads them.
	 */
	const uint32_t *uid;
	size_t uids;
};

/* Adds an agent with that token.  For the operator.  ERR_USAGE: it exists. */
int store_agent_add(struct store *s, struct arena *a,
    const struct store_agent *x, struct str token, struct err *e);
/*
 * For the operator: the agent of that id gets these rights, users and subject.
 * ERR_NOT_FOUND; ERR_USAGE: the subject is another agent's.
 * store/agent_change.c
 */
int store_agent_change(struct store *s, const struct store_agent *x,
    struct err *e);
/* For the operator: a new token, which ends the old one and its sessions.
 * ERR_NOT_FOUND. */
int store_agent_change_token(struct store *s, struct arena *a, struct str name,
    struct str token, struct err *e);
/* Removes an agent and its sessions.  For the operator.  ERR_NOT_FOUND. */
int store_agent_remove(struct store *s, struct str name, struct err *e);
/* All, by name. */
int store_agent_list(struct store *s, struct arena *a, struct store_agent **out,
    size_t *n, struct err *e);
/* By name: 1, 0, -1. */
int store_agent_by_name(struct store *s, struct arena *a, struct str name,
    struct store_agent *out, struct err *e);
/*
 * Of a user of this machine: the one of that name, or, without a name, the one
 * added first: 1, 0, -1.
 */
int store_agent_by_uid(struct store *s, struct arena *a, uint32_t uid,
    struct str name, struct store_agent *out, struct err *e);
/* Reads x->uid, in ascending order. */
int store_agent_uids(struct store *s, struct arena *a, struct store_agent *x,
    struct err *e);
/* Of a subject of that issuer: 1, 0, -1. */
int store_agent_by_subject(struct store *s, struct arena *a, struct str issuer,
    struct str subject, struct store_agent *out, struct err *e);
/* By token: 1, 0, -1. */
int store_agent_by_token(struct store *s, struct arena *a, struct str token,
    struct store_agent *out, struct err *e);

/* What its client said in initialize. */
struct store_agent_session {
	int64_t id;
	struct str revision;
	struct str client; /* its name; may be empty */
	bool asks;         /* it can show its user a form */
};

/*
 * Adds a session with that id.  Removes sessions that were not used for long,
 * and the oldest one if there are too many.
 */
int store_agent_session_add(struct store *s, struct arena *a, int64_t agent,
    struct str id, const struct store_agent_session *x, int64_t now_ms,
    struct err *e);
/*
 * Does the session belong to the agent?  1 with its data, 0, -1.  Records its
 * use.
 */
int store_agent_session_find(struct store *s, struct arena *a, int64_t agent,
    struct str id, int64_t now_ms, struct store_agent_session *out,
    struct err *e);
/* Ends it: 1; 0 when there is none. */
int store_agent_session_end(struct store *s, struct arena *a, int64_t agent,
    struct str id, struct err *e);

#endif
