#ifndef BACKEND_IMAP_INTERNAL_H
#define BACKEND_IMAP_INTERNAL_H

/*
 * The IMAP client.  From the wire upwards: read.c joins lines and literals into
 * responses, token.c parses a response into a tree, command.c sends tagged
 * commands and waits for their answers, session.c and auth.c bring a connection
 * to a folder, and each other file does one kind of request.  Only the files
 * that say so write; all others use EXAMINE and BODY.PEEK.
 */
#include "backend/backend.h"
#include "net/sasl.h"
#include "net/wire.h"

/* read.c: responses, RFC 9051 section 7. */

/* Where bytes come from: a wire, or memory in tests. */
struct imap_source {
	/*
	 * A line without its end, in the arena.  1: it was longer than max;
	 * *out is its beginning followed by its last bytes.
	 */
	int (*line)(void *ctx, struct arena *a, size_t max, struct str *out,
	    struct err *e);
	int (*bytes)(void *ctx, void *p, size_t n, struct err *e);
	void *ctx;
};

struct imap_reader {
	struct imap_source src;
	struct arena *scratch; /* for one response; then emptied */
	struct arena *keep;    /* for BODY[], which stays */
	size_t body_max;       /* maximum size of BODY[]; 0: none requested */
	size_t body_used;      /* its size so far */
	size_t lines;          /* bytes read so far without literals */
	size_t total;          /* the same with literals */
};

enum imap_kind {
	IMAP_DATA,   /* "* 3 EXISTS" */
	IMAP_NOTICE, /* "* OK ...", "* BYE ..." */
	IMAP_TAGGED, /* "e3 OK ..." */
	IMAP_MORE,   /* "+ ..." */
};

enum imap_status {
	IMAP_NO, /* zero: the default is a failure */
	IMAP_OK,
	IMAP_BAD,
	IMAP_BYE,
	IMAP_PREAUTH,
};

/* A line without its literal mark, and the literal that followed it. */
struct imap_piece {
	struct str text;
	struct str literal;
	bool has_literal;
	size_t size; /* of the literal as sent; a long one is kept in part */
};

/* Everything is valid until the next response is read, except BODY[]. */
struct imap_resp {
	enum imap_kind kind;
	enum imap_status status; /* of IMAP_NOTICE and IMAP_TAGGED */
	uint32_t tag;            /* 0 if it is not one of ours */
	uint32_t number;         /* of IMAP_DATA: "* 3 FETCH"; else 0 */
	struct str name;         /* of IMAP_DATA: "FETCH", as sent */
	struct str code;         /* the text in [], or empty */
	struct str text;         /* free text; also of IMAP_MORE */
	bool cut; /* a FETCH that is too big: skipped, not parsed */
	struct imap_piece *piece; /* of IMAP_DATA: what follows the name */
	size_t n;
};

void imap_read_init(struct imap_reader *r, const struct imap_source *src);
/* Accepts NULL parts and repeated calls. */
void imap_read_done(struct imap_reader *r);
/* Reads one response.  ERR_NETWORK, ERR_LIMIT: the connection is lost. */
int imap_read_next(struct imap_reader *r, struct imap_resp *out, struct err *e);
/* "the server's answer is malformed", with the scope of the connection. */
int imap_read_nonsense(struct err *e, const char *why);

/* token.c: the tree of a response, RFC 9051 section 4. */

enum imap_token {
	IMAP_NIL, /* its text is "NIL" as sent: it can be a folder's name */
	IMAP_ATOM,
	IMAP_QUOTED,
	IMAP_LITERAL,
	IMAP_LIST,
};

struct imap_node {
	enum imap_token kind;
	struct str text; /* unescaped; valid as long as the response */
	const struct imap_node *child; /* of a list: its first */
	const struct imap_node *next;
};

/*
 * Parses a response into nodes, the first of which is *out (NULL: none).
 * Without recursion.  Lists below LIMIT_IMAP_DEPTH are read as empty, because
 * anybody can send a message with such nesting.  ERR_NETWORK for bad syntax,
 * ERR_LIMIT over LIMIT_IMAP_NODES.
 */
int imap_token_parse(struct arena *a, const struct imap_resp *r,
    const struct imap_node **out, struct err *e);
