#ifndef BACKEND_JMAP_INTERNAL_H
#define BACKEND_JMAP_INTERNAL_H

/*
 * Shared by the files of this backend.  JMAP is RFC 8620, its mail RFC 8621.
 *
 * Credentials are sent to the address that the operator gave, and from there
 * only to addresses of the same origin, or of the same host by https.  Any
 * other address in a session is refused, and a redirect to another origin drops
 * the credentials (net/http.h).
 */
#include "backend/internal.h"
#include "base/json.h"
#include "base/limits.h"
#include "net/http.h"

/* Names of capabilities, RFC 8620 section 2, RFC 8621 section 1.3. */
#define JMAP_CORE "urn:ietf:params:jmap:core"
#define JMAP_MAIL "urn:ietf:params:jmap:mail"
#define JMAP_SUBMISSION "urn:ietf:params:jmap:submission"

#define JMAP_ANSWER (32UL << 20) /* one answer, except downloads */
#define JMAP_SESSION (1UL << 20) /* a session as text */
#define JMAP_IDS 1000000UL       /* messages in one folder */
#define JMAP_ID 255UL            /* an id, RFC 8620 section 1.2 */
#define JMAP_CALLS 8             /* in one request */
#define JMAP_CALLS_LEAST 4       /* a server must accept this many */
#define JMAP_DEPTH 32UL          /* nesting of folders */
#define JMAP_ROWS 100            /* whole headers requested at once */
#define JMAP_SIFTED 500          /* single fields requested at once */
#define JMAP_AHEAD LIMIT_PAGE_DEFAULT

/* A return value beside 0 and -1: stored data is out of date. */
#define JMAP_STALE (-2)

/* The contents of a session, RFC 8620 section 2.  Addresses are absolute. */
struct jmap_session {
	struct str api, download, upload; /* the last two are templates */
	struct str account, state;
	struct str sender;    /* the account that submits, or empty */
	uint64_t max_get;     /* objects in one Foo/get */
	uint64_t max_set;     /* objects in one Foo/set */
	uint64_t max_upload;  /* bytes */
	uint64_t max_request; /* bytes */
	uint64_t max_calls;   /* in one request */
	bool is_cyrus; /* recognized by a capability beyond the standard */
};

/* A folder, RFC 8621 section 2. */
struct jmap_box {
	struct str id, name, parent; /* parent: an id, or empty */
	struct str path;             /* its name for agents; empty: not shown */
	enum folder_role role;
	bool may_read, may_add;
};

struct jmap_boxes {
	struct jmap_box *v;
	size_t n;
};

/* A message from Email/get. */
struct jmap_mail {
	struct row row;
	struct str blob;
	struct strs boxes; /* its folders */
};

struct jmap_mails {
	struct jmap_mail *v;
	size_t n;
};

struct jmap {
	struct conn conn;
	struct arena *a; /* as long as the connection */
	struct http *http;
	bool renewed;    /* a refused token was already replaced */
	bool flat;       /* the server accepts no filter within a filter */
	struct str base; /* the address of the session */
	bool ready;      /* `session` is known, */
	bool kept;       /* loaded from the cache */
	bool refreshed;  /* the cache was already dropped once */
	struct jmap_session session;
	bool boxes_known, boxes_kept;
	struct jmap_boxes boxes;
	/* Messages that scan read ahead, newest first, of this folder. */
	struct str ahead_box;
	struct jmap_mails ahead;
	uint32_t ahead_exists;
	/*
	 * thread.c: the most recently read threads, and folders known to be
	 * unchanged.
	 */
	struct arena *threads_a;
	struct jmap_kept *threads;
	size_t threads_n;
	struct strs checked;
};

/* -- id.c ------------------------------------------------------------------ */

/* A member that is a usable id. */
bool jmap_id(const struct json_value *v, const char *key, struct str *out);
bool jmap_id_ok(struct str id);

