#ifndef MIME_MAGIC_H
#define MIME_MAGIC_H

/*
 * What a file is by its first bytes, held against what it is called.  A hint
 * for somebody who is about to open it; no proof that it is harmless.
 */
#include "base/str.h"

/* How many of its first bytes are looked at. */
#define MAGIC_BYTES 1088UL

/*
 * Is a file of these first bytes something else than its declared type or the
 * extension of its name says?  What is declared as "some bytes" is believed by
 * its name alone.
 */
bool magic_mismatch(struct str type, struct str name, struct str bytes);

#endif
