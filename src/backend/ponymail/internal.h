/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_PONYMAIL_INTERNAL_H
#define BACKEND_PONYMAIL_INTERNAL_H

/*
 * Shared by the files of this backend.  Magnitudes: hundreds of lists, hundreds
 * of months per list, 10^5 messages per list; a request takes 10 to 500 ms.
 */
#include "backend/internal.h"
#include "base/json.h"
#include "base/limits.h"
#include "net/http.h"

#define PONY_MID 512 /* the longest accepted name of a message */

/* A message as the archive lists it; texts are in the list's arena. */
struct pony_entry {
	struct str mid;        /* the archive's name for it: opaque */
	struct str message_id; /* "<x@y>", or other text in its place */
	struct str parent;     /* the one it answers, or empty */
	int64_t epoch;         /* its Date according to the archive */
	uint32_t root;         /* the first of its thread, as an index in v */
};

/* A month, "2026-11" as 2026 * 12 + 10. */
struct pony_month {
	int at;
	uint32_t told; /* number of its messages according to the archive */
	uint32_t n;    /* and according to its list */
	bool known;    /* requested since `told` had this value */
	struct pony_entry *v;
};

/* The source of a row. */
struct pony_head {
	struct str mid, head;
	uint64_t size;
	bool has_attachments;
};

/* Heads read before, by name from by_mid, and heads of this connection. */
struct pony_heads {
	struct arena *a; /* the list's */
	struct pony_head *v;
	uint32_t n, sorted, *by_mid;
};

/* A list when it was last requested, months ascending. */
struct pony_list {
	struct arena *a;   /* its own; NULL: no list is open */
	struct str folder; /* "dev@example.org" */
	struct str name, domain;
	struct pony_month *month;
	size_t months;
	struct pony_entry *v; /* all of them, oldest first */
	uint32_t n;
	uint32_t *by_mid, *by_id; /* indexes in v, ordered by these */
	uint32_t *by_root;        /* and by those of their roots */
	struct pony_heads heads;
	bool changed; /* since it was saved */
};

/*
 * Messages that were read: a header is judged before its body is requested, and
 * a thread is listed before it is read.
 */
struct pony_kept {
	struct arena *a;
	struct str *mid, *raw;
	size_t n, bytes;
};

struct pony {
	struct conn conn;
	struct http *http; /* created for the first request */
	struct str base;   /* the archive's address without "/" at its end */
	bool inside;       /* the session is sent; session.c says when */
	size_t sources;    /* number of messages requested */
	struct pony_list list;
	struct pony_kept kept;
};

/* folder.c */
int ponymail_folder_absent(struct err *e);
/* Splits "dev@example.org"; false if it cannot name a list. */
bool ponymail_folder_cut(struct str folder, struct str *name,
    struct str *domain);

/* call.c: the only code that sends requests; there are no other endpoints. */
enum pony_endpoint {
	PONY_STATS,
	PONY_THREAD,
	PONY_SOURCE,
	PONY_PREFERENCES,
};

/* The arguments of a request: "&name=value", percent-encoded. */
void ponymail_call_arg(struct buf *b, const char *name, struct str value);
/* 1 and the answer, valid until the next; 0: the archive has no such object. */
int ponymail_call(struct pony *p, enum pony_endpoint at, struct str args,
    struct str *out, struct err *e);
/* The same, read as JSON. */
int ponymail_call_json(struct pony *p, enum pony_endpoint at, struct str args,
    struct json_doc **out, struct err *e);
/* Escapes that strict parsers refuse become U+FFFD: anybody can write them. */
struct str ponymail_call_mend(struct arena *a, struct str json);

/* date.c */
/*
 * Can it be sent as `d`?  If the archive does not understand it, it silently
 * uses the last 30 days.
 */
bool ponymail_date_ok(struct str d);
/* "2026-11" of a month, and back; -1. */
struct str ponymail_date_month(struct arena *a, int month);
/* A range of days from 1970-01-01, at least these, as `d`. */
struct str ponymail_date_days(struct arena *a, int64_t first, int64_t last);
int ponymail_date_read(struct str s);
/* The month of a time, UTC. */
int ponymail_date_of(int64_t unix_s);

/* session.c */
/* Is there one, or will there be when a request needs it? */
bool ponymail_session_is_there(const struct backend_account *acct);
/*
 * A session sees everything that its owner may see: it is sent only for the
 * account's own list, and other lists are requested without it.  An empty
 * folder means all: a thread keeps only messages of the own list.
 */
void ponymail_session_for(struct pony *p, struct str folder);
/* Is the session, if there is one, still valid?  ERR_AUTH. */
int ponymail_session_check(struct pony *p, struct err *e);
/*
 * The archive reported nothing for this list, as it also does for a private
 * one: 0, it is empty; -1 with ERR_AUTH, it is not visible.
 */
