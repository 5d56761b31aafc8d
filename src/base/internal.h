/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_INTERNAL_H
#define BASE_INTERNAL_H

#include "base/env.h"
#include "base/str.h"

/*
 * path_open_beneath() for kernels without openat2(2): opens `name`, which is
 * relative and is cut up on the way, one folder at a time.  Returns a
 * descriptor, or -1 with errno; ELOOP for a link.
 */
int path_open_steps(int dirfd, char *name);
/* path_open_beneath() for files of any type, folders included. */
int path_open_any(const char *dir, struct str name, struct err *e);

/*
 * secret.c: everything that a descriptor gives, at most 3 bytes over
 * LIMIT_SECRET, without one line end at the end; -1 and errno.  `over`: the
 * writer has ended, and EAGAIN is the end, though another may hold the pipe.
 */
struct secret;
int secret_fill(int fd, bool over, struct secret **out);

/*
 * secret.c, for secret_later.c: an empty secret that owns `later`, from
 * malloc(3); it has room for any other.
 */
struct secret_later;
struct secret *secret_later_new(struct secret_later *later);
struct secret_later *secret_later_of(const struct secret *s);
/* Copies `got` into it. */
void secret_later_put(const struct secret *s, const struct secret *got);

/* env_key.c: the variable's value as a secret; wipes every copy of it. */
int env_key_variable(const char *name, struct secret **out, struct err *e);
/*
 * For a key that no variable gave: reads the file that variable `name` names,
 * otherwise the credential (NULL: there is none).  The caller frees *file, the
 * path.
 */
int env_key_file(const char *name, const char *credential, struct secret **key,
    enum env_from *from, char **file, struct err *e);

/*
 * env_command.c: the command that variable `name` holds, or NULL.  No child
 * inherits the variable.
 */
struct env_command *env_command_take(const char *name);
/* For a key that nothing else gave: it is what the command prints. */
void env_command_use(const struct env_command *c, struct secret **key,
    enum env_from *from);
void env_command_done(struct env_command **c);

/* yaml_scalar.c: what a plain scalar of YAML 1.1 is. */
enum yaml_type {
	YAML_TYPE_STR,
	YAML_TYPE_NULL,
	YAML_TYPE_BOOL,
	YAML_TYPE_INT,
	YAML_TYPE_INT_WIDE, /* one that 64 bits do not hold */
	YAML_TYPE_FLOAT,
	YAML_TYPE_TIMESTAMP,
	YAML_TYPE_REFUSED, /* the merge key and the default key */
};
struct yaml_scalar {
	enum yaml_type type;
	bool truth;
	int64_t n;
};
struct yaml_scalar yaml_scalar_plain(struct str s);

#endif
