/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_LOOKALIKE_H
#define MIME_LOOKALIKE_H

/* Senders that look like others: hints for readers, never for decisions. */
#include "base/str.h"

/*
 * Does the display name or comment contain another address?  A word with a dot
 * ("News.com") is a name, not an address.
 */
bool lookalike_display(struct arena *a, struct str name, struct str addr);
/*
 * Does the domain of an address look like another: a label that mixes scripts
 * as no language does, whose letters all look like ASCII, or with 0 or 1 for a
 * letter?  An invalid domain also counts, beyond ASCII.
 */
bool lookalike_domain(struct arena *a, struct str addr);

#endif