/* -- url.c: addresses ------------------------------------------------------ */

/*
 * The session's address for the address that the operator gave (RFC 8620
 * section 2.2).
 */
struct str jmap_url_session(struct arena *a, struct str given);
/* Where its host says what the session's address is; empty: it has no host. */
struct str jmap_url_well_known(struct arena *a, struct str url);
/* `ref` resolved in a document from `base`, RFC 3986 section 5.2. */
struct str jmap_url_resolve(struct arena *a, struct str base, struct str ref);
/* May credentials for `base` also be sent to `url`? */
bool jmap_url_trusts(struct str base, struct str url);

/* Host and port of it, for doctor. */
bool jmap_url_target(struct arena *a, struct str url, struct wire_target *out);

struct jmap_url_var {
	const char *name;
	struct str value;
};
/* Fills a template, RFC 6570 level 1; unknown names become empty. */
struct str jmap_url_fill(struct arena *a, struct str template,
    const struct jmap_url_var *v, size_t n);

/* -- wire.c: one HTTP request ---------------------------------------------- */

struct jmap_request {
	struct str url;
	struct str body; /* if its pointer is set: POST */
	const char *type;
	size_t max;
	unsigned redirects;
	bool once; /* never sent twice: see submit.c */
};

/*
 * Makes a request with the credentials, and with another token if one is
 * refused.  0 for an answer of 200 or 201; otherwise -1, or JMAP_STALE if the
 * address does not exist and came from the cache.
 */
int jmap_wire_ask(struct jmap *j, const struct jmap_request *q,
    struct http_reply *out, struct err *e);
/* ERR_NETWORK: the answer violates the protocol; `why` is static. */
int jmap_wire_nonsense(struct err *e, const char *why);

/* -- session_object.c ------------------------------------------------------ */

/* Reads a session that came from `base`. */
int jmap_session_object_read(struct jmap *j, const struct json_value *v,
    struct str base, struct err *e);
/* Writes it for the cache, in the form in which it is read. */
void jmap_session_object_write(const struct jmap_session *s, struct json *out);

/* -- session.c ------------------------------------------------------------- */

/* Makes sure that the session is known. */
int jmap_session_need(struct jmap *j, struct err *e);
/*
 * After JMAP_STALE: drops the cached session; false if that was already done.
 */
bool jmap_session_again(struct jmap *j, struct err *e);

/* -- cache.c: session and folders kept between calls, without any secret --- */

void jmap_cache_load(struct jmap *j);
void jmap_cache_save(struct jmap *j);
void jmap_cache_drop(struct jmap *j);

/* -- call.c: requests of several calls, RFC 8620 section 3.3 --------------- */

struct jmap_call {
	struct jmap *j;
	struct arena *a;
	struct json *out;
	const char *name[JMAP_CALLS];
	size_t n;
	bool once;            /* jmap_request.once */
	struct json_doc *doc; /* the answer */
	int status;           /* its HTTP status; 0: there was none */
};

/* CLEANUP(jmap_call_done) */
void jmap_call_begin(struct jmap *j, struct arena *a, struct jmap_call *c);
void jmap_call_done(struct jmap_call *c);
/* Put the arguments between these two; returns the call's number. */
size_t jmap_call_open(struct jmap_call *c, const char *method,
    struct str account);
void jmap_call_close(struct jmap_call *c);
/* "#key": the result of call `of` at `path` (section 3.7). */
void jmap_call_ref(struct jmap_call *c, const char *key, size_t of,
    const char *path);
/* Sends all of it; 0, -1 or JMAP_STALE. */
int jmap_call_send(struct jmap_call *c, struct err *e);
/* The arguments of call i's response; 0, -1 or JMAP_STALE. */
int jmap_call_take(const struct jmap_call *c, size_t i,
    const struct json_value **out, struct err *e);
