/* SPDX-License-Identifier: Apache-2.0 */
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
	struct str events; /* a template; empty: the server offers none */
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

/* -- wire.c: one HTTP request ---------------------------------------------- */

/* An answer that is taken as it comes: as in struct http_request. */
struct jmap_stream {
	int (*begun)(int status, struct str type, void *ctx);
	int (*take)(struct str part, void *ctx);
	int (*tick)(void *ctx);
	void *ctx;
	int64_t deadline_ms; /* in place of the account's */
};

struct jmap_request {
	struct str url;
	struct str body; /* if its pointer is set: POST */
	const char *type;
	size_t max;
	unsigned redirects;
	bool once;                        /* never sent twice: see submit.c */
	const struct jmap_stream *stream; /* or NULL */
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

/* -- archive.c ------------------------------------------------------------- */

/*
 * The folder for archived mail, made if there is none.  ERR_UNSUPPORTED: the
 * server makes none.  0, -1 or JMAP_STALE.
 */
int jmap_archive_need(struct jmap *j, const struct jmap_box **out,
    struct err *e);

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

/* -- watch.c --------------------------------------------------------------- */

int jmap_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e);

/* -- probe.c --------------------------------------------------------------- */

void jmap_probe(struct jmap *j, struct arena *a, struct probes *out);

#endif
