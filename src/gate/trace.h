#ifndef GATE_TRACE_H
#define GATE_TRACE_H

/* A trace of what is said to servers, for the operator alone: base/trace.h. */
#include "base/env.h"
#include "base/err.h"
#include "base/str.h"

struct call;
struct store;

/* Is the operator's key here, and is it the right one? */
bool gate_trace_may(const struct env *env, struct store *s);
/*
 * Begins the one that EMCLI_TRACE names, when the operator's key is here;
 * without it nothing is written, and nothing is said.  ERR_CONFIG.
 */
int gate_trace_begin(const struct env *env, struct store *s, struct err *e);
/* Begins one that is kept: trace_kept().  ERR_CONFIG without that key. */
int gate_trace_keep(struct call *c, struct err *e);

#endif
