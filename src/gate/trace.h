/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_TRACE_H
#define GATE_TRACE_H

/*
 * A trace of the communication with servers, for the operator only:
 * base/trace.h.
 */
#include "base/env.h"
#include "base/err.h"
#include "base/str.h"

struct call;
struct store;

/* Is the operator's key given, and right? */
bool gate_trace_may(const struct env *env, struct store *s);
/*
 * Begins the trace that EMCLI_TRACE names, if the operator's key is given;
 * without it, does nothing silently.  ERR_CONFIG.
 */
int gate_trace_begin(const struct env *env, struct store *s, struct err *e);
/* Begins a trace in memory: trace_kept().  ERR_CONFIG without that key. */
int gate_trace_keep(struct call *c, struct err *e);

#endif
