/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/*
 * An error has two texts: `say` for the agent, `detail` for the audit log.
 * `say` never contains a secret, a path, or an address that the agent did not
 * give.  Functions that can fail return 0, or -1 with *e filled in.
 */
#include <stddef.h>

/* A closed set: each is one error_detail.code and one line of the manual. */
enum err_kind {
	ERR_NONE,
	ERR_USAGE,           /* correct the call */
	ERR_CONFIG,          /* key or settings unusable: tell the operator */
	ERR_NOT_FOUND,       /* absent, or not yours to see: one text */
	ERR_POLICY,          /* refused; `reason` names the rule */
	ERR_APPROVAL,        /* held for the operator */
	ERR_SKILL,           /* load the skill named, then call again */
	ERR_UNSUPPORTED,     /* this source cannot do that */
	ERR_LIMIT,           /* too big, too many, too soon */
	ERR_AUTH,            /* the server refused the credentials */
	ERR_REJECTED,        /* the server refused it; nothing was sent */
	ERR_NETWORK,         /* unreachable, TLS failed, timed out */
	ERR_UNKNOWN_OUTCOME, /* a send whose result is unknown */
	ERR_DB,              /* the store failed */
	ERR_INTERNAL,        /* an invariant of emcli broke */
	ERR_KINDS            /* how many there are */
};

/* How much the error affects; the caller gives up that much and no more. */
enum err_scope {
	ERR_SCOPE_CALL,    /* this request */
	ERR_SCOPE_MESSAGE, /* one message of it */
	ERR_SCOPE_CONN,    /* the connection: open another */
};

struct err {
	enum err_kind kind;
	enum err_scope scope;
	const char *reason; /* static text naming the rule, or NULL */
	const char *hint; /* what to do next, or NULL; must outlive the error */
	char say[200];    /* for the agent */
	char detail[400]; /* for the audit log only */
};

/* All return -1, so that failing is one line: return err_set(...); */
int err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/*
 * Adds the cause to `detail`; kind and say do not change.  Pass a server's
 * words through said_clean() first; a cause that repeats a secret in use is
 * left out.
 */
int err_because(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* err_because() with strerror(errno) after the text. */
int err_errno(struct err *e, const char *what);
/* Widens the scope to the connection. */
int err_conn(struct err *e);
/* What the operator can do about it; `hint` is static and contains no path. */
int err_hint(struct err *e, const char *hint);

/* "not_found": the code on the wire. */
const char *err_code(enum err_kind kind);
/* "the message does not exist ...": what the code means, for the manual. */
const char *err_means(enum err_kind kind);
/* "do not guess again": what an agent should do next, for the manual. */
const char *err_advice(enum err_kind kind);

/* A broken invariant: one line to stderr, then abort(). */
_Noreturn void err_bug(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));

#endif
