#ifndef BASE_IDNA_H
#define BASE_IDNA_H

/* Domains as they are compared, and as they are shown. */
#include "base/str.h"

/*
 * A domain as lower-case A-labels without its trailing dot; an address literal
 * as it is.  False when it is neither.
 */
bool idna_ascii(struct arena *a, struct str domain, struct str *out);
/* The U-labels of what idna_ascii() gave; the A-labels when there are none. */
struct str idna_unicode(struct arena *a, struct str ascii);
/* NFC of the letters IDNA 2008 knows; other characters stay as they are. */
struct str idna_nfc(struct arena *a, struct str text);

#endif