int ponymail_session_list(struct pony *p, struct str name, struct str domain,
    struct err *e);
int ponymail_session_folders(struct conn *c, struct arena *a,
    struct folders *out, struct err *e);

/* list.c */
/* Opens list `folder`; a connection requests it once. */
int ponymail_list_open(struct pony *p, struct str folder, struct err *e);
/* Requests what is new in it. */
int ponymail_list_refresh(struct pony *p, struct str folder, struct err *e);
void ponymail_list_close(struct pony_list *l);
/* The one of that name, or NULL. */
const struct pony_entry *ponymail_list_get(const struct pony_list *l,
    struct str mid);
/* How many messages are older than one with that time and name. */
uint32_t ponymail_list_before(const struct pony_list *l, int64_t epoch,
    struct str mid);

/* stats.c */
/* The messages of a range of months, inclusive. */
int ponymail_stats_fill(struct pony *p, struct pony_list *l,
    struct pony_month *first, struct pony_month *last, struct err *e);
/* The number of messages per month: sorted, into l->month; fills `now`. */
int ponymail_stats_months(struct pony *p, struct pony_list *l, int now,
    struct err *e);
/*
 * Uses the archive's own search, which finds words: 1 and the sorted names of
 * the results; 0: it cannot be used, or finds too much.
 */
int ponymail_stats_search(struct pony *p, const struct pony_list *l,
    const struct query *q, struct arena *a, struct strs *out, struct err *e);
/* The words of this text that the search accepts, or nothing. */
struct str ponymail_stats_words(struct arena *a, struct str text);

/* links.c */
/* Sorts, and finds the first message of each thread. */
void ponymail_links_make(struct pony_list *l);
/* The messages of a thread: the count, from *first in l->by_root. */
uint32_t ponymail_links_thread(const struct pony_list *l, uint32_t root,
    uint32_t *first);
/* "<x@y>" from the archive's copy of a field. */
struct str ponymail_links_id(struct arena *a, struct str raw);
/* The same for In-Reply-To, which may begin with words and addresses. */
struct str ponymail_links_parent(struct arena *a, struct str raw);

/* cache.c: stored data of finished months. */
void ponymail_cache_load(const struct pony *p, struct pony_list *l);
void ponymail_cache_keep(const struct pony *p, const struct pony_list *l);
/* The same as text. */
struct str ponymail_cache_text(struct arena *a, const struct pony_list *l);
bool ponymail_cache_read(struct str text, struct pony_list *l);

/* cache_file.c: a file of the list; false if there is no valid one. */
bool ponymail_cache_file_get(const struct pony *p, const struct pony_list *l,
    const char *end, size_t max, struct arena *a, struct str *out);
void ponymail_cache_file_put(const struct pony *p, const struct pony_list *l,
    const char *end, struct str text);

/* heads.c */
void ponymail_heads_load(const struct pony *p, struct pony_list *l);
bool ponymail_heads_get(const struct pony_heads *h, struct str mid,
    struct pony_head *out);
void ponymail_heads_add(struct pony_heads *h, const struct pony_head *x);
void ponymail_heads_keep(const struct pony *p, const struct pony_list *l);

/* outline.c: a row from the archive's listing, without a request. */
void ponymail_outline_row(const struct pony_list *l, const struct pony_entry *x,
    struct arena *a, struct rows *out);

/* source.c */
/* 1 and the whole message, valid until the next request; 0: not found. */
int ponymail_source(struct pony *p, struct str mid, size_t max, struct str *out,
    struct err *e);
int ponymail_source_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e);
int ponymail_source_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);
int ponymail_source_ids(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e);
/* Requests a message and ignores the answer. */
void ponymail_source_even(struct pony *p, struct str mid);
/* 1 and its header, which may be stored; 0: not found. */
int ponymail_source_head(struct pony *p, struct str mid, struct arena *a,
    struct pony_head *out, struct err *e);
/* Adds the row of a message. */
void ponymail_source_row(struct pony *p, const struct ref *ref,
    const struct pony_head *h, struct arena *a, struct rows *out);
void ponymail_source_state(const struct pony *p, struct folder_state *st);

/* find.c */
int ponymail_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);

/* match.c */
/*
 * Does `raw` match: a whole message, or its header if no text is searched for?
 */
bool ponymail_match(struct arena *a, struct str raw, const struct query *q);

/* thread.c */
struct pony_member {
	struct str mid;
	int64_t epoch;
};

struct pony_members {
	struct str root; /* its name is the thread's */
	struct pony_member *v;
	size_t n;
};

/* The members of a thread, oldest first; none when there is no such thread. */
int ponymail_thread(struct pony *p, struct str mid, struct arena *a,
    struct pony_members *out, struct err *e);

/* probe.c */
void ponymail_probe(struct pony *p, struct arena *a, struct probes *out);

#endif
