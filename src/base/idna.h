/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_IDNA_H
#define BASE_IDNA_H

/* Domains in the forms for comparing and for showing. */
#include "base/str.h"

/*
 * A domain as lower-case A-labels without its trailing dot; an address literal
 * unchanged.  False if it is neither.
 */
bool idna_ascii(struct arena *a, struct str domain, struct str *out);
/* The U-labels of a result of idna_ascii(); the A-labels if it has none. */
struct str idna_unicode(struct arena *a, struct str ascii);
/* NFC of the letters that IDNA 2008 knows; other characters do not change. */
struct str idna_nfc(struct arena *a, struct str text);

#endif
