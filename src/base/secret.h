/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_SECRET_H
#define BASE_SECRET_H

/*
 * A password, key or token in memory: locked, left out of core dumps, wiped,
 * and without a printer.  "secret" is plaintext in memory, "sealed" is
 * ciphertext at rest; the words are never swapped.  Only secret_lend() reads
 * one, so one grep lists all code that sees plaintext.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct secret;

/* Copies n bytes (at most LIMIT_SECRET).  The caller wipes its own copy. */
struct secret *secret_new(const void *p, size_t n);
/*
 * secret_later.c.  A secret that has to be got from somewhere, which may cost a
 * minute or a question to a person: empty until secret_later_get() calls `get`.
 * ctx outlives it.
 */
typedef int secret_later_from(const void *ctx, struct secret **out,
    struct err *e);
struct secret *secret_later(secret_later_from *get, const void *ctx);
/*
 * Gets it, if it is such a secret; once in a process and those forked from it
 * afterwards, which have what came of it, the error too.  NULL-safe.
 */
int secret_later_get(const struct secret *s, struct err *e);
/* Has nobody asked for it yet?  NULL-safe. */
bool secret_later_due(const struct secret *s);
/* Wipes it, frees it and sets *s to NULL.  NULL-safe. */
void secret_close(struct secret **s);
/* Wipes it: from now on it is empty, wherever it is used. */
void secret_empty(struct secret *s);
size_t secret_size(const struct secret *s);
/* Constant time in the contents. */
bool secret_eq(const struct secret *x, const struct secret *y);
/* Calls fn with the bytes; returns what fn returns.  Keep no copy. */
int secret_lend(const struct secret *s, int (*fn)(struct str plain, void *ctx),
    void *ctx);
/*
 * May children of fork(2) have it too?  By default not: the child then finds an
 * empty secret, so it cannot leak one that it was not given.
 */
void secret_inherit(const struct secret *s, bool may);
/* Locks an inherited secret again: a child does not inherit locks, mlock(2). */
void secret_relock(const struct secret *s);
/* Could all secrets so far be locked in memory? */
bool secret_locked(void);
/* Do these bytes contain it?  False for an empty secret. */
bool secret_within(const struct secret *s, struct str bytes);
/* A copy without spaces and controls, for comparing with texts. */
struct secret *secret_squeezed(const struct secret *s);
#define SECRET_SHORT 4 /* shorter ones are in any text by chance */
/*
 * Do these bytes contain a secret of this process, whole or cut off at their
 * end?  Case is ignored.  The bytes have no blanks and controls, and those of
 * the secret are ignored.  Secrets of fewer than SECRET_SHORT such bytes are
 * not searched for.  For base/said.c.
 */
bool secret_repeated(struct str bytes);
/* Is there a secret too short to be searched for? */
bool secret_short_in_use(void);
/*
 * A pipe from which secret_read() takes it, in another process; the caller
 * closes it.  -1: it does not fit.
 */
int secret_pipe(const struct secret *s);
/* Its first line, without the line end; NULL: that is empty, or too long. */
struct secret *secret_first_line(const struct secret *s);
/* The secret that this one is the base64 of, or NULL. */
struct secret *secret_base64(const struct secret *s);
/* Overwrites n bytes; no compiler removes it. */
void secret_wipe(void *p, size_t n);
/* free(3) and realloc(3) for libraries whose memory may have held a secret. */
void secret_free(void *p);
void *secret_realloc(void *p, size_t n);
/*
 * Reads a secret from a file or, for fd 0, a pipe: up to the end or
 * LIMIT_SECRET; one line end at the end is dropped.  ERR_CONFIG, ERR_LIMIT.
 */
int secret_read(int fd, struct secret **out, struct err *e);
/*
 * secret_command.c.  Runs a program and takes the first line that it prints.
 * `line` is its name and arguments, separated by blanks, for no shell; `what`
 * names it in errors.  It has this process's environment, no input, and
 * standard error only if that is a terminal.  ERR_CONFIG: it cannot be run,
 * fails, prints nothing, or does not end within `ms`.  Then it is killed, and
 * what it started, too, unless this process has a terminal at which they may
 * ask.  What it prints is in no error.
 */
int secret_command(const char *what, const char *line, int ms,
    struct secret **out, struct err *e);

#endif
