/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_SUBJECT_H
#define MIME_SUBJECT_H

/*
 * Subjects without, and with, the prefixes of mail programs.  Text is UTF-8 and
 * decoded; controls become spaces.
 */
#include "base/str.h"

/*
 * The subject of a reply: "Re: " once and the original subject, without its
 * "Re:"s in any language.  The prefix of a forwarded message stays, and so does
 * a list's "[name]" in front, once.
 */
struct str subject_reply(struct arena *a, struct str subject);
/*
 * The subject of a message that is passed on: "Fwd: " and the original's, or
 * that alone if it begins so in any language.
 */
struct str subject_forward(struct arena *a, struct str subject);
/*
 * The common part of subjects in one thread: without "Re:", "Fwd:", "[name]"
 * and a final "(fwd)" (RFC 5256 section 2.1).  May be empty.  For comparing,
 * ignoring case; not for output.
 */
struct str subject_root(struct arena *a, struct str subject);

#endif
