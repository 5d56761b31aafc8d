/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_INTERNAL_H
#define SOURCE_INTERNAL_H

/*
 * Shared by the room's files: doctor's process and its children, which test an
 * account each; a declaration's Markdown and its rows; DNS queries.
 */
#include <sys/types.h>

#include <resolv.h>

#include "base/buf.h"
#include "source/declare.h"
#include "source/source.h"

/*
 * dns_tcp.c. A query over TCP: returns the whole answer and checks that it
 * belongs to the query.  ERR_NETWORK.
 */
int dns_tcp_ask(struct arena *a, struct __res_state *st, struct str name,
    int type, int64_t deadline_ms, struct str *out, struct err *e);

#define PROBE_LINE 4096 /* bytes of one line, its end included */

/*
 * probe_line.c: one probe as a line of six fields.  Characters that a field
 * must not contain become "?", so the format holds whatever a server sent.
 */
struct str probe_line_put(struct arena *a, const struct probe *p);
/* Parses one without its end; false if it is malformed. */
bool probe_line_read(struct arena *a, struct str line, struct probe *out);

/* probe_child.c: a process that tests one account. */
struct probe_child {
	pid_t pid;
	int fd; /* its output; -1: none is running */
	int64_t end_ms;
	struct source_health *out;
	struct buf *text;
};

/*
 * Starts one for a source with its secret, if there is one.  Also tests the
 * source's submitter, if there is one.
 */
int probe_child_fork(struct source *src, struct arena *a, int64_t timeout_ms,
    struct probe_child *c, struct err *e);
/* Starts one; 0 with a line in `out` if there is nothing to start. */
void probe_child_start(struct store *s, struct arena *a,
    const struct source_trial *what, struct source_health *out,
    struct probe_child *c);
/* Reads available output; false at its end. */
bool probe_child_read(struct probe_child *c);
/* Ends it if it still runs, and reads its lines. */
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
/* Checks all rows together, after they were read. */
void declare_row_check(struct arena *a, struct declare *d);
/* declare_setting.c: a row of the other table, whose third cell is a value. */
void declare_setting_read(struct arena *a, struct declare *d, unsigned line,
    const struct str *cell);

#endif
