#ifndef BACKEND_JMAP_INTERNAL_H
#define BACKEND_JMAP_INTERNAL_H

/*
 * What the files of this backend share.  JMAP is RFC 8620, its mail RFC 8621.
 *
 * Where credentials go: to the address the operator gave, and from there only
 * to addresses of the same origin, or of the same host by https.  Whatever a
 * session says beyond that is refused, and a redirect to another origin
 * leaves them behind (net/http.h).
 */
#include "backend/internal.h"
#include "base/json.h"
#include "base/limits.h"
#include "net/http.h"

/* Names of capabilities, RFC 8620 section 2, RFC 8621 section 1.3. */
#define JMAP_CORE "urn:ietf:params:jmap:core"
#define JMAP_MAIL "urn:ietf:params:jmap:mail"
#define JMAP_SUBMISSION "urn:ietf:params:jmap:submission"

#define JMAP_ANSWER (32UL << 20) /* one answer, downloads apart */
#define JMAP_SESSION (1UL << 20) /* a session as text */
#define JMAP_IDS 1000000UL       /* messages in one folder */
#define JMAP_ID 255UL            /* an id, RFC 8620 section 1.2 */
#define JMAP_CALLS 8             /* in one request of ours */
#define JMAP_CALLS_LEAST 4       /* a server must take as many */
#define JMAP_DEPTH 32UL          /* folders within folders */
#define JMAP_ROWS 100            /* whole headers asked for at once */
#define JMAP_SIFTED 500          /* single fields asked for at once */
#define JMAP_AHEAD LIMIT_PAGE_DEFAULT

/* A return value beside 0 and -1: what was kept from before is not so. */
#define JMAP_STALE (-2)

/* What a session tells, RFC 8620 section 2.  Addresses are absolute. */
struct jmap_session {
	struct str api, download, upload; /* the last two are templates */
	struct str account, state;
	struct str sender;    /* the account that submits, or empty */
	uint64_t max_get;     /* objects in one Foo/get */
	uint64_t max_upload;  /* bytes */
	uint64_t max_request; /* bytes */
	uint64_t max_calls;   /* in one request */
	bool is_cyrus;        /* told by what it can beyond the standard */
};

/* A folder, RFC 8621 section 2. */
struct jmap_box {
	struct str id, name, parent; /* parent: an id, or empty */
	struct str path;             /* as agents name it; empty: not shown */
	enum folder_role role;
	bool may_read, may_add;
};

struct jmap_boxes {
	struct jmap_box *v;
	size_t n;
};

/* A message as Email/get tells of it. */
struct jmap_mail {
	struct row row;
	struct str blob;
	struct strs boxes; /* of its folders, where any would do */
};

struct jmap_mails {
	struct jmap_mail *v;
	size_t n;
};

