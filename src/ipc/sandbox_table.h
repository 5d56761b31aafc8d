/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IPC_SANDBOX_TABLE_H
#define IPC_SANDBOX_TABLE_H

/* The rows of the confinement, for sandbox*.c. */
#include "ipc/sandbox.h"

/* Groups of system calls. */
enum {
	SANDBOX_BASE = 1 << 0,   /* memory, clock, exit, open descriptors */
	SANDBOX_DISK = 1 << 1,   /* files by their names */
	SANDBOX_FORK = 1 << 2,   /* children, their confinement */
	SANDBOX_TALK = 1 << 3,   /* messages on sockets that it was given */
	SANDBOX_ACCEPT = 1 << 4, /* connections to a listening socket */
	SANDBOX_WAIT = 1 << 5,   /* for processes */
	SANDBOX_MIND = 1 << 6,   /* ends processes */
	SANDBOX_RULE = 1 << 7,   /* the monitor's alone: over all others */
	SANDBOX_LOOK = 1 << 8    /* whether there is a process */
};

/* Which sockets it can make. */
enum sandbox_net {
	SANDBOX_NO_NET, /* none */
	SANDBOX_LOCAL,  /* of this machine */
	SANDBOX_NET
};

/* Which files Landlock leaves. */
enum sandbox_land {
	SANDBOX_NOTHING,
	SANDBOX_PATHS,  /* those it names */
	SANDBOX_SYSTEM, /* and libraries, names, certificates, time zones */
	SANDBOX_ALL     /* all: no devices and no programs, but for others */
};

struct sandbox_row {
	const char *name;
	unsigned calls; /* groups */
	enum sandbox_net net;
	enum sandbox_land land;
};

extern const struct sandbox_row sandbox_table[SANDBOX_KINDS];

/* Names of system calls; NULL ends them. */
struct sandbox_calls {
	unsigned group;
	const char *const *name;
};

/* {0} ends it. */
extern const struct sandbox_calls sandbox_table_calls[];
/* Calls that no process of the broker makes: it dies. */
extern const char *const sandbox_table_deadly[];

/* Files of the system; {NULL} ends it. */
extern const struct sandbox_path sandbox_table_system[];

/* sandbox_filter.c: installs the filter.  1: the kernel has none. */
int sandbox_filter_enter(const struct sandbox_row *row, struct err *e);
/* Makes that of a row for many processes: this one's children. */
int sandbox_filter_keep(const struct sandbox_row *row, struct err *e);
/* sandbox_land.c: the kernel's version of Landlock; 0: it has none. */
int sandbox_land_version(void);
/* 1: the version cannot do what the row needs. */
int sandbox_land_enter(const struct sandbox_row *row, int version,
    const struct sandbox_path *v, size_t n, struct err *e);

#endif
