/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_PONYMID_H
#define SOURCE_PONYMID_H

/*
 * The name that a Pony Mail archive (Foal) gives to a message, computed from
 * the message: so a copy as the list delivered it gives the archive's address
 * without a request.  A copy with another header (the sender's own) has another
 * name, and older archives computed names differently, so the name is only a
 * guess until the archive confirms it.  Pure, linear.
 */
#include "base/str.h"

/* The length of a name: "8fgp2do75oqo6qd08vs4p7dpp1gj4vjn". */
#define PONYMID_SIZE 32

/*
 * `list` is a List-Id or address: "<dev.example.org>", "Dev <dev.example.org>"
 * or "dev@example.org"; empty: for a message without a list.  Returns an empty
 * string for a list without a dot, which cannot have an archive.
 */
struct str ponymid_of(struct arena *a, struct str raw, struct str list);
/* The list in the archive's form, "<dev.example.org>"; or empty. */
struct str ponymid_list(struct arena *a, struct str list);
/* Base32 in the archive's alphabet, without padding. */
struct str ponymid_base32(struct arena *a, const unsigned char *p, size_t n);

#endif
