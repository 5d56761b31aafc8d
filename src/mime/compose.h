/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_COMPOSE_H
#define MIME_COMPOSE_H

/*
 * Writes a message, RFC 5322 and RFC 2045 to 2047, 2231.  Every value passes
 * through one writer that refuses CR, LF and NUL, so no header can be injected.
 * Output is CRLF, lines of at most 76 characters, 7-bit except for addresses
 * that need SMTPUTF8 and for a message that is passed on as it is.
 */
#include "mime/address.h"

struct compose_file {
	struct str name;
	struct str type; /* "": guessed from the name */
	struct str bytes;
	struct str charset;       /* of a text/...; "": UTF-8, if it is */
	struct str method;        /* of a text/calendar, RFC 5546; or "" */
	struct str format, delsp; /* of a text/plain, RFC 3676; or "" */
};

struct compose {
	struct str from;      /* addr-spec */
	struct str from_name; /* may be empty */
	struct strs to, cc;   /* addr-specs; bcc is never written, ... */
	struct strs
	    draft_bcc; /* ... except in a draft, for the person who sends it */
	struct str subject; /* UTF-8 */
	struct str body;    /* UTF-8 plain text, any line ends */
	bool flowed;        /* the body is format=flowed: mime/quote.h */
	struct str html;    /* the same as a page: mime/html_copy.h; or empty */
	bool exact;         /* the body's very bytes, in base64 */
	struct str message_id;     /* "<...>", from compose_message_id() */
	int64_t date_s;            /* unix seconds */
	struct str in_reply_to;    /* "<...>" or empty */
	struct strs references;    /* "<...>" each, oldest first */
	struct str auto_submitted; /* RFC 3834 section 5; empty: a person's */
	const struct compose_file *file;
	size_t files;
};

/* ERR_USAGE for values not allowed in a header, ERR_LIMIT for the size. */
int compose_message(struct arena *a, const struct compose *c, struct str *out,
    struct err *e);
/* Can it be written as a Content-Type; as a parameter's value? */
bool compose_body_is_type(struct str type);
bool compose_body_is_token(struct str value);
/* "<unique@domain>" from 128 random bits, passed in, and the From's domain. */
struct str compose_message_id(struct arena *a, const unsigned char rnd[16],
    struct str from);
/* "Re: x" once: the default subject of a reply. */
struct str compose_reply_subject(struct arena *a, struct str subject);
/* "Fwd: x" once, the same of a message that is passed on. */
struct str compose_forward_subject(struct arena *a, struct str subject);

#endif
