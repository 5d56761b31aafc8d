#ifndef MIME_COMPOSE_H
#define MIME_COMPOSE_H

/*
 * Writing a message, RFC 5322 and RFC 2045 to 2047, 2231.  Every value passes
 * through one writer that refuses CR, LF and NUL, so that no header can be
 * injected.  Output is CRLF, lines of at most 76 characters, 7-bit but for
 * addresses that need SMTPUTF8.
 */
#include "mime/address.h"

struct compose_file {
	struct str name;
	struct str type; /* "" is guessed from the name */
	struct str bytes;
};

struct compose {
	struct str from;           /* addr-spec */
	struct str from_name;      /* may be empty */
	struct strs to, cc;        /* addr-specs; bcc is never written, ... */
	struct strs draft_bcc;     /* ... but into a draft: who sends it wants
				    * to know */
	struct str subject;        /* UTF-8 */
	struct str body;           /* UTF-8 plain text, any line ends */
	bool exact;                /* the body's very bytes, in base64 */
	struct str message_id;     /* "<...>", from compose_message_id() */
	int64_t date_s;            /* unix seconds */
	struct str in_reply_to;    /* "<...>" or empty */
	struct strs references;    /* "<...>" each, oldest first */
	struct str auto_submitted; /* RFC 3834 section 5; empty: a person's */
	const struct compose_file *file;
	size_t files;
};

/* ERR_USAGE for what may not be in a header, ERR_LIMIT for the size. */
int compose_message(struct arena *a, const struct compose *c, struct str *out,
    struct err *e);
/* "<unique@domain>" from 128 random bits handed in and the From's domain. */
struct str compose_message_id(struct arena *a, const unsigned char rnd[16],
    struct str from);
/* "Re: x" once: what a reply's subject inherits when the caller gives none. */
struct str compose_reply_subject(struct arena *a, struct str subject);

#endif
