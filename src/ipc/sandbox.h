/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IPC_SANDBOX_H
#define IPC_SANDBOX_H

/*
 * What a process of the broker may do: which system calls, by seccomp(2), and
 * which files, by landlock(7).  One row for each kind of process is in
 * sandbox_table.c.  A process confines itself before it reads a byte of
 * others, and for good; its children have what it has, and may add to it.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum sandbox_kind {
	SANDBOX_MONITOR, /* accepts connections */
	SANDBOX_SPAWNER, /* forks all others */
	SANDBOX_KEEPER,  /* unseals */
	SANDBOX_WORKER,  /* runs calls */
	SANDBOX_WIRE,    /* speaks to a mail server */
	SANDBOX_FILES,   /* a wire of a Maildir, mbox or mailbox root */
	SANDBOX_READER,  /* reads messages */
	SANDBOX_NURSERY, /* forks readers */
	SANDBOX_HTTP,    /* speaks HTTP with strangers */
	SANDBOX_KINDS    /* how many there are */
};

/* A file or folder of this process beside those of its row; folders count
 * with all below them.  One that is missing is no error. */
struct sandbox_path {
	const char *path;
	bool write;
};

/* What is in force, as the kernel shows it. */
struct sandbox_state {
	bool tried;   /* false: this process has not confined itself */
	bool calls;   /* seccomp's filter is there */
	bool files;   /* Landlock refuses what it has to refuse */
	int landlock; /* the kernel's version of it; 0: it has none */
};

/*
 * Loads libseccomp, once for a process and its children.  ERR_CONFIG: it is not
 * installed.
 */
int sandbox_load(struct err *e);
/*
 * Confines this process for good, and looks whether it is so.  A kernel that
 * lacks something is no error: *out says it.  The first path is a folder of
 * this user's, and is used to try.  ERR_INTERNAL: the kernel has it, and
 * refuses.
 */
int sandbox_enter(enum sandbox_kind kind, const struct sandbox_path *v,
    size_t n, struct sandbox_state *out, struct err *e);
/*
 * Makes the filter that this process's children of that kind enter: each would
 * take milliseconds.  Of a kind that has no calls but the base's, or that may
 * fork: others may signal themselves alone.  ERR_INTERNAL.
 */
int sandbox_keep(enum sandbox_kind kind, struct err *e);
/*
 * A number of the files and folders that the process would get now: it is
 * another one if one of them was made, removed or replaced, since the kernel
 * knows them not by their names.  The system's own, such as /etc/hosts, are
 * looked at once in LIMIT_SANDBOX_LOOK_MS.
 */
uint64_t sandbox_paths_print(enum sandbox_kind kind,
    const struct sandbox_path *v, size_t n);

/* "monitor", as `serve status` has it. */
const char *sandbox_name(enum sandbox_kind kind);
/* "seccomp and Landlock", or what of it is missing, and why. */
const char *sandbox_say(const struct sandbox_state *s);
/* Is nothing missing? */
bool sandbox_is_whole(const struct sandbox_state *s);
/* A state as a number, for shared memory; 0: none. */
uint32_t sandbox_pack(const struct sandbox_state *s);
struct sandbox_state sandbox_unpack(uint32_t n);

#endif
