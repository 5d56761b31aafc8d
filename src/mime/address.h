#ifndef MIME_ADDRESS_H
#define MIME_ADDRESS_H

/*
 * Addresses, RFC 5322 section 3.4 and RFC 6531.  Two readings: the lenient one
 * is for showing, the strict one is for deciding.  What a person sees must
 * never decide: policy only ever gets the canonical form of a strict reading.
 */
#include "base/err.h"
#include "base/str.h"

struct address {
	struct str name; /* display name or group-less comment, decoded UTF-8 */
	struct str addr; /* addr-spec as it would be typed; may be empty */
	struct str comments; /* all beside it, decoded, a space between */
};

struct addresses {
	struct address *v;
	size_t n;
	bool over;  /* more than LIMIT_ADDRESSES */
	bool clean; /* every part was read by the RFC's current grammar */
};

/*
 * The lenient reading of a raw field value, or of a list typed by a caller:
 * groups are opened, comments and obsolete syntax (section 4.4) understood,
 * what cannot be read is skipped and clears `clean`.
 */
void address_list(struct arena *a, struct str raw, struct addresses *out);

/*
 * The strict reading of a From field for deciding: 1 and the canonical
 * addr-spec when the raw value holds exactly one mailbox, written in current
 * grammar, no group, no route, no control or raw 8-bit bytes but valid UTF-8.
 * What a display name or comment says does not count, unless a reader that
 * decodes encoded words first, or knows no escapes, would find another address
 * in it.  0 when it does not.
 */
int address_sole(struct arena *a, struct str raw, struct str *out);

/*
 * One addr-spec typed by the operator or an agent ("bob@b.example", no display
 * name) in the form that is compared: local part unquoted where it can be,
 * ASCII letters lower case, NFC; domain as lower-case A-labels (IDNA 2008,
 * UTS 46), a trailing dot dropped; an address literal as written.  ERR_USAGE.
 */
int address_canonical(struct arena *a, struct str in, struct str *out,
    struct err *e);
/* The same for a whitelist entry, which may also be "@domain". */
int address_entry(struct arena *a, struct str in, struct str *out,
    struct err *e);
/*
 * What a recipient looks like on the wire: the domain as A-labels unless the
 * local part needs SMTPUTF8 (then *utf8 is set and all stays UTF-8); no CR,
 * LF, NUL, space, "<" or ">" can be in it.  ERR_USAGE.
 */
int address_wire(struct arena *a, struct str in, struct str *out, bool *utf8,
    struct err *e);
/*
 * address_say.c.  ERR_USAGE for a text that is no address (with `entry`, nor a
 * "@domain"): which, and how it is written where that can be told.
 */
int address_say(struct arena *a, struct str in, bool entry, struct err *e);
/* The part behind the last "@"; empty when there is none. */
struct str address_domain(struct str addr);

#endif
