/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

/* Base64, RFC 4648 section 4, in both directions. */
#include "base/buf.h"

/* The length of the encoding of n bytes, padding included. */
size_t base64_size(size_t n);
/* Writes base64_size(n) characters to out; returns that number. */
size_t base64_encode(char *out, const void *p, size_t n);
void base64_put(struct buf *b, struct str raw);
/*
 * Strict: canonical alphabet and padding, no white space.  Returns the number
 * of bytes written to out (room for 3 * n / 4 + 3), or -1.
 */
ptrdiff_t base64_decode(void *out, struct str text);
/* The same for base64url without padding, RFC 7515 section 2. */
ptrdiff_t base64_decode_url(void *out, struct str text);
/*
 * For mail (RFC 2045 section 6.8): skips characters outside the alphabet, stops
 * at padding, and may end in mid-group.  *bad says whether anything but white
 * space was skipped.  out has room for 3 * n / 4 + 3 bytes, or is where the
 * text is.
 */
size_t base64_decode_lax(void *out, struct str text, bool *bad);

#endif
