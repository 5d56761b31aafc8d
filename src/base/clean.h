/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CLEAN_H
#define BASE_CLEAN_H

/* Text without characters that a person cannot see but a program reads. */
#include "base/str.h"

/*
 * Text without invisible characters: controls except tab and line end,
 * direction marks, zero widths, tags, private use.  Joiners and selectors stay
 * where a script or an emoji needs them.  Adds their number to *removed, which
 * may be NULL; returns s itself if there were none.  Cleaning twice changes
 * nothing more.
 */
struct str clean_text(struct arena *a, struct str s, size_t *removed);
/*
 * The same, but replaces them by U+FFFD: an address without them would be a
 * different address.
 */
struct str clean_address(struct arena *a, struct str s, size_t *removed);

#endif
