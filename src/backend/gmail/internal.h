/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_GMAIL_INTERNAL_H
#define BACKEND_GMAIL_INTERNAL_H

/*
 * Shared by the files of gmail/.  url.c has the list of all allowed requests;
 * call.c makes a request and fault.c explains a refusal; list.c pages through
 * ids, batch.c and part.c fetch many messages at once, head.c and read.c make
 * rows of them; scan.c, history.c and cache.c keep the ids of a folder.
 */
#include "backend/internal.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/limits.h"
#include "net/http.h"

#define GMAIL_BATCH 50 /* calls in one batch; Google advises against more */
#define GMAIL_BITS (GMAIL_BATCH + 2) /* with what is asked beside them */
#define GMAIL_PAGE 500               /* ids in one answer, Gmail's maximum */
#define GMAIL_IDS 1000000            /* in one folder */
#define GMAIL_LOOKS 2000             /* rows read to find a few */
#define GMAIL_SINGLES 500            /* messages requested one by one */
#define GMAIL_ANSWER (32UL << 20)    /* one answer, except whole messages */
#define GMAIL_ID 64                  /* characters of an id */
#define GMAIL_PATH 256               /* bytes of a path */
#define GMAIL_DRAFT (25UL << 20)     /* maximum size of a message in Gmail */

/* A folder in Gmail: a label, or everything. */
struct gmail_label {
	struct str id; /* empty: everything but spam and trash */
	struct str name;
	enum folder_role role;
	bool user; /* the account named it */
};

#define GMAIL_ALL_MAIL S("All Mail")

struct gmail {
	struct conn conn;
	struct http *http;
	struct str root;  /* "https://gmail.googleapis.com" */
	bool no_batch;    /* the server does not support batches */
	bool even;        /* rows always take the same number of requests */
	size_t singles;   /* messages requested one by one so far */
	struct str known; /* a folder whose count is known, or p is NULL */
	uint32_t exists;  /* that count */
	struct arena *a;  /* for stored answers of the server */
	struct gmail_label *label; /* the labels, after they were requested */
	size_t labels;
	struct arena *threads_a; /* of the most recently read threads */
	struct gmail_thread *threads;
	size_t threads_n;
};

/* url.c: all allowed requests. */
#define GMAIL_ME "/gmail/v1/users/me"
#define GMAIL_BATCH_PATH "/batch/gmail/v1"
/* Is it in the list?  `path` has no query. */
bool gmail_url_allowed(bool post, struct str path);
/* The same check for code that builds one: anything else is a bug. */
void gmail_url_check(bool post, struct str path);
/* Letters, digits, "-" and "_", of limited length. */
bool gmail_url_is_id(struct str id);
/* Adds "?name=value" or "&name=value", percent-encoded. */
void gmail_url_param(struct buf *b, const char *name, struct str value);
/* The root of the service: what --url names, or Google's. */
int gmail_url_root(struct arena *a, struct str url, struct str *root,
    struct err *e);

/* call.c */
struct gmail_ask {
	struct str target; /* path and query */
	struct str body;   /* if its pointer is set: POST */
	struct str type;
	size_t max; /* bytes of the answer; 0: GMAIL_ANSWER */
};

/*
 * One request with a token, repeated with another if the first was refused; no
 * other refusal is repeated.  Only 2xx is an answer; ERR_NOT_FOUND for 404,
 * others by gmail_fault().
 */
int gmail_call(struct gmail *g, const struct gmail_ask *q,
    struct http_reply *out, struct err *e);
/* The same; the answer must be an object. */
int gmail_call_json(struct gmail *g, const struct gmail_ask *q,
    struct json_doc **out, struct err *e);
/* ERR_NETWORK: the answer is not Gmail's. */
int gmail_call_garbled(struct err *e, const char *what);
int gmail_call_parse(struct str text, struct json_doc **out, struct err *e);

/* fault.c */
/* Turns a refusal into an error; returns -1. */
int gmail_fault(int status, struct str body, int64_t retry_after_s,
    struct err *e);

/* label.c */
int gmail_label_folders(struct conn *c, struct arena *a, struct folders *out,
    struct err *e);
/* The label of that name; ERR_NOT_FOUND. */
int gmail_label_find(struct gmail *g, struct arena *a, struct str folder,
    struct gmail_label *out, struct err *e);
#define GMAIL_LABELS GMAIL_ME "/labels?fields=labels(id,name,type)"
/* Takes them from an answer to that; without them rows tell no label. */
void gmail_label_take(struct gmail *g, struct str json);
/* The id of the account's own label: 1; 0: there is none; -1. */
int gmail_label_user(struct gmail *g, struct str name, struct str *id,
    struct err *e);
/* Can a label of the account's own have that name? */
bool gmail_label_may_be(struct str name);
int gmail_label_make(struct gmail *g, struct str name, struct str *id,
    struct err *e);
/* Is a message with these labels in the folder? */
bool gmail_label_holds(const struct gmail_label *l,
    const struct json_value *ids);
/* Does a list of labels contain this one? */
bool gmail_label_in(const struct json_value *ids, struct str id);
/* Must spam and trash be requested explicitly? */
bool gmail_label_is_hidden(const struct gmail_label *l);

/* flag.c: flags, labels and place of a row, by the ids of its labels. */
void gmail_flag_put(const struct gmail *g, struct arena *a,
    const struct json_value *ids, struct row *row);

/* list.c: ids of messages, newest first. */
struct gmail_list {
	struct gmail *g;
	struct arena *a; /* for the results */
	const struct gmail_label *label;
	struct str q;     /* in Gmail's syntax, or empty */
	struct str token; /* of the next page */
	size_t pages;
	size_t n; /* ids so far */
	bool begun, ended;
};

