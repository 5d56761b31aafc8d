#ifndef BASE_SAID_H
#define BASE_SAID_H

/*
 * What others said: servers, proxies and providers.  They may repeat what they
 * were sent, so their words become a text for people here and nowhere else.
 * err_because() asks said_secret() of all that it is given, so a path that
 * forgets said_clean() leaks nothing either.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

#define SAID_HIDDEN "(words that repeat a secret)"
#define SAID_LOOK 2048     /* bytes of what was said that are looked at */
#define SAID_LONG_WORD 100 /* no honest word is this long; a token would be */

/*
 * Is a secret in use repeated in these bytes, wholly or up to their end?  As
 * it is, whatever the case of its letters and the blanks in it, percent-encoded
 * (RFC 3986), with backslashes (RFC 9051 section 4.3, RFC 8259), as HTML, and
 * each of these in base64 too, of either alphabet and at any place in it: so
 * SASL's responses and HTTP's Basic are found.  A secret of fewer than
 * SECRET_SHORT bytes is not looked for.
 */
bool said_secret(struct str words);
/*
 * Fills `out` with what may be shown of the words: printable ASCII, of their
 * first SAID_LOOK bytes at most room - 1.  Words that repeat a secret are left
 * out whole.  While a secret of fewer than SECRET_SHORT bytes is in use, so is
 * everything: any text holds those by chance, and what is left out tells them.
 */
void said_clean(char *out, size_t room, struct str words);
/* The same in an arena, of at most max bytes. */
struct str said_text(struct arena *a, struct str words, size_t max);

#endif