/* Is it an atom or a string with this text, ignoring case? */
bool imap_token_is(const struct imap_node *n, const char *text);
/* Does it have a text: is it an atom, string or NIL? */
bool imap_token_has_text(const struct imap_node *n);
/* A number, RFC 9051 section 9: digits, and never in quotes. */
bool imap_token_is_number(const struct imap_node *n);
/* uniqueid: a number of 32 bits that is not 0.  ERR_NETWORK for anything else.
 */
int imap_token_uid(const struct imap_node *n, uint32_t *out, struct err *e);
/* The i-th node from n on, or NULL. */
const struct imap_node *imap_token_at(const struct imap_node *n, size_t i);

/* utf7.c: folder names, RFC 3501 section 5.1.3. */

/* False when `utf8` is not UTF-8. */
bool imap_utf7_encode(struct arena *a, struct str utf8, struct str *out);
/* False if encoding the result would not give the same name again. */
bool imap_utf7_decode(struct arena *a, struct str name, struct str *out);

/* set.c: sets of uids as ranges. */

struct imap_range {
	uint32_t lo, hi;
};

struct imap_set {
	struct arena *a;
	struct imap_range *v;
	size_t n;
	bool over; /* there were more than LIMIT_IMAP_NODES ranges */
};

void imap_set_add(struct imap_set *s, uint32_t lo, uint32_t hi);
/* Reads "1:5,7"; false for anything else ("*" too). */
bool imap_set_parse(struct imap_set *s, struct str text);
/* Sorts, joins, and drops what is outside lo..hi. */
void imap_set_tidy(struct imap_set *s, uint32_t lo, uint32_t hi);
/* Takes the highest n numbers from a tidy set, highest first. */
size_t imap_set_take(struct imap_set *s, uint32_t *out, size_t n);
/*
 * Puts uids[*from..] (descending) as a set of at most some 8000 characters;
 * *from moves after the last one put.
 */
struct str imap_set_text(struct arena *a, const uint32_t *uids, size_t n,
    size_t *from);

/* stream.c: a wire as a source. */
struct imap_source imap_stream_source(struct wire *w);

/* session.c and command.c: the connection. */

enum imap_cap {
	IMAP_CAP_REV1 = 1 << 0,
	IMAP_CAP_REV2 = 1 << 1,
	IMAP_CAP_STARTTLS = 1 << 2,
	IMAP_CAP_LOGINDISABLED = 1 << 3,
	IMAP_CAP_SASL_IR = 1 << 4,        /* RFC 4959 */
	IMAP_CAP_LITERAL_PLUS = 1 << 5,   /* RFC 7888 */
	IMAP_CAP_LITERAL_MINUS = 1 << 6,  /* RFC 7888 */
	IMAP_CAP_ID = 1 << 7,             /* RFC 2971 */
	IMAP_CAP_UTF8 = 1 << 8,           /* RFC 6855 */
	IMAP_CAP_ESEARCH = 1 << 9,        /* RFC 4731 */
	IMAP_CAP_SPECIAL_USE = 1 << 10,   /* RFC 6154 */
	IMAP_CAP_LIST_EXTENDED = 1 << 11, /* RFC 5258 */
	IMAP_CAP_PLAIN = 1 << 12,
	IMAP_CAP_LOGIN = 1 << 13,
	IMAP_CAP_XOAUTH2 = 1 << 14,
	IMAP_CAP_OAUTHBEARER = 1 << 15,
	IMAP_CAP_UIDPLUS = 1 << 16, /* RFC 4315 */
	IMAP_CAP_ACL = 1 << 17,     /* RFC 4314 */
};

/* What is known of a message that was put into a folder. */
struct imap_appended {
	uint32_t uidvalidity, uid; /* from the server; otherwise 0 */
	bool unanswered;           /* sent completely, but no answer came */
};

/* A command in progress, and its result. */
struct imap_cmd {
	uint32_t tag;
	uint64_t
	    since; /* bytes received when it was begun: they cannot answer it */
	bool done;
	enum imap_status status;
	char code[32];   /* "BADCHARSET": the word, in upper case */
	char words[160]; /* the server's words, cleaned, for the operator */
	/* Of "APPENDUID 38505 3955", RFC 4315 section 3. */
	struct imap_appended appended;
};

/*
 * Limits on the commands for a query with many senders, and on the senders in
 * each.
 */
