/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_REMOTE_INTERNAL_H
#define DOOR_REMOTE_INTERNAL_H

#include "door/remote/remote.h"
#include "ipc/ipc.h"

/* A call's files, on their way. */
struct remote_files {
	struct ipc_passed with; /* open descriptors, in the order of the list */
	struct json *list;      /* "files" of the call */
	int folder;             /* where it saves files; -1: nowhere */
};

/* What a call has saved so far. */
struct remote_saves {
	int folder; /* -1: it saves nothing */
	struct arena *a;
	struct strs made;
	bool kept;
};

/* find.c: connects to a socket by its path; a descriptor, or -1. */
int remote_find(struct str path, struct err *e);
/* The path in the environment, or the default one. */
struct str remote_find_path(const struct env *env);

/* call.c: struct far's. */
int remote_call(const struct env *env, const struct far_call *c,
    struct arena *a, struct far_reply *out, struct err *e);

/* files.c: opens what the arguments name.  ERR_LIMIT: too many. */
int remote_files(const struct args *args, struct arena *a,
    struct remote_files *out, struct err *e);

/* put.c: the payload of a call.  ERR_USAGE: a value is not UTF-8. */
int remote_put(const struct env *env, const struct far_call *c,
    const struct remote_files *files, struct arena *a, struct str *out,
    struct err *e);

/* pipe.c: struct far's. */
int remote_pipe(const struct env *env, const struct far_pipe *p, int argc,
    char **argv);

/*
 * saves.c: writes the file that the frame brings, or keeps all, and answers;
 * by the rules of gate/attach_save.h.  ERR_CONFIG: no such file can be.
 */
int remote_saves_take(int fd, struct remote_saves *s, const struct ipc_frame *f,
    const struct ipc_passed *with, struct err *e);
/* Removes what was not to be kept. */
void remote_saves_close(struct remote_saves *s);

/* sealed.c: the bytes of a file in memory that nobody can change, or -1. */
int remote_sealed(int fd, int64_t bytes, struct str *out, struct err *e);
/* odd.c: the broker speaks otherwise: -1 with ERR_CONFIG. */
int remote_odd(struct err *e);
/*
 * take.c: the reply that begins with that frame.  1; 0: the other end is gone;
 * -1.  Without an envelope it is a pipe's end.
 */
int remote_take_reply(int fd, const struct ipc_frame *f,
    struct ipc_passed *with, struct arena *a, struct far_reply *out,
    struct err *e);
/* Waits for a call's reply: the same. */
int remote_take(int fd, const struct far_call *c, struct remote_saves *s,
    struct arena *a, struct far_reply *out, struct err *e);

#endif
