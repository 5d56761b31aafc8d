#ifndef MIME_SUBJECT_H
#define MIME_SUBJECT_H

/*
 * Subjects without, and with, what mail programs put in front of them.  Text
 * is UTF-8 and decoded; controls become spaces.
 */
#include "base/str.h"

/*
 * The subject of an answer: "Re: " once and what was answered, whatever
 * "Re:"s of any language it had.  A forwarded one stays so, and a list's
 * "[name]" stays in front of it, once.
 */
struct str subject_reply(struct arena *a, struct str subject);
/*
 * What two messages about one thing have in common: without "Re:", "Fwd:",
 * "[name]" and a "(fwd)" after it (RFC 5256 section 2.1).  May be empty.  For
 * comparing, without case; not to be written.
 */
struct str subject_root(struct arena *a, struct str subject);

#endif