#define IMAP_SEARCHES 16
#define IMAP_SENDERS 64
#define IMAP_PENDING (8 + IMAP_SEARCHES)

/* Results of a search that no page has used yet. */
struct imap_left {
	bool any;
	uint64_t question; /* which: imap_search_sum() */
	uint32_t top;      /* from here downwards */
	struct imap_set set;
};

struct imap_session {
	struct conn conn; /* first: a conn is a session */
	struct arena *a;  /* as long as the session */
	struct wire *wire;
	struct imap_reader reader;
	bool vouched; /* the wire was passed in: TLS is not required */

	bool greeted;
	bool connected; /* a login can be sent */
	bool started;   /* the login and what follows it are sent */
	bool preauth;
	unsigned caps; /* enum imap_cap */
	bool caps_known;
	bool caps_fresh; /* received after the login */
	bool utf8;       /* names and strings are UTF-8 */

	uint32_t tag;
	struct imap_cmd *pending[IMAP_PENDING];
	size_t pending_n;

	bool logging_in, identifying, enabling, examining;
	struct imap_cmd login, id, enable, examine;
	struct err refused; /* kind set: the credentials were refused; not tried
			       again */
	bool renewed;       /* they are already a second token */

	bool examined;
	struct imap_left left;
	struct str folder; /* as given to EXAMINE */
	struct folder_state st;

	struct str more; /* text of the last "+", until the next response */
	/* Receives every IMAP_DATA that the session does not handle itself. */
	int (*data)(struct imap_session *s, const struct imap_resp *r,
	    void *ctx, struct err *e);
	void *ctx;
};

/* Begins a command; puts after its answer are dropped. */
int imap_command_begin(struct imap_session *s, struct imap_cmd *c,
    const char *text, struct err *e);
int imap_command_put(struct imap_session *s, struct imap_cmd *c,
    struct str text, struct err *e);
/* The same for words of the protocol, which a trace may show: wire_say(). */
int imap_command_say(struct imap_session *s, struct imap_cmd *c,
    struct str text, struct err *e);
/* A string: quoted if possible, otherwise a literal, RFC 9051 section 4.3. */
int imap_command_string(struct imap_session *s, struct imap_cmd *c,
    struct str text, struct err *e);
/* The same for a folder's name, which a trace may show. */
int imap_command_name(struct imap_session *s, struct imap_cmd *c,
    struct str name, struct err *e);
int imap_command_end(struct imap_session *s, struct imap_cmd *c, struct err *e);
/* Reads until c is answered (0) or the server asks for more (1). */
int imap_command_next(struct imap_session *s, struct imap_cmd *c,
    struct err *e);
/* Reads until c is answered; c->status says how. */
int imap_command_wait(struct imap_session *s, struct imap_cmd *c,
    struct err *e);
/* Reads until nothing is pending, and ignores the answers. */
int imap_command_drain(struct imap_session *s, struct err *e);
/* Turns a NO or BAD into an error: by its code, otherwise `kind`. */
int imap_command_refused(const struct imap_cmd *c, enum err_kind kind,
    const char *say, struct err *e);

/* A session that is not connected yet. */
struct imap_session *imap_session_new(const struct backend_account *acct,
    struct arena *a);
/* The same over an open stream before its greeting: for tests. */
struct imap_session *imap_session_over(const struct backend_account *acct,
    struct arena *a, struct wire *w);
/* The same over a stream to the account's own server: TLS is required. */
void imap_session_attach(struct imap_session *s, struct wire *w);
/* Reads the greeting. */
int imap_session_greet(struct imap_session *s, struct err *e);
/* Secures a plain stream whose greeting was read, by STARTTLS. */
int imap_session_secure(struct imap_session *s, struct err *e);
/* Connects up to the point where a login can be sent. */
int imap_session_connect(struct imap_session *s, struct err *e);
/* The same, and EXAMINE of the folder if it is not the current one. */
int imap_session_select(struct imap_session *s, struct str folder,
    struct err *e);
/* Waits only for the login. */
int imap_session_login(struct imap_session *s, struct err *e);
/* Waits for everything that start or select sent. */
int imap_session_settle(struct imap_session *s, struct err *e);
/* Makes sure that the capabilities are those after the login. */
int imap_session_caps(struct imap_session *s, struct err *e);
/* Reads a list of capabilities, as in CAPABILITY. */
void imap_session_set_caps(struct imap_session *s, struct str list);
/* Drops the connection; the next request opens another. */
void imap_session_drop(struct imap_session *s);

