/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_THREAD_ID_H
#define SOURCE_THREAD_ID_H

/*
 * Numbers for ids, from 0: a hash table with a new random key each time,
 * because strangers choose the ids.
 */
#include "base/str.h"

#define THREAD_ID_NONE UINT32_MAX

struct thread_ids {
	struct arena *a;
	struct str *key; /* by number; empty: an unnamed one */
	uint32_t *hash;  /* of each */
	uint32_t n, room;
	uint32_t *slot; /* number + 1, or 0; the size is a power of two */
	uint32_t slots;
	uint64_t k0, k1; /* key of the hash */
};

void thread_id_init(struct thread_ids *t, struct arena *a, size_t expected);
/* The number of an id; a new number for a new id. */
uint32_t thread_id_add(struct thread_ids *t, struct str id);
/* A number for a message without an id. */
uint32_t thread_id_unnamed(struct thread_ids *t);
/* THREAD_ID_NONE for an unknown id. */
uint32_t thread_id_find(const struct thread_ids *t, struct str id);

#endif