/* Did call i return an error, and of which type? */
bool jmap_call_error(const struct jmap_call *c, size_t i, struct str *type);
/* The error for a type of section 3.6.2 or RFC 8621. */
int jmap_call_refused(struct str type, struct err *e);

/* -- mailbox.c: lists of folders ------------------------------------------- */

/* Reads a list of Mailbox objects. */
int jmap_mailbox_read(struct arena *a, const struct json_value *list,
    struct jmap_boxes *out, struct err *e);
void jmap_mailbox_write(const struct jmap_boxes *b, struct json *out);

/* -- folder.c -------------------------------------------------------------- */

/* Makes sure the folders are known. */
int jmap_folder_need(struct jmap *j, struct err *e);
/* The same, and they were read from the server since the connection began. */
int jmap_folder_need_fresh(struct jmap *j, struct err *e);
/* The folder of that name; ERR_NOT_FOUND.  0, -1 or JMAP_STALE. */
int jmap_folder_find(struct jmap *j, struct str folder,
    const struct jmap_box **out, struct err *e);
const struct jmap_box *jmap_folder_role(const struct jmap *j,
    enum folder_role role);
/* Also asks whether it is still the same folder, and for its state. */
size_t jmap_folder_ask(struct jmap_call *c, const struct jmap_box *box);
int jmap_folder_check(const struct jmap_call *c, size_t i,
    const struct jmap_box *box, uint32_t *exists, struct err *e);
/* The same if no folder is known yet: the calls, and a folder's id. */
struct jmap_first {
	struct str folder;
	size_t all, echo; /* echo: its answer is a filter for that folder */
};
#define JMAP_FIRST_CALLS 3
void jmap_folder_ask_first(struct jmap_call *c, struct str folder,
    struct jmap_first *out);
/* *found: what refers to the filter was about the folder *out. */
int jmap_folder_take_first(const struct jmap_call *c,
    const struct jmap_first *f, const struct jmap_box **out, uint32_t *exists,
    bool *found, struct err *e);
int jmap_folder_list(struct conn *c, struct arena *a, struct folders *out,
    struct err *e);

/* -- row.c: Email objects, RFC 8621 section 4 ------------------------------ */

/* The properties of a complete row, or of one for filtering. */
void jmap_row_properties(struct json *out, bool light);
/*
 * Reads one; 0 if it is in another folder than box (empty: any) or has no
 * usable id, otherwise 1.
 */
int jmap_row_read(struct arena *a, const struct json_value *v, struct str box,
    struct jmap_mail *out);
/* Does the header match the query?  What it cannot decide counts as a match. */
bool jmap_row_fits(const struct row *r, const struct query *q);

/* -- flag.c: flags are keywords, and the folder for archived mail ---------- */

/* The keyword of a flag, RFC 8621 section 4.1.1; NULL: it is a folder. */
const char *jmap_flag_keyword(unsigned flag);
/* The flags that are keywords of an Email object. */
unsigned jmap_flag_read(const struct json_value *email);
/* Adds what its folders say; these are known. */
void jmap_flag_add_boxes(const struct jmap *j, struct jmap_mail *m);
/* Has it the flags that the query asks for? */
bool jmap_flag_fits(const struct row *r, const struct query *q);
/*
 * The folder that is told for a message which is in several: INBOX, otherwise
 * the first that is shown; NULL: none is.
 */
const struct jmap_box *jmap_flag_place(const struct jmap *j,
    const struct strs *boxes);

/* -- read.c ---------------------------------------------------------------- */

/* One round of Email/get; *out in the order of ids, without missing ones. */
struct jmap_get {
	const struct jmap_box *box; /* NULL: in any folder */
	bool light;
	bool even;       /* at least one request, even for no messages */
	uint32_t exists; /* of box */
};
int jmap_read_some(struct jmap *j, struct arena *a, struct jmap_get *g,
    const struct str *ids, size_t n, struct jmap_mails *out, struct err *e);
