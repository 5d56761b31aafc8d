#ifndef BACKEND_INTERNAL_H
#define BACKEND_INTERNAL_H

/* The backends there are, each defined in backend/<name>/<name>.c, and what
 * they share. */
#include "backend/backend.h"
#include "mime/header.h"
#include "net/wire.h"

extern const struct backend gmail_backend;
extern const struct backend imap_backend;
extern const struct backend jmap_backend;
extern const struct backend maildir_backend;
extern const struct backend mbox_backend;
extern const struct backend ponymail_backend;
extern const struct backend smtp_backend; /* CAP_SUBMIT only: never read */

/* table.c; ends with NULL. */
extern const struct backend *const backend_table[];

/* sum.c */
uint64_t backend_sum(uint64_t seed, const void *p, size_t n);

/* in_time.c: ERR_LIMIT with that text once the account's deadline has passed.
 */
int backend_in_time(const struct backend_account *acct, const char *late,
    struct err *e);

/* list.c: what query.list asks.  The List-Id of "dev@example.org" is
 * "dev.example.org". */
struct str backend_list_id(struct arena *a, struct str list);
/* Does a header name the list, by its List-Id or else by its address? */
bool backend_list_has(struct arena *a, const struct mime_header *h,
    struct str list);

/* place.c: where among n texts that ascend the first is that says so; else n.
 */
size_t backend_place(const void *ctx, size_t n, struct str want,
    struct str (*at)(const void *ctx, size_t i));
/*
 * How many of a thread's n rows, oldest first, are older than query.behind.
 * Where that message is gone, those of its second are among them.
 */
size_t backend_place_end(const void *ctx, size_t n, const struct query *q,
    const struct row *(*at)(const void *ctx, size_t i));

/*
 * link.c.  The ids of a header block's Message-ID, References and In-Reply-To,
 * in their normal form: folding is taken out in this one place.
 */
void backend_link_ids(struct arena *a, const struct mime_header *h,
    struct strs *out);
/* The same of one field, the first of that name. */
void backend_link_field(struct arena *a, const struct mime_header *h,
    const char *name, struct strs *out);
/* An arena to read one more in: the one there is, or a new one. */
void backend_link_room(struct arena **a);
/* "<x@y><z@y>", as indexes keep them, cut into its ids. */
void backend_link_cut(struct arena *a, struct str text, struct strs *out);

/*
 * match.c: what a query asks, of a message whose header is at hand.  A text or
 * a day that is not asked for is there.
 */
/*
 * The day the writer wrote, whatever the zone: as SENTSINCE and SENTBEFORE do
 * (RFC 9051 section 6.4.4).
 */
bool backend_match_day(int64_t date_s, int zone_min, const struct query *q);
/* The same by the Date field: a message without a date is of no day. */
bool backend_match_date(const struct mime_header *h, const struct query *q);
/* Does a field of that name hold the text, as a person reads it? */
bool backend_match_field(struct arena *a, const struct mime_header *h,
    const char *name, struct str text);
/* To or Cc. */
bool backend_match_to(struct arena *a, const struct mime_header *h,
    struct str text);
/* From, To with Cc, Subject and Message-ID. */
bool backend_match_fields(struct arena *a, const struct mime_header *h,
    const struct query *q);
/* Does any field hold the text, as "Name: text"? */
bool backend_match_head(struct arena *a, const struct mime_header *h,
    struct str text);
/* Does the body of a whole message, as a person reads it? */
bool backend_match_body(struct arena *a, struct str raw, struct str text);

/*
 * cache.c: files beside the store, of what can be learnt again.  None is kept
 * without a cache_dir, and nothing about them is an error.
 */
/*
 * The name of one: the account's prefix, a hash of which one of its files it is
 * unless it has but one, and `end`.
 */
const char *backend_cache_name(struct arena *a, const struct conn *c,
    struct str which, const char *end);
/* A descriptor to read it by; -1 when there is none. */
int backend_cache_open(const struct backend_account *acct, const char *name);
/* What it holds; false when there is none, or more than max bytes. */
bool backend_cache_get(const struct backend_account *acct, const char *name,
    size_t max, struct arena *a, struct str *out);
/* Puts one in the place of what was there: a reader sees the old one or the
 * new one. */
void backend_cache_put(const struct backend_account *acct, const char *name,
    struct str bytes);
void backend_cache_drop(const struct backend_account *acct, const char *name);

/* probe.c: the report a server's probe writes, a line for each step. */
struct backend_steps {
	struct arena *a;
	struct probes *out;
};

/* The line of a step that began at `since` and ended with `result`; true: go
 * on.  `good` is said of a step that went well. */
bool backend_probe_step(struct backend_steps *t, const char *what,
    int64_t since, int result, struct str good, const struct err *why);
/* Looks the server's name up. */
bool backend_probe_name(struct backend_steps *t, const char *what,
    const struct wire_target *target);
/* The line of a handshake: a note when the certificate ends soon. */
bool backend_probe_tls(struct backend_steps *t, const char *what, int64_t since,
    int result, const struct wire *w, const struct err *why);

#endif
