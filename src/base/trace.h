#ifndef BASE_TRACE_H
#define BASE_TRACE_H

/*
 * A record of what is said to servers and asked of backends, for whoever looks
 * for a fault: a line each, with its time.  Protocol is shown where the code
 * that wrote or read it says that it is protocol; anything else is a number of
 * bytes (net/wire.h, net/http_trace.c, backend/trace.c).  Whether the caller
 * may have a trace is the gate's to decide (gate/trace.c).  A line that cannot
 * be written is left out: nothing fails because of a trace.
 */
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/*
 * From now on to that file, which is made, 0600, or is a trace of ours already
 * that only its owner may read and write; nothing else is ever written to.
 * ERR_CONFIG.
 */
int trace_open(const char *path, struct err *e);
/* From now on to memory, which children have too.  ERR_INTERNAL. */
int trace_keep(struct err *e);
/* Ends that, and gives its lines; empty when there are none. */
struct str trace_kept(struct arena *a);
/* Is there one?  Asked before anything is put together for it. */
bool trace_on(void);
/*
 * A line: whom it is about ("imap.example:993"), '>' for what was said to it,
 * '<' for what it said, '=' for what we know.  At most LIMIT_TRACE_LINE bytes;
 * one that repeats a secret is left out (base/said.h).
 */
void trace_line(const char *who, char way, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