/* trace.c: shows a response in a trace, without the text of mail. */
void imap_trace_response(const struct imap_session *s,
    const struct imap_resp *r);

/* auth.c: sends the login; s->login may already be done on return. */
int imap_auth_send(struct imap_session *s, struct err *e);
/* Waits for it.  ERR_AUTH, ERR_NETWORK. */
int imap_auth_wait(struct imap_session *s, struct err *e);

/* fetch.c: rows of a FETCH. */

struct imap_fetch {
	struct arena *a;
	const uint32_t *uids; /* requested, descending; NULL: by sequence */
	uint32_t first;       /* the lowest sequence number requested */
	size_t n;
	struct row *row; /* n of them, in the order of uids, or upwards */
	bool *full;      /* does that row have its header? */
};

void imap_fetch_init(struct imap_fetch *f, struct arena *a,
    const uint32_t *uids, size_t n);
/*
 * The items of a FETCH response: names and values in turn.  NULL: it is another
 * response, or was skipped because of its size.
 */
int imap_fetch_items(struct imap_session *s, const struct imap_resp *r,
    const struct imap_node **items, struct err *e);
/* As imap_session.data with a struct imap_fetch for ctx. */
int imap_fetch_data(struct imap_session *s, const struct imap_resp *r,
    void *ctx, struct err *e);
/* Sends a FETCH of uids[*from..], as many as fit. */
int imap_fetch_send(struct imap_session *s, struct imap_cmd *c,
    struct imap_fetch *f, size_t *from, struct err *e);
/* Waits for it, then fetches the rest of uids. */
int imap_fetch_finish(struct imap_session *s, struct imap_cmd *c,
    struct imap_fetch *f, size_t from, struct err *e);
/* Turns the answer to a FETCH into a result. */
int imap_fetch_answer(const struct imap_cmd *c, struct err *e);

/* structure.c: does a BODYSTRUCTURE show an attachment? */
bool imap_structure_has_attachments(const struct imap_node *top);

/* search.c: UID SEARCH. */

/* Can the query be sent in ASCII? */
bool imap_search_is_ascii(const struct query *q);
/* Does it have any criterion besides the folder? */
bool imap_search_is_open(const struct query *q);
/* The same for all pages of one query. */
uint64_t imap_search_sum(const struct query *q);
/* How many senders from that index on fit into one command. */
size_t imap_search_some(const struct strs *senders, size_t from);
/*
 * Sends the query, whose senders fit.  With ascii_only it omits what is not
 * ASCII.  ERR_USAGE: a NUL.
 */
int imap_search_send(struct imap_session *s, struct imap_cmd *c,
    const struct query *q, bool ascii_only, struct err *e);
/* As imap_session.data with a struct imap_set for ctx. */
int imap_search_data(struct imap_session *s, const struct imap_resp *r,
    void *ctx, struct err *e);
/* Does a row match what imap_search_send() omitted? */
bool imap_search_matches(const struct query *q, const struct row *row);

/* The methods of the backend; see backend/backend.h. */
int imap_find(struct imap_session *s, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);
int imap_fetch_headers(struct imap_session *s, struct arena *a,
    struct str folder, const struct refs *refs, struct folder_state *st,
    struct rows *out, struct err *e);
int imap_links(struct imap_session *s, struct str folder,
    const struct link_sink *to, bool *over, struct err *e);
int imap_body(struct imap_session *s, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);
/* With flags such as "(\\Seen)"; *out may be NULL. */
int imap_append(struct imap_session *s, struct str folder, struct str message,
    const char *flags, struct imap_appended *out, struct err *e);
/* A folder's name in the form for sending, after the login.  ERR_NOT_FOUND. */
int imap_append_name(struct imap_session *s, struct str folder, struct str *out,
    struct err *e);
int imap_draft_folder(struct imap_session *s, struct arena *a,
    struct str *folder, struct err *e);
int imap_draft(struct imap_session *s, struct arena *a, struct str folder,
    struct str message, struct drafted *out, struct err *e);
int imap_list(struct imap_session *s, struct arena *a, struct folders *out,
    struct err *e);
int imap_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e);

#endif
