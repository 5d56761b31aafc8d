#ifndef SOURCE_INTERNAL_H
#define SOURCE_INTERNAL_H

/*
 * What the room's own files share: doctor's process and the ones that try an
 * account each; a declaration's Markdown and its rows; and the
 * ways to ask DNS.
 */
#include <sys/types.h>

#include <resolv.h>

#include "base/buf.h"
#include "source/declare.h"
#include "source/source.h"

/*
 * dns_tcp.c.  A question by TCP: the whole answer, and no other one's.
 * ERR_NETWORK.
 */
int dns_tcp_ask(struct arena *a, struct __res_state *st, struct str name,
    int type, int64_t deadline_ms, struct str *out, struct err *e);

#define PROBE_LINE 4096 /* bytes of one line on the way, its end included */

/*
 * probe_line.c: one probe as a line of six fields.  What a field may not hold
 * is made a "?", so that a line is a line whatever a server said.
 */
struct str probe_line_put(struct arena *a, const struct probe *p);
/* Reads one back, without its end; false when it is anything else. */
bool probe_line_read(struct arena *a, struct str line, struct probe *out);

/* probe_child.c: a process that tries one account. */
struct probe_child {
	pid_t pid;
	int fd; /* its lines; -1: none is running */
	int64_t end_ms;
	struct source_health *out;
	struct buf *text;
};

/*
 * Starts one for a source with its secret, if there is one, in hand.  The
 * source's submitter is tried when there is one.
 */
int probe_child_fork(struct source *src, struct arena *a, int64_t timeout_ms,
    struct probe_child *c, struct err *e);
/* Starts one; 0 with a line in `out` when there is nothing to start. */
void probe_child_start(struct store *s, struct arena *a,
    const struct source_trial *what, struct source_health *out,
    struct probe_child *c);
/* Takes what there is to read; false when it has come to its end. */
bool probe_child_read(struct probe_child *c);
/* Ends it, if it has not, and reads its lines. */
void probe_child_end(struct arena *a, struct probe_child *c, bool late);

/* declare_row.c */
#define DECLARE_CELLS 4

/* Reads a row's cells, trimmed; missing ones are empty. */
void declare_row_read(struct arena *a, struct declare *d, unsigned line,
    const struct str *cell);
/* Trimmed, and without the back-ticks around it. */
struct str declare_row_bare(struct str s);
/* Is it empty, or a placeholder "TODO: ..."? */
bool declare_row_is_todo(struct str s);
/* What holds for all rows together, when they are read. */
void declare_row_check(struct arena *a, struct declare *d);
/* declare_setting.c: a row of the other table, whose third cell is a value. */
void declare_setting_read(struct arena *a, struct declare *d, unsigned line,
    const struct str *cell);

#endif
