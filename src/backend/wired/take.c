/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes to structs.  They come from a process that somebody may have taken
 * over: a list has no more items than bytes are left for, and no more than its
 * cap; a number fits, and has no longer form than it needs.
 */
#include "backend/wired/internal.h"

struct wired_take
wired_take_begin(struct str bytes, struct arena *a)
{
	return (struct wired_take){
		.p = (const unsigned char *)bytes.p,
		.n = bytes.n,
		.a = a,
	};
}

bool
wired_take_end(const struct wired_take *in)
{
	return !in->bad && in->n == 0;
}

uint64_t
wired_take_number(struct wired_take *in, uint64_t max)
{
	uint64_t n = 0;

	for (unsigned shift = 0; !in->bad; shift += 7) {
		unsigned char c;

		if (in->n == 0 || shift > 63)
			break;
		c = *in->p++;
		in->n--;
		n |= (uint64_t)(c & 0x7f) << shift;
		if (c & 0x80)
			continue;
		/* The tenth byte has one bit, and no last byte is 0. */
		if (n > max || (shift == 63 && c > 1) || (shift > 0 && c == 0))
			break;
		return n;
	}
	in->bad = true;
	return 0;
}

static void
wired_take_store(char *p, size_t size, uint64_t n)
{
	uint8_t small = (uint8_t)n;
	uint32_t word = (uint32_t)n;

	if (size == sizeof(small))
		memcpy(p, &small, sizeof(small));
	else if (size == sizeof(word))
		memcpy(p, &word, sizeof(word));
	else
		memcpy(p, &n, sizeof(n));
}

static struct str
wired_take_text(struct wired_take *in, uint64_t max)
{
	uint64_t n = wired_take_number(in, max);
	struct str s = { (const char *)in->p, (size_t)n };

	if (in->bad || n > in->n) {
		in->bad = true;
		return S("");
	}
	in->p += n;
	in->n -= (size_t)n;
	return s;
}

static void
wired_take_list(struct wired_take *in, const struct wired_field *f, char *to)
{
	uint64_t n = wired_take_number(in, f->max);
	size_t count = 0;
	char *item;

	/* Each field of an item is a byte at least. */
	if (in->bad || n > in->n / f->of->n) {
		in->bad = true;
		return;
	}
	item = arena_array(in->a, (size_t)n, f->of->size);
	while (count < n && !in->bad)
		wired_take(in, f->of, item + f->of->size * count++);
	memcpy(to + f->at, &item, sizeof(item));
	memcpy(to + f->n_at, &count, sizeof(count));
}

static void
wired_take_maybe(struct wired_take *in, const struct wired_field *f, char *to)
{
	void *one;

	if (wired_take_number(in, 1) == 0)
		return;
	one = arena_alloc(in->a, f->of->size);
	wired_take(in, f->of, one);
	memcpy(to + f->at, &one, sizeof(one));
}

static void
wired_take_field(struct wired_take *in, const struct wired_field *f, char *to)
{
	uint64_t n;
	struct str s;

	switch (f->kind) {
	case WIRED_NUMBER:
		n = wired_take_number(in, f->max);
		wired_take_store(to + f->at, f->size, n);
		break;
	case WIRED_SIGNED:
		n = wired_take_number(in, UINT64_MAX);
		n = n >> 1 ^ (n & 1 ? UINT64_MAX : 0);
		wired_take_store(to + f->at, f->size, n);
		break;
	case WIRED_TEXT:
		s = wired_take_text(in, f->max);
		memcpy(to + f->at, &s, sizeof(s));
		break;
	case WIRED_PART:
		wired_take(in, f->of, to + f->at);
		break;
	case WIRED_LIST:
		wired_take_list(in, f, to);
		break;
	case WIRED_MAYBE:
		wired_take_maybe(in, f, to);
		break;
	}
}

/* It calls itself as deep as shapes are in each other, whatever arrives. */
void
wired_take(struct wired_take *in, const struct wired_shape *shape, void *to)
{
	for (size_t i = 0; i < shape->n && !in->bad; i++)
		wired_take_field(in, &shape->field[i], to);
}
