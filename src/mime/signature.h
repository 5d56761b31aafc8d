/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_SIGNATURE_H
#define MIME_SIGNATURE_H

#include "base/str.h"

/*
 * One's own text with the signature below it, after a line "-- " (RFC 3676
 * section 4.3); the text itself if there is no signature, or if it ends with it
 * already.
 */
struct str signature_below(struct arena *a, struct str own,
    struct str signature);
/*
 * The same where more text follows.  The line "-- " is left out: a reader takes
 * all that follows it for the signature, and hides it.
 */
struct str signature_between(struct arena *a, struct str own,
    struct str signature);
/* The text above a signature that it ends with; otherwise the whole text. */
struct str signature_above(struct str own, struct str signature);

#endif
