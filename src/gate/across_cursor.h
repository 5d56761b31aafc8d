/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_ACROSS_CURSOR_H
#define GATE_ACROSS_CURSOR_H

/* Where a search of several folders goes on; private to the room. */
#include "gate/internal.h"

enum {
	ACROSS_KEY = 6 /* bytes that name a folder in a cursor */
};

/* The last message of a folder that was shown. */
struct across_place {
	unsigned char key[ACROSS_KEY];
	uint32_t uidvalidity, uid;
};

struct across_places {
	struct across_place *v;
	size_t n; /* at most LIMIT_SEARCH_FOLDERS */
};

void across_cursor_key(int64_t account, struct str folder,
    unsigned char out[ACROSS_KEY]);
/* The place of that folder, or NULL. */
const struct across_place *across_cursor_find(const struct across_places *l,
    const unsigned char key[ACROSS_KEY]);
/* ERR_USAGE: it was made for another query, or by somebody else. */
int across_cursor_read(struct call *c, struct str text,
    struct across_places *out, struct err *e);
int across_cursor_put(struct call *c, const struct across_places *l,
    struct str *text, struct err *e);

#endif
