/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_INTERNAL_H
#define BACKEND_IMAP_INTERNAL_H

/*
 * The IMAP client.  From the wire upwards: read.c joins lines and literals into
 * responses, token.c parses a response into a tree, command.c sends tagged
 * commands and waits for their answers, session.c and auth.c bring a connection
 * to a folder, and each other file does one kind of request.  Only the files
 * that say so write (change.h, append.c); all others use EXAMINE and BODY.PEEK.
 */
#include "backend/imap/read.h"
#include "backend/imap/set.h"
#include "backend/internal.h"
#include "net/sasl.h"
#include "net/wire.h"

/* utf7.c: folder names, RFC 3501 section 5.1.3. */

/* False when `utf8` is not UTF-8. */
bool imap_utf7_encode(struct arena *a, struct str utf8, struct str *out);
/* False if encoding the result would not give the same name again. */
bool imap_utf7_decode(struct arena *a, struct str name, struct str *out);

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
	IMAP_CAP_UIDPLUS = 1 << 16,   /* RFC 4315 */
	IMAP_CAP_ACL = 1 << 17,       /* RFC 4314 */
	IMAP_CAP_IDLE = 1 << 18,      /* RFC 2177 */
	IMAP_CAP_MOVE = 1 << 19,      /* RFC 6851 */
	IMAP_CAP_REFERRALS = 1 << 20, /* RFC 2221 */
	IMAP_CAP_UNSELECT = 1 << 21,  /* RFC 3691 */
	IMAP_CAP_QUOTA = 1 << 22,     /* RFC 9208 */
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
/* Folders that are asked in one flight, by two commands each. */
#define IMAP_ACROSS 32
#define IMAP_PENDING (8 + 2 * IMAP_ACROSS)

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
	bool flows;    /* it reads what is sent behind AUTHENTICATE */
	unsigned caps; /* enum imap_cap */
	bool caps_known;
	bool caps_fresh; /* received after the login */
	bool utf8;       /* names and strings are UTF-8 */

	uint32_t tag;
	struct imap_cmd *pending[IMAP_PENDING];
	size_t pending_n;

	bool logging_in, identifying, enabling, examining;
	bool writing; /* `examine` is a SELECT: imap_session_write() */
	struct imap_cmd login, id, enable, examine;
	struct imap_cmd leave; /* leave.c: nobody waits for it */
	struct err refused; /* kind set: the credentials were refused; not tried
			       again */
	bool renewed;       /* they are already a second token */
	bool kept; /* from another call: if the server ended it, another one is
		      opened, once */

	bool examined;
	struct imap_left left;
	struct imap_across *across; /* across.h; or NULL */
	struct arena *across_a;     /* what it lives in */
	struct arena *across_rows;  /* and the rows of one flight */
	bool told;         /* the folder has changed, and no wait ended so */
	uint32_t expunged; /* how many EXPUNGE were heard */
	struct str folder; /* as given to EXAMINE */
	uint32_t next;     /* its UIDNEXT at the EXAMINE before, or 0 */
	/* Its UIDVALIDITY when it was last read, even on another connection, or
	 * 0: the caller's uids are of this numbering. */
	uint32_t numbering;
	struct folder_state st;

	struct str more; /* text of the last "+", until the next response */
	/* Receives every IMAP_DATA that the session does not handle itself. */
	int (*data)(struct imap_session *s, const struct imap_resp *r,
	    void *ctx, struct err *e);
	void *ctx;
	/* Receives the code of every OK, and UIDNOTSTICKY: "COPYUID", and what
	 * follows it. */
	void (*code)(struct imap_session *s, struct str word, struct str rest,
	    void *ctx);
	void *code_ctx;
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
/* Reads one response: 1 if the server asks for more, else 0. */
int imap_command_hear(struct imap_session *s, struct err *e);
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

/* rights.c: MYRIGHTS. */
struct imap_rights {
	struct str name; /* of the folder, as it is sent */
	bool told;
	bool insert, expunge;
};

/* Sends it, waiting for nothing. */
int imap_rights_send(struct imap_session *s, const struct imap_rights *x,
    struct imap_cmd *c, struct err *e);
/* As imap_session.data with a struct imap_rights for ctx. */
int imap_rights_take(struct imap_session *s, const struct imap_resp *r,
    void *ctx, struct err *e);

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
/*
 * The same with SELECT, so that messages can be changed.  Then settle also
 * refuses a folder that is read-only (ERR_UNSUPPORTED), and one that was
 * renumbered since it was read (ERR_NOT_FOUND).  The next read examines it.
 */
int imap_session_write(struct imap_session *s, struct str folder,
    struct err *e);
/* Waits only for the login. */
int imap_session_login(struct imap_session *s, struct err *e);
/* Waits for everything that start or select sent. */
int imap_session_settle(struct imap_session *s, struct err *e);
/* Makes sure that the capabilities are those after the login. */
int imap_session_caps(struct imap_session *s, struct err *e);
/* Reads a list of capabilities, as in CAPABILITY. */
void imap_session_set_caps(struct imap_session *s, struct str list);
/* Those that mean something here, as a list for people. */
struct str imap_session_said_caps(const struct imap_session *s,
    struct arena *a);
/* Drops the connection; the next request opens another. */
void imap_session_drop(struct imap_session *s);
/* leave.c: leaves a folder that is selected for a change, waiting for nothing.
 */
void imap_leave(struct imap_session *s);
/* Is nothing but that unanswered, if anything is? */
bool imap_leave_is_all(const struct imap_session *s);
/* Reads its answer if it has come; false: the connection is lost. */
bool imap_leave_hear(struct imap_session *s);
/* again.c: backend.h, `again`. */
void imap_again(struct imap_session *s, bool prove);
/*
 * After a method that only reads: had the server ended a connection that was
 * kept?  Then *e is none, *kept false, and the method is to be called once
 * more, on another one.  *kept is the session's, as it was before the method.
 */
bool imap_again_lost(struct imap_session *s, bool *kept, int r, struct err *e);

/* trace.c: shows a response in a trace, without the text of mail. */
void imap_trace_response(const struct imap_session *s,
    const struct imap_resp *r);

/* auth.c: sends the login; s->login may already be done on return. */
int imap_auth_send(struct imap_session *s, struct err *e);
/* Waits for it.  ERR_AUTH, ERR_NETWORK. */
int imap_auth_wait(struct imap_session *s, struct err *e);

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
int imap_watch(struct imap_session *s, const struct backend_watch *w,
    bool *changed, struct err *e);
int imap_list(struct imap_session *s, struct arena *a, struct folders *out,
    struct err *e);
/* quota.c: of the storage that INBOX counts in, the fullest; in KiB. */
struct imap_quota {
	bool told;
	bool unclear; /* refused, or some of it could not be read */
	uint64_t used, limit;
};
/* The server must offer QUOTA. */
int imap_quota(struct imap_session *s, struct imap_quota *out, struct err *e);
/* Is nine tenths of it used? */
bool imap_quota_is_near(const struct imap_quota *q);
/* For people. */
struct str imap_quota_say(const struct imap_quota *q, struct arena *a);
int imap_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e);

#endif