/* The next page, at most `most` ids of it; adds them to *ids. */
int gmail_list_more(struct gmail_list *l, size_t most, struct strs *ids,
    struct err *e);
/*
 * The same, starting after a message that ended an earlier page: messages of
 * the same second come first, in an order that only Gmail knows.  If the
 * message is gone, all messages of its second are returned again.
 */
int gmail_list_behind(struct gmail_list *l, struct str behind, struct strs *ids,
    struct err *e);

/* query.c: a query in Gmail's syntax; empty if that cannot express it. */
struct str gmail_query_words(struct arena *a, const struct query *q);
/* Does it contain anything that Gmail or emcli must search for? */
bool gmail_query_asks(const struct query *q);
/* Does the row match the query, as far as its header shows? */
bool gmail_query_fits(const struct query *q, const struct row *row);

/* head.c */
/*
 * Makes a header from the fields of a JSON payload, in their order.  *odd if it
 * may differ from the message's: then the message itself must be read.
 */
struct str gmail_head(struct arena *a, const struct json_value *headers,
    bool trace, bool *odd);

/* read.c */
/* The row of a JSON message with this id; *odd as in gmail_head(). */
int gmail_read_row(struct arena *a, const struct json_value *msg, struct str id,
    bool trace, struct row *out, bool *odd, struct err *e);
/* The bytes in `raw` of a JSON message. */
int gmail_read_raw(struct arena *a, struct str json, size_t max,
    const struct gmail_label *label, struct str *out, struct err *e);

/* body.c: the whole message. */
int gmail_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);

/* files.c: would the message show attachments? */
bool gmail_files(const struct json_value *payload);

/* rows.c */
/* The properties that a row needs, for a URL's query. */
#define GMAIL_ROW_FIELDS                                                       \
	"id,threadId,labelIds,internalDate,sizeEstimate,"                      \
	"payload(mimeType,filename,headers," GMAIL_ROW_PARTS(GMAIL_ROW_PARTS(  \
	    GMAIL_ROW_PARTS(GMAIL_ROW_PARTS("parts(mimeType,filename)")))) ")"
#define GMAIL_ROW_PARTS(more) "parts(mimeType,filename,headers," more ")"

struct gmail_want {
	struct str id;
	struct row row;
	bool here; /* it exists, in the folder, and `row` is filled in */
	bool odd;  /* for rows.c */
};

/*
 * Rows of messages, at most GMAIL_BATCH, usually in one request.  `label` may
 * be NULL: any folder.  With `exists` also the label's count.
 */
int gmail_rows(struct gmail *g, struct arena *a,
    const struct gmail_label *label, struct gmail_want *want, size_t n,
    uint32_t *exists, struct err *e);
/* Corrects odd rows by reading the messages themselves. */
int gmail_rows_mend(struct gmail *g, struct arena *a, struct gmail_want *want,
    size_t n, struct err *e);

/* batch.c: several GETs in one request. */
struct gmail_bit {
	struct str target;
	bool found;      /* 2xx, else 404; any other status fails all */
	struct str body; /* in the arena */
};

int gmail_batch(struct gmail *g, struct arena *a, struct gmail_bit *bit,
    size_t n, struct err *e);

/* part.c: iterates over the parts of a batch's answer. */
struct gmail_part {
	size_t at; /* the number in its Content-ID */
	int status;
	int64_t retry_after_s;
	struct str body;
};

struct gmail_parts {
	struct str rest;
	char mark[80]; /* "--boundary" */
	size_t mark_n;
	bool begun, ended;
};

/* False: not the answer to a batch. */
bool gmail_part_open(struct gmail_parts *p, struct str type, struct str body);
/* 1; 0 after the last; -1: malformed. */
int gmail_part_next(struct gmail_parts *p, struct gmail_part *out);

/* scan.c */
int gmail_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e);

/* The ids of a folder, stored from one call to the next. */
struct gmail_kept {
	int64_t made_s;    /* when the folder was last read completely */
	struct str cursor; /* its position in Gmail's history */
	struct str token; /* if read in part: the next page; ids newest first */
	struct strs ids;  /* otherwise oldest first */
};

/* history.c */
/*
 * Updates the ids and moves the cursor.  1; 0 if the history does not go back
 * far enough: start again.  *changed: the ids differ.
 */
int gmail_history(struct gmail *g, struct arena *a,
    const struct gmail_label *label, struct gmail_kept *k, bool *changed,
    struct err *e);
/* The current position in the history. */
int gmail_history_now(struct gmail *g, struct arena *a, struct str *cursor,
    struct err *e);

/* cache.c: files that cannot be saved are skipped silently. */
bool gmail_cache_load(struct gmail *g, struct arena *a,
    const struct gmail_label *label, struct gmail_kept *out);
void gmail_cache_keep(struct gmail *g, const struct gmail_label *label,
    const struct gmail_kept *k);

/* find.c */
int gmail_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);
int gmail_find_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e);

/* thread.c: every message of a thread, oldest first. */
void gmail_thread_drop(struct gmail *g);
int gmail_thread(struct gmail *g, struct arena *a, const struct query *q,
    size_t limit, struct rows *out, struct err *e);

/* draft.c */
int gmail_draft_folder(struct conn *c, struct arena *a, struct str *folder,
    struct err *e);
int gmail_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e);

/* draft_id.c: sets the ids of drafts among the rows, except very old ones. */
int gmail_draft_id_put(struct gmail *g, struct arena *a, struct rows *rows,
    struct err *e);

/* probe.c */
void gmail_probe(struct gmail *g, struct arena *a, struct probes *out);

#endif
