#ifndef BACKEND_SMTP_INTERNAL_H
#define BACKEND_SMTP_INTERNAL_H

/*
 * Submission by SMTP: RFC 5321, 6409, with STARTTLS (3207), AUTH (4954), SIZE
 * (1870), 8BITMIME (6152), SMTPUTF8 (6531) and PIPELINING (2920).  Refuses to
 * speak in the clear, to send to some of the recipients, and to guess what
 * became of a message.
 */
#include "backend/backend.h"
#include "base/limits.h"
#include "net/sasl.h"
#include "net/wire.h"

#define SMTP_REPLY_TEXT 1024 /* of a reply's words; the rest is dropped */
#define SMTP_WORDS 120       /* of them what anybody gets to see */
#define SMTP_MECHS 4

struct smtp_reply {
	int code;
	size_t n;
	char text[SMTP_REPLY_TEXT]; /* lines joined by spaces; raw bytes */
	bool hide; /* its words may repeat a secret: none in a trace */
};

/* What the server said to EHLO. */
struct smtp_offers {
	bool starttls, pipelining, eightbit, utf8, size;
	uint64_t size_max; /* 0: it did not say */
	struct str mechs[SMTP_MECHS];
	size_t n_mechs;
};

struct smtp {
	struct conn conn; /* first */
	struct wire *w;   /* NULL: not connected */
	struct smtp_offers offers;
	struct smtp_reply reply; /* the last one */
	struct sasl sasl;
};

/* What a message needs from the server. */
struct smtp_needs {
	uint64_t size; /* RFC 1870 section 3: CRLFs yes, stuffed dots no */
	bool eightbit;
};

/* reply.c */
/*
 * Reads one reply, RFC 5321 section 4.2.1.  `line`, unless NULL, sees each
 * line's text.  ERR_NETWORK for what is no reply or has no end.
 */
int smtp_reply_read(struct wire *w, struct smtp_reply *out,
    void (*line)(struct str text, void *ctx), void *ctx, struct err *e);
/*
 * The server's words, fit to be shown: printable ASCII, at most SMTP_WORDS
 * bytes, and no secret in them: base/said.h.
 */
struct str smtp_reply_words(struct arena *a, const struct smtp_reply *r);
/* Adds "535 5.7.8 words" to the operator's detail. */
int smtp_reply_because(struct err *e, const struct smtp_reply *r);

/* ask.c */
/*
 * Before a command that waits for no other: a reply that is there already
 * answers nothing we asked (RFC 5321 section 4.1.1), and every later one would
 * be taken for another command's.  ERR_NETWORK, with the reply in s->reply.
 */
int smtp_ask_in_step(struct smtp *s, struct err *e);
/* Sends one line, in step, and reads the reply into s->reply. */
int smtp_ask(struct smtp *s, struct str line, struct err *e);
/* An answer that fits no rule. */
int smtp_ask_odd(struct smtp *s, struct err *e);

/* session.c */
/* TCP and nothing more. */
int smtp_session_connect(struct smtp *s, struct err *e);
/* Its steps, for probe.c: the 220, and what comes behind one in the clear. */
int smtp_session_greeting(struct smtp *s, struct err *e);
int smtp_session_starttls(struct smtp *s, struct err *e);
int smtp_session_ehlo(struct smtp *s, struct err *e);
/* All of them and the login. */
int smtp_session_open(struct smtp *s, struct err *e);
/* QUIT, without waiting for the answer. */
void smtp_session_close(struct smtp *s);

/* auth.c */
/* RFC 4954; nothing to do for an account without a user name. */
int smtp_auth_login(struct smtp *s, struct err *e);

/* data.c */
/* Looks at the whole message before anything is sent: ERR_LIMIT, ERR_USAGE. */
int smtp_data_check(struct str message, struct smtp_needs *out, struct err *e);
/* Dot-stuffed, every line end CRLF; without the final dot. */
int smtp_data_put(struct wire *w, struct str message, struct err *e);

/* submit.c */
/* One address, RFC 5321 section 4.1.2, without what could end a command. */
bool smtp_submit_is_path(struct str addr);
int smtp_submit(struct conn *c, struct arena *a, struct submission *sub,
    struct err *e);

/* probe.c */
void smtp_probe(struct smtp *s, struct arena *a, struct probes *out);
/* The time a greeting tells, as some servers' do; false: it tells none. */
bool smtp_probe_time(struct str greeting, int64_t *unix_s);

#endif
