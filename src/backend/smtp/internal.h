/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_SMTP_INTERNAL_H
#define BACKEND_SMTP_INTERNAL_H

/*
 * Submission by SMTP: RFC 5321, 6409, with STARTTLS (3207), AUTH (4954), SIZE
 * (1870), 8BITMIME (6152), SMTPUTF8 (6531) and PIPELINING (2920).  It never
 * sends in the clear, never sends to only some of the recipients, and never
 * guesses what became of a message.
 */
#include "backend/internal.h"
#include "base/limits.h"
#include "net/sasl.h"
#include "net/wire.h"

#define SMTP_REPLY_TEXT 1024 /* of a reply's words; the rest is dropped */
#define SMTP_WORDS 120       /* the part of them that is shown */
#define SMTP_MECHS 4

struct smtp_reply {
	int code;
	size_t n;
	char text[SMTP_REPLY_TEXT]; /* lines joined by spaces; raw bytes */
	bool hide; /* its words may repeat a secret: not traced */
};

/* The server's answer to EHLO. */
struct smtp_offers {
	bool starttls, pipelining, eightbit, utf8, size;
	uint64_t size_max; /* 0: unknown */
	struct str mechs[SMTP_MECHS];
	size_t n_mechs;
};

struct smtp {
	struct conn conn; /* first */
	struct wire *w;   /* NULL: not connected */
	struct smtp_offers offers;
	struct smtp_reply reply; /* the last reply */
	struct sasl sasl;
};

/* The extensions that a message needs. */
struct smtp_needs {
	uint64_t
	    size; /* RFC 1870 section 3: with CRLFs, without stuffed dots */
	bool eightbit;
};

/* reply.c */
/*
 * Reads one reply, RFC 5321 section 4.2.1.  `line`, unless NULL, gets each
 * line's text.  ERR_NETWORK if it is malformed or endless.
 */
int smtp_reply_read(struct wire *w, struct smtp_reply *out,
    void (*line)(struct str text, void *ctx), void *ctx, struct err *e);
/*
 * The server's words in a form that can be shown: printable ASCII, at most
 * SMTP_WORDS bytes, without secrets: base/said.h.
 */
struct str smtp_reply_words(struct arena *a, const struct smtp_reply *r);
/* Adds "535 5.7.8 words" to the operator's detail. */
int smtp_reply_because(struct err *e, const struct smtp_reply *r);

/* ask.c */
/*
 * Before a command that is not pipelined: a reply that is already there answers
 * no command (RFC 5321 section 4.1.1), and every later one would be assigned to
 * the wrong command.  ERR_NETWORK, with the reply in s->reply.
 */
int smtp_ask_in_step(struct smtp *s, struct err *e);
/* Sends one line, in step, and reads the reply into s->reply. */
int smtp_ask(struct smtp *s, struct str line, struct err *e);
/* An answer that violates the protocol. */
int smtp_ask_odd(struct smtp *s, struct err *e);

/* session.c */
/* Only TCP. */
int smtp_session_connect(struct smtp *s, struct err *e);
/* Its steps, for probe.c: the greeting, and what follows STARTTLS. */
int smtp_session_greeting(struct smtp *s, struct err *e);
int smtp_session_starttls(struct smtp *s, struct err *e);
int smtp_session_ehlo(struct smtp *s, struct err *e);
/* All steps and the login. */
int smtp_session_open(struct smtp *s, struct err *e);
/* QUIT, without waiting for the answer. */
void smtp_session_close(struct smtp *s);

/* auth.c */
/* RFC 4954; does nothing for an account without a user name. */
int smtp_auth_login(struct smtp *s, struct err *e);

/* data.c */
/* Checks the whole message before anything is sent: ERR_LIMIT, ERR_USAGE. */
int smtp_data_check(struct str message, struct smtp_needs *out, struct err *e);
/* Dot-stuffed, every line end CRLF; without the final dot. */
int smtp_data_put(struct wire *w, struct str message, struct err *e);

/* submit.c */
/* Is it an address, RFC 5321 section 4.1.2, that cannot end a command? */
bool smtp_submit_is_path(struct str addr);
int smtp_submit(struct conn *c, struct arena *a, struct submission *sub,
    struct err *e);

/* probe.c */
void smtp_probe(struct smtp *s, struct arena *a, struct probes *out);
/* The time in a greeting, as some servers send it; false: there is none. */
bool smtp_probe_time(struct str greeting, int64_t *unix_s);

#endif
