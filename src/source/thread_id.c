/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open addressing with SipHash-1-3 (Aumasson and Bernstein): without the key
 * nobody can construct ids that collide.
 */
#include "source/thread_id.h"

#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/err.h"

struct sip {
	uint64_t v0, v1, v2, v3;
};

static uint64_t
thread_id_turn(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static void
thread_id_mix(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = thread_id_turn(s->v1, 13) ^ s->v0;
	s->v0 = thread_id_turn(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = thread_id_turn(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = thread_id_turn(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = thread_id_turn(s->v1, 17) ^ s->v2;
	s->v2 = thread_id_turn(s->v2, 32);
}

static uint32_t
thread_id_hash_of(const struct thread_ids *t, struct str id)
{
	struct sip s = { t->k0 ^ UINT64_C(0x736f6d6570736575),
		t->k1 ^ UINT64_C(0x646f72616e646f6d),
		t->k0 ^ UINT64_C(0x6c7967656e657261),
		t->k1 ^ UINT64_C(0x7465646279746573) };
	uint64_t last = (uint64_t)id.n << 56, m;

	for (; id.n >= 8; id = str_from(id, 8)) {
		memcpy(&m, id.p, 8);
		s.v3 ^= m;
		thread_id_mix(&s);
		s.v0 ^= m;
	}
	for (size_t i = 0; i < id.n; i++)
		last |= (uint64_t)(unsigned char)id.p[i] << (8 * i);
	s.v3 ^= last;
	thread_id_mix(&s);
	s.v0 ^= last;
	s.v2 ^= 0xff;
	for (int i = 0; i < 3; i++)
		thread_id_mix(&s);
	m = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
	return (uint32_t)(m ^ m >> 32);
}

/* The index of the id, or of the free slot for it. */
static uint32_t
thread_id_place(const struct thread_ids *t, struct str id, uint32_t hash)
{
	uint32_t i = hash & (t->slots - 1);

	for (; t->slot[i] != 0; i = (i + 1) & (t->slots - 1)) {
		uint32_t at = t->slot[i] - 1;

		if (t->hash[at] == hash && str_eq(t->key[at], id))
			break;
	}
	return i;
}

/* Doubles the slots; at least a third of them stay free. */
static void
thread_id_widen(struct thread_ids *t)
{
	if (t->slots > UINT32_MAX / 4)
		err_bug("thread: too many ids");
	t->slots *= 2;
	t->slot = arena_array(t->a, t->slots, sizeof(*t->slot));
	for (uint32_t k = 0; k < t->n; k++) {
		uint32_t i = t->hash[k] & (t->slots - 1);

		if (t->key[k].n == 0)
			continue;
		while (t->slot[i] != 0)
			i = (i + 1) & (t->slots - 1);
		t->slot[i] = k + 1;
	}
}

static uint32_t
thread_id_push(struct thread_ids *t, struct str id, uint32_t hash)
{
	if (t->n == t->room) {
		t->key = arena_grow(t->a, t->key, t->room * sizeof(*t->key),
		    2UL * t->room * sizeof(*t->key));
		t->hash = arena_grow(t->a, t->hash, t->room * sizeof(*t->hash),
		    2UL * t->room * sizeof(*t->hash));
		t->room *= 2;
	}
	t->key[t->n] = id;
	t->hash[t->n] = hash;
	return t->n++;
}

void
thread_id_init(struct thread_ids *t, struct arena *a, size_t expected)
{
	uint64_t key[2];

	*t = (struct thread_ids){ .a = a, .room = 64, .slots = 128 };
	if (expected > UINT32_MAX / 8)
		err_bug("thread: too many messages");
	while (t->room < expected) {
		t->room *= 2;
		t->slots *= 2;
	}
	t->key = arena_array(a, t->room, sizeof(*t->key));
	t->hash = arena_array(a, t->room, sizeof(*t->hash));
	t->slot = arena_array(a, t->slots, sizeof(*t->slot));
	/* Without random bytes the key is still unpredictable. */
	if (getrandom(key, sizeof(key), GRND_NONBLOCK) != sizeof(key)) {
		key[0] = (uint64_t)clock_mono_ms();
		key[1] = (uint64_t)(uintptr_t)t->slot;
	}
	t->k0 = key[0];
	t->k1 = key[1];
}

uint32_t
thread_id_add(struct thread_ids *t, struct str id)
{
	uint32_t hash = thread_id_hash_of(t, id),
		 i = thread_id_place(t, id, hash);

	if (t->slot[i] != 0)
		return t->slot[i] - 1;
	if (t->n >= t->slots / 3 * 2) {
		thread_id_widen(t);
		i = thread_id_place(t, id, hash);
	}
	t->slot[i] = thread_id_push(t, id, hash) + 1;
	return t->slot[i] - 1;
}

uint32_t
thread_id_unnamed(struct thread_ids *t)
{
	return thread_id_push(t, (struct str){ 0 }, 0);
}

uint32_t
thread_id_find(const struct thread_ids *t, struct str id)
{
	return t->slot[thread_id_place(t, id, thread_id_hash_of(t, id))] - 1;
}
