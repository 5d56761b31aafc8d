/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_ADDRESS_H
#define MIME_ADDRESS_H

/*
 * Addresses, RFC 5322 section 3.4 and RFC 6531.  There are two readings: the
 * lenient one is for showing, the strict one is for deciding.  Displayed text
 * must never decide: policy only gets the canonical form of a strict reading.
 */
#include "base/err.h"
#include "base/str.h"

struct address {
	struct str name; /* display name or group-less comment, decoded UTF-8 */
	struct str addr; /* addr-spec as one would type it; may be empty */
	struct str
	    comments; /* all its comments, decoded, separated by spaces */
};

struct addresses {
	struct address *v;
	size_t n;
	bool over;  /* more than LIMIT_ADDRESSES */
	bool clean; /* every part follows the RFC's current grammar */
};

/*
 * The lenient reading of a raw field value, or of a list typed by a caller:
 * groups are expanded, comments and obsolete syntax (section 4.4) understood;
 * what cannot be read is skipped and clears `clean`.
 */
void address_list(struct arena *a, struct str raw, struct addresses *out);

/*
 * The strict reading of a From field for deciding: 1 and the canonical
 * addr-spec if the raw value has exactly one mailbox, in current grammar,
 * without group, route, controls or 8-bit bytes other than valid UTF-8.
 * Display names and comments are ignored, unless a reader that decodes encoded
 * words first, or does not know escapes, would find another address in them.
 * Otherwise 0.
 */
int address_sole(struct arena *a, struct str raw, struct str *out);

/*
 * One addr-spec typed by the operator or an agent ("bob@b.example", no display
 * name) in the form for comparison: local part unquoted where possible, ASCII
 * letters in lower case, NFC; domain as lower-case A-labels (IDNA 2008, UTS 46)
 * without a trailing dot; an address literal as written.  ERR_USAGE.
 */
int address_canonical(struct arena *a, struct str in, struct str *out,
    struct err *e);
/* The same for a whitelist entry, which may also be "@domain". */
int address_entry(struct arena *a, struct str in, struct str *out,
    struct err *e);
/*
 * A recipient in the form for the wire: the domain as A-labels unless the local
 * part needs SMTPUTF8 (then *utf8 is set and all stays UTF-8); it contains no
 * CR, LF, NUL, space, "<" or ">".  ERR_USAGE.
 */
int address_wire(struct arena *a, struct str in, struct str *out, bool *utf8,
    struct err *e);
/*
 * address_say.c. ERR_USAGE for a text that is not an address (with `entry`, nor
 * a "@domain"): says which, and how to write it if possible.
 */
int address_say(struct arena *a, struct str in, bool entry, struct err *e);
/* The part after the last "@"; empty if there is none. */
struct str address_domain(struct str addr);

#endif
