#ifndef BASE_SECRET_H
#define BASE_SECRET_H

/*
 * A password, key or token in memory: locked, left out of core dumps, wiped,
 * and with no printer.  "secret" is plaintext in memory, "sealed" ciphertext
 * at rest; the words are never swapped.  Reading is secret_lend(), so one grep
 * lists everybody who sees plaintext.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct secret;

/* Copies n bytes (at most LIMIT_SECRET).  The caller wipes its own copy. */
struct secret *secret_new(const void *p, size_t n);
/* Wipes, frees, sets to NULL.  NULL-safe. */
void secret_close(struct secret **s);
size_t secret_size(const struct secret *s);
/* Constant time in the contents. */
bool secret_eq(const struct secret *x, const struct secret *y);
/* Calls fn with the bytes; returns what fn returns.  Keep no copy. */
int secret_lend(const struct secret *s, int (*fn)(struct str plain, void *ctx),
    void *ctx);
/*
 * May children of fork(2) have it too?  When not, and that is how a secret
 * begins, a child finds an empty one there: what it is not given cannot leak
 * from it.
 */
void secret_inherit(const struct secret *s, bool may);
/* Locks what was inherited: locks do not pass to a child, mlock(2). */
void secret_relock(const struct secret *s);
/* Could every secret so far be locked in memory? */
bool secret_locked(void);
/* Does it stand in these bytes?  False for an empty one. */
bool secret_within(const struct secret *s, struct str bytes);
/* A copy without spaces and controls, as texts are compared with it. */
struct secret *secret_squeezed(const struct secret *s);
#define SECRET_SHORT 4 /* fewer bytes are met everywhere by chance */
/*
 * Is any secret of this process repeated in these bytes, wholly or up to where
 * they end?  Whatever the case of its letters; the bytes hold no blanks and
 * controls, and those of the secret count for nothing.  Secrets of fewer than
 * SECRET_SHORT such bytes are not looked for.  For base/said.c.
 */
bool secret_repeated(struct str bytes);
/* Is there a secret that is too short to be looked for? */
bool secret_short_in_use(void);
/* What it is the base64 of, or NULL. */
struct secret *secret_base64(const struct secret *s);
/* Overwrites n bytes so that no compiler leaves it out. */
void secret_wipe(void *p, size_t n);
/* free(3) and realloc(3) for libraries whose memory may have held one. */
void secret_free(void *p);
void *secret_realloc(void *p, size_t n);
/*
 * Reads a secret from a file or, for fd 0, a pipe: up to the end or
 * LIMIT_SECRET; one line end at the end is dropped.  ERR_CONFIG, ERR_LIMIT.
 */
int secret_read(int fd, struct secret **out, struct err *e);

#endif