struct jmap {
	struct conn conn;
	struct arena *a; /* as long as the connection */
	struct http *http;
	bool renewed;    /* a refused token was replaced */
	bool flat;       /* the server takes no filter within another */
	struct str base; /* the address of the session */
	bool ready;      /* `session` is known, */
	bool kept;       /* from an earlier time */
	bool refreshed;  /* what was kept was thrown away once */
	struct jmap_session session;
	bool boxes_known, boxes_kept;
	struct jmap_boxes boxes;
	/* What scan read ahead, newest first, of this folder. */
	struct str ahead_box;
	struct jmap_mails ahead;
	uint32_t ahead_exists;
	/* thread.c: threads that were read last, and folders that are known to
	 * be what they were. */
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

/* The session's address for what the operator gave (RFC 8620 section 2.2). */
struct str jmap_url_session(struct arena *a, struct str given);
/* `ref` as it is in a document from `base`, RFC 3986 section 5.2. */
struct str jmap_url_resolve(struct arena *a, struct str base, struct str ref);
/* May what `base` is told be told to `url` too? */
bool jmap_url_trusts(struct str base, struct str url);

/* Host and port of it, for doctor. */
bool jmap_url_target(struct arena *a, struct str url, struct wire_target *out);

struct jmap_url_var {
	const char *name;
	struct str value;
};
/* A template filled, RFC 6570 level 1; unknown names give nothing. */
struct str jmap_url_fill(struct arena *a, struct str template,
    const struct jmap_url_var *v, size_t n);

/* -- wire.c: one HTTP request ---------------------------------------------- */

struct jmap_request {
	struct str url;
	struct str body; /* with a pointer: POST */
	const char *type;
	size_t max;
	unsigned redirects;
	bool once; /* never sent twice: see submit.c */
};

/*
 * Asks with the credentials, and with another token when one is refused.  0
 * for an answer of 200 or 201; else -1, or JMAP_STALE when the address is not
 * there and was kept from before.
 */
int jmap_wire_ask(struct jmap *j, const struct jmap_request *q,
    struct http_reply *out, struct err *e);
/* ERR_NETWORK: the answer is not what the protocol says; `why` is static. */
int jmap_wire_nonsense(struct err *e, const char *why);

/* -- session_object.c ------------------------------------------------------ */

/* Reads a session that came from `base`. */
int jmap_session_object_read(struct jmap *j, const struct json_value *v,
    struct str base, struct err *e);
/* The same, for keeping: in the form it is read in. */
void jmap_session_object_write(const struct jmap_session *s, struct json *out);

/* -- session.c ------------------------------------------------------------- */

/* Makes sure that the session is known. */
int jmap_session_need(struct jmap *j, struct err *e);
/* After JMAP_STALE: throws away what was kept; false when that was done. */
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
/* The arguments stand between; returns the call's number. */
size_t jmap_call_open(struct jmap_call *c, const char *method,
    struct str account);
void jmap_call_close(struct jmap_call *c);
/* "#key": what call `of` answers at `path` (section 3.7). */
void jmap_call_ref(struct jmap_call *c, const char *key, size_t of,
    const char *path);
/* Sends all of it; 0, -1 or JMAP_STALE. */
int jmap_call_send(struct jmap_call *c, struct err *e);
/* The arguments of call i's response; 0, -1 or JMAP_STALE. */
int jmap_call_take(const struct jmap_call *c, size_t i,
    const struct json_value **out, struct err *e);
/* Was call i answered with an error, and of which type? */
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
/* The folder of that name; ERR_NOT_FOUND.  0, -1 or JMAP_STALE. */
int jmap_folder_find(struct jmap *j, struct str folder,
    const struct jmap_box **out, struct err *e);
const struct jmap_box *jmap_folder_role(const struct jmap *j,
    enum folder_role role);
/* Asks on the way whether it is still the same one, and how it stands. */
size_t jmap_folder_ask(struct jmap_call *c, const struct jmap_box *box);
int jmap_folder_check(const struct jmap_call *c, size_t i,
    const struct jmap_box *box, uint32_t *exists, struct err *e);
/* The same where no folder is known yet: the calls, and a folder's id. */
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

/* The properties of a whole row, or of one to be sifted. */
void jmap_row_properties(struct json *out, bool light);
/*
 * Reads one; of another folder than box (empty: any) or without a usable id it
 * is 0, else 1.
 */
int jmap_row_read(struct arena *a, const struct json_value *v, struct str box,
    struct jmap_mail *out);
/* Does the header say what is asked of it?  What it cannot tell it lets by. */
bool jmap_row_fits(const struct row *r, const struct query *q);

/* -- read.c ---------------------------------------------------------------- */

/* One go of Email/get; *out in the order of ids, those not there left out. */
struct jmap_get {
	const struct jmap_box *box; /* NULL: in any folder */
	bool light;
	bool even;       /* one question at least, even about nothing */
	uint32_t exists; /* of box */
};
int jmap_read_some(struct jmap *j, struct arena *a, struct jmap_get *g,
    const struct str *ids, size_t n, struct jmap_mails *out, struct err *e);
/* Rows of n messages, at most so many at a time as the server takes. */
int jmap_read_rows(struct jmap *j, struct arena *a, struct jmap_get *g,
    const struct ref *ref, size_t n, struct rows *out, struct err *e);
int jmap_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e);
int jmap_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);

/* -- filter.c -------------------------------------------------------------- */

/* Is the filter for this one of filters?  Some servers refuse such. */
bool jmap_filter_is_nested(const struct jmap *j, const struct query *q);
/* Adds `filter`: what the server is asked of this folder, q NULL: nothing. */
void jmap_filter_put(struct jmap_call *c, const struct jmap_box *box,
    const struct query *q);

/* -- query.c: which messages there are ------------------------------------- */

int jmap_query_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e);
/* Every id the server finds for q in box, newest first; 0, -1, JMAP_STALE. */
int jmap_query_ids(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, struct strs *ids, uint32_t *exists, struct err *e);
/*
 * The same, newest first and so many at a time; behind q->behind from the
 * first.  Zero but for `behind`, which is q's.
 */
struct jmap_walk {
	struct str behind; /* passed on the way; then empty */
	size_t at;         /* of the server's list */
	bool ended;
};
int jmap_query_some(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct jmap_walk *w, struct strs *ids,
    uint32_t *exists, struct err *e);
/* Must the server be asked, or is it enough to look at headers? */
bool jmap_query_needs(const struct query *q);

/* -- find.c, thread.c ------------------------------------------------------ */

int jmap_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);
/* Forgets what was read: it is about to be another. */
void jmap_thread_drop(struct jmap *j);
int jmap_thread(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct folder_state *st,
    struct rows *out, struct err *e);

/* -- put.c: messages into folders ------------------------------------------ */

enum jmap_mark {
	JMAP_READ,
	JMAP_DRAFT,
	JMAP_PASSING, /* a draft, until it is sent */
};

struct jmap_put {
	struct str id, thread;
	bool existed; /* these bytes were in the account before */
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

/* -- probe.c --------------------------------------------------------------- */

void jmap_probe(struct jmap *j, struct arena *a, struct probes *out);

#endif
