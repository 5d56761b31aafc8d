#ifndef SOURCE_PONYMID_H
#define SOURCE_PONYMID_H

/*
 * The name a Pony Mail archive (Foal) gives to a message, worked out from the
 * message itself: a copy as the list delivered it has the archive's address
 * without anybody being asked.  A copy whose header differs (the sender's own)
 * has another name, and older archives made theirs in other ways, so such a
 * name is a computed one until the archive has confirmed it.  Pure, linear.
 */
#include "base/str.h"

/* "8fgp2do75oqo6qd08vs4p7dpp1gj4vjn" is as long as each of them. */
#define PONYMID_SIZE 32

/*
 * `list` is a List-Id or address: "<dev.example.org>", "Dev <dev.example.org>"
 * or "dev@example.org"; empty: the name of a message of no list.  An empty
 * string for a list that has no dot: it can have no archive.
 */
struct str ponymid_of(struct arena *a, struct str raw, struct str list);
/* The list as the archive writes it, "<dev.example.org>"; or empty. */
struct str ponymid_list(struct arena *a, struct str list);
/* Base32 in the archive's own letters, without padding. */
struct str ponymid_base32(struct arena *a, const unsigned char *p, size_t n);

#endif
