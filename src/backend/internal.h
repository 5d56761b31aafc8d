/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_INTERNAL_H
#define BACKEND_INTERNAL_H

/*
 * The backends, each defined in backend/<name>/<name>.c, and what they share.
 */
#include "backend/backend.h"
#include "mime/header.h"
#include "net/wire.h"

extern const struct backend agentbox_backend;
extern const struct backend gmail_backend;
extern const struct backend imap_backend;
extern const struct backend jmap_backend;
extern const struct backend maildir_backend;
extern const struct backend mbox_backend;
extern const struct backend ponymail_backend;
extern const struct backend smtp_backend; /* only CAP_SUBMIT: it never reads */

/*
 * The slot `again`: another call begins on the connection, whose account now
 * has another deadline.  What the one before knew of folders is forgotten.
 * prove: the server is asked first whether it still listens.  A connection that
 * is lost is opened again by the next request.  NULL: one serves one call.
 */

/* table.c; ends with NULL. */
extern const struct backend *const backend_table[];

/* local.c: is that on a file system which only this machine changes? */
bool backend_local(int fd);

/* label.c: labels of stores whose labels are keywords */

bool backend_label_is_keyword(struct str text);
/* Are all of them?  ERR_USAGE, ERR_LIMIT. */
int backend_label_check(const struct flag_change *change, struct err *e);

/* sum.c */
uint64_t backend_sum(uint64_t seed, const void *p, size_t n);

/* in_time.c: ERR_LIMIT with that text once the account's deadline has passed.
 */
int backend_in_time(const struct backend_account *acct, const char *late,
    struct err *e);

/*
 * list.c: for query.list.  The List-Id of "dev@example.org" is
 * "dev.example.org".
 */
struct str backend_list_id(struct arena *a, struct str list);
/* Does a header name the list, by its List-Id or its address? */
bool backend_list_has(struct arena *a, const struct mime_header *h,
    struct str list);

/*
 * place.c: the index of the first of n ascending texts for which it is true;
 * otherwise n.
 */
size_t backend_place(const void *ctx, size_t n, struct str want,
    struct str (*at)(const void *ctx, size_t i));
/*
 * How many of a thread's n rows, oldest first, are older than query.behind.  If
 * that message is gone, those of the same second are included.
 */
size_t backend_place_end(const void *ctx, size_t n, const struct query *q,
    const struct row *(*at)(const void *ctx, size_t i));

/*
 * link.c. The ids of a header block's Message-ID, References and In-Reply-To,
 * in normal form: only this code removes folding.
 */
void backend_link_ids(struct arena *a, const struct mime_header *h,
    struct strs *out);
/* The same of one field, the first of that name. */
void backend_link_field(struct arena *a, const struct mime_header *h,
    const char *name, struct strs *out);
/* An arena for one more message: the existing one, or a new one. */
void backend_link_room(struct arena **a);
/* "<x@y><z@y>", the form in indexes, split into its ids. */
void backend_link_cut(struct arena *a, struct str text, struct strs *out);

/*
 * match.c: compares a query with a message whose header is at hand.  A
 * criterion that is not set matches.
 */
/*
 * The day that the writer wrote, in any zone: like SENTSINCE and SENTBEFORE
 * (RFC 9051 section 6.4.4).
 */
bool backend_match_day(int64_t date_s, int zone_min, const struct query *q);
/* The same with the Date field: a message without a date matches no day. */
bool backend_match_date(const struct mime_header *h, const struct query *q);
/* Those with all of query.with and none of query.without. */
bool backend_match_flags(unsigned flags, const struct query *q);
/* Does a field with that name contain the text, as a person reads it? */
bool backend_match_field(struct arena *a, const struct mime_header *h,
    const char *name, struct str text);
/* To or Cc. */
bool backend_match_to(struct arena *a, const struct mime_header *h,
    struct str text);
/* From, To with Cc, Subject and Message-ID. */
bool backend_match_fields(struct arena *a, const struct mime_header *h,
    const struct query *q);
/* Does any field contain the text, as "Name: text"? */
bool backend_match_head(struct arena *a, const struct mime_header *h,
    struct str text);
/* Does the body of a whole message contain it, as a person reads it? */
bool backend_match_body(struct arena *a, struct str raw, struct str text);

/*
 * cache.c: files beside the store with data that can be rebuilt.  Without a
 * cache_dir none is written, and all errors are ignored.
 */
/*
 * A file's name: the account's prefix, a hash that identifies the file if the
 * account has several, and `end`.
 */
const char *backend_cache_name(struct arena *a, const struct conn *c,
    struct str which, const char *end);
/* A descriptor for reading; -1 if there is none. */
int backend_cache_open(const struct backend_account *acct, const char *name);
/* Its content; false if there is none, or more than max bytes. */
bool backend_cache_get(const struct backend_account *acct, const char *name,
    size_t max, struct arena *a, struct str *out);
/* Replaces a file: a reader sees the old or the new one. */
void backend_cache_put(const struct backend_account *acct, const char *name,
    struct str bytes);
void backend_cache_drop(const struct backend_account *acct, const char *name);

/* token.c.  After a refusal, given by *e: is there another token?  Then clears
 * *e. */
bool backend_token_again(const struct backend_account *acct, struct err *e);

/* probe.c: a server's report for doctor, a line for each step. */
/* As backend_probe_add() for a success; `next` is static or NULL. */
void backend_probe_note(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, struct str say, const char *next);
struct backend_steps {
	struct arena *a;
	struct probes *out;
};

/*
 * The line of a step that began at `since` and ended with `result`; true: go
 * on.  `good` is the text for success.
 */
bool backend_probe_step(struct backend_steps *t, const char *what,
    int64_t since, int result, struct str good, const struct err *why);
/* Looks up the server's name. */
bool backend_probe_name(struct backend_steps *t, const char *what,
    const struct wire_target *target);
/* The line of a handshake: a note if the certificate expires soon. */
bool backend_probe_tls(struct backend_steps *t, const char *what, int64_t since,
    int result, const struct wire *w, const struct err *why);

#endif
