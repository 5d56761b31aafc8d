/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_SAID_H
#define BASE_SAID_H

/*
 * Words of servers, proxies and providers.  They may repeat what they were
 * sent, so they become a text for people only here.  err_because() checks its
 * text with said_secret() too, so code that forgets said_clean() leaks nothing.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

#define SAID_HIDDEN "(words that repeat a secret)"
#define SAID_LOOK 2048     /* bytes of the words that are examined */
#define SAID_LONG_WORD 100 /* no honest word is this long; a token is */

/*
 * Do these bytes contain a secret in use, whole or cut off at their end?  It is
 * found as it is (ignoring case and blanks), percent-encoded (RFC 3986), with
 * backslashes (RFC 9051 section 4.3, RFC 8259), as HTML, and each of these also
 * in base64 of either alphabet and at any offset, which covers SASL responses
 * and HTTP Basic.  A secret of fewer than SECRET_SHORT bytes is not searched
 * for.
 */
bool said_secret(struct str words);
/*
 * Fills `out` with the part of the words that may be shown: printable ASCII,
 * from their first SAID_LOOK bytes, at most room - 1.  Words that repeat a
 * secret are left out completely.  While a secret of fewer than SECRET_SHORT
 * bytes is in use, all words are left out: any text may contain it by chance,
 * and a gap would reveal it.
 */
void said_clean(char *out, size_t room, struct str words);
/* The same in an arena, of at most max bytes. */
struct str said_text(struct arena *a, struct str words, size_t max);

#endif
