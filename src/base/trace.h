/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_TRACE_H
#define BASE_TRACE_H

/*
 * A record of what emcli sends to servers and asks of backends, for finding
 * faults: one line each, with its time.  Protocol is shown if the code that
 * wrote or read it declares it to be protocol; anything else is a number of
 * bytes (net/wire.h, net/http_trace.c, backend/trace.c).  The gate decides
 * whether the caller may have a trace (gate/trace.c).  A line that cannot be
 * written is left out: nothing fails because of a trace.
 */
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/*
 * Writes the trace to that file from now on.  The file is created with mode
 * 0600, or is already a trace of emcli that only its owner may access; no other
 * file is written.  ERR_CONFIG.
 */
int trace_open(const char *path, struct err *e);
/*
 * Writes the trace to memory, shared with children, from now on.  ERR_INTERNAL.
 */
int trace_keep(struct err *e);
/* Ends the trace in memory and returns its lines; empty if there are none. */
struct str trace_kept(struct arena *a);
/* In a child that has closed all files: there is none any more. */
void trace_closed(void);
/* Is there a trace?  Check this before you prepare text for it. */
bool trace_on(void);
/*
 * One line: the peer ("imap.example:993"), then '>' for what was sent to it,
 * '<' for what it sent, '=' for what emcli knows.  At most LIMIT_TRACE_LINE
 * bytes; a line that repeats a secret is left out (base/said.h).
 */
void trace_line(const char *who, char way, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
