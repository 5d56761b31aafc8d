#ifndef BASE_CLEAN_H
#define BASE_CLEAN_H

/* Text without what nobody sees but a program reads. */
#include "base/str.h"

/*
 * Text without the characters that nobody sees: controls but tab and line end,
 * direction marks, zero widths, tags, private use.  Joiners and selectors stay
 * where a script or an emoji needs them.  Adds to *removed, which may be NULL,
 * how many there were; s itself when there was none.  Cleaning twice changes
 * nothing more.
 */
struct str clean_text(struct arena *a, struct str s, size_t *removed);
/* The same with U+FFFD in their place: an address without them would be
 * somebody else's. */
struct str clean_address(struct arena *a, struct str s, size_t *removed);

#endif
