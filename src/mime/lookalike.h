#ifndef MIME_LOOKALIKE_H
#define MIME_LOOKALIKE_H

/*
 * Senders that look like others: hints for readers, never for a decision.
 */
#include "base/str.h"

/*
 * Does the display name or comment hold an address other than the one beside
 * it?  A word with a dot ("News.com") is a name, not an address.
 */
bool lookalike_display(struct arena *a, struct str name, struct str addr);
/*
 * Does the domain of an address look like another: a label of two scripts that
 * no language mixes, of letters that all pass for ASCII, or with a 0 or 1 in
 * the place of a letter?  What is no domain counts too, beyond ASCII.
 */
bool lookalike_domain(struct arena *a, struct str addr);

#endif