/* Rows of n messages, at most as many at a time as the server accepts. */
int jmap_read_rows(struct jmap *j, struct arena *a, struct jmap_get *g,
    const struct ref *ref, size_t n, struct rows *out, struct err *e);
int jmap_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e);
int jmap_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);

/* -- filter.c -------------------------------------------------------------- */

/* Is this one's filter nested?  Some servers refuse that. */
bool jmap_filter_is_nested(const struct jmap *j, const struct query *q);
/*
 * Adds `filter`: the part of the query that the server checks in this folder; q
 * NULL: none.
 */
void jmap_filter_put(struct jmap_call *c, const struct jmap_box *box,
    const struct query *q);

/* -- query.c: which messages there are ------------------------------------- */

int jmap_query_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e);
/*
 * Every id that the server finds for q in box, newest first; 0, -1, JMAP_STALE.
 */
int jmap_query_ids(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, struct strs *ids, uint32_t *exists, struct err *e);
/*
 * The same, newest first and in batches; after q->behind, from the first.  Zero
 * except `behind`, which is q's.
 */
struct jmap_walk {
	struct str behind; /* until it is passed; then empty */
	size_t at;         /* in the server's list */
	bool ended;
};
int jmap_query_some(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct jmap_walk *w, struct strs *ids,
    uint32_t *exists, struct err *e);
/* Must the server be asked, or are headers enough? */
bool jmap_query_needs(const struct query *q);

/* -- find.c, thread.c ------------------------------------------------------ */

int jmap_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);
/* Drops what was read: it is about to change. */
void jmap_thread_drop(struct jmap *j);
int jmap_thread(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct folder_state *st,
    struct rows *out, struct err *e);

/* -- change.c: Email/set on messages that stay, RFC 8621 section 4.6 ----- */

/* What is wanted of each message. */
struct jmap_change {
	struct str folder; /* where they are; empty: anywhere */
	const struct refs *refs;
	unsigned set, clear;   /* flags that are keywords */
	const char *to;        /* a folder's id to move them to, or NULL */
	const char *only_from; /* only those in this folder move, or NULL */
};
/* All of them or none; 0, -1 or JMAP_STALE.  ERR_NOT_FOUND. */
int jmap_change(struct jmap *j, struct arena *a, const struct jmap_change *w,
    struct err *e);
/* "prefix/id" as a path in a patch, RFC 8620 section 5.3, RFC 6901. */
const char *jmap_change_path(struct arena *a, const char *prefix,
    struct str id);

/* -- mark.c, move.c -------------------------------------------------------- */

int jmap_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e);
int jmap_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, struct refs *moved, struct err *e);

/* -- put.c: messages into folders ------------------------------------------ */

enum jmap_mark {
	JMAP_READ,
	JMAP_DRAFT,
	JMAP_PASSING, /* a draft, until it is sent */
};

struct jmap_put {
	struct str id, thread;
	bool existed; /* these bytes were already in the account */
};

/* Uploads and imports.  0, -1, JMAP_STALE. */
int jmap_put(struct jmap *j, struct arena *a, const struct jmap_box *box,
    struct str message, enum jmap_mark mark, struct jmap_put *out,
    struct err *e);
int jmap_put_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e);
int jmap_put_drafts(struct conn *c, struct arena *a, struct str *folder,
    struct err *e);
int jmap_put_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e);

/* -- submit.c: the only way anything leaves -------------------------------- */

int jmap_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e);

/* -- submitted.c: what became of a submission, RFC 8621 section 7 ---------- */

/*
 * Asks once, and writes what the server says into s->to; what it does not say
 * stays.  ERR_REJECTED: the server cancelled it, and nothing was sent.
 */
int jmap_submitted(struct jmap *j, struct arena *a, struct str id,
    struct submission *s, struct err *e);

/* -- probe.c --------------------------------------------------------------- */

void jmap_probe(struct jmap *j, struct arena *a, struct probes *out);

#endif
