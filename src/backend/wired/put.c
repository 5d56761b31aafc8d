/* SPDX-License-Identifier: Apache-2.0 */
/* Structs to bytes. */
#include <fcntl.h>
#include <sys/mman.h>

#include "backend/wired/internal.h"
#include "base/path.h"

void
wired_put_begin(struct wired_put *o, struct arena *a)
{
	*o = (struct wired_put){ .fd = -1 };
	buf_init(&o->b, a, LIMIT_FRAME_PART);
}

void
wired_put_close(struct wired_put *o)
{
	path_close(&o->fd);
}

/* Adds bytes to the file, after those that are in memory. */
static void
wired_put_to_file(struct wired_put *o, struct str bytes)
{
	if (o->fd < 0)
		o->fd = memfd_create("emcli-wired",
		    MFD_CLOEXEC | MFD_ALLOW_SEALING);
	o->filed += bytes.n;
	o->bad = o->bad || o->fd < 0 || o->filed > LIMIT_WIRED ||
	    path_write(o->fd, bytes) < 0;
}

static void
wired_put_bytes(struct wired_put *o, struct str bytes)
{
	if (o->bad)
		return;
	if (o->b.n + bytes.n > LIMIT_FRAME_PART) {
		wired_put_to_file(o, buf_view(&o->b));
		buf_reset(&o->b);
	}
	if (bytes.n > LIMIT_FRAME_PART)
		wired_put_to_file(o, bytes);
	else
		buf_str(&o->b, bytes);
}

void
wired_put_number(struct wired_put *o, uint64_t n)
{
	char out[10];
	size_t len = 0;

	do {
		out[len++] = (char)((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
		n >>= 7;
	} while (n > 0);
	wired_put_bytes(o, (struct str){ out, len });
}

static void
wired_put_capped(struct wired_put *o, uint64_t n, uint64_t max)
{
	o->bad = o->bad || n > max;
	wired_put_number(o, n);
}

static uint64_t
wired_put_load(const char *p, size_t size)
{
	uint8_t small;
	uint32_t word;
	uint64_t n;

	if (size == sizeof(small)) {
		memcpy(&small, p, sizeof(small));
		return small;
	}
	if (size == sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		return word;
	}
	memcpy(&n, p, sizeof(n));
	return n;
}

static void
wired_put_list(struct wired_put *o, const struct wired_field *f,
    const char *from)
{
	const char *item;
	size_t n;

	memcpy(&item, from + f->at, sizeof(item));
	memcpy(&n, from + f->n_at, sizeof(n));
	wired_put_capped(o, n, f->max);
	for (size_t i = 0; i < n && !o->bad; i++)
		wired_put(o, f->of, item + i * f->of->size);
}

/* A pointer: so far only to a struct. */
static void
wired_put_maybe(struct wired_put *o, const struct wired_field *f,
    const char *from)
{
	const void *to;

	memcpy(&to, from + f->at, sizeof(to));
	wired_put_number(o, to != NULL);
	if (to != NULL)
		wired_put(o, f->of, to);
}

static void
wired_put_field(struct wired_put *o, const struct wired_field *f,
    const char *from)
{
	uint64_t n;
	struct str s;

	switch (f->kind) {
	case WIRED_NUMBER:
		wired_put_capped(o, wired_put_load(from + f->at, f->size),
		    f->max);
		break;
	case WIRED_SIGNED:
		n = wired_put_load(from + f->at, f->size);
		wired_put_number(o, n << 1 ^ (n >> 63 ? UINT64_MAX : 0));
		break;
	case WIRED_TEXT:
		memcpy(&s, from + f->at, sizeof(s));
		wired_put_capped(o, s.n, f->max);
		wired_put_bytes(o, s);
		break;
	case WIRED_PART:
		wired_put(o, f->of, from + f->at);
		break;
	case WIRED_LIST:
		wired_put_list(o, f, from);
		break;
	case WIRED_MAYBE:
		wired_put_maybe(o, f, from);
		break;
	}
}

/* It calls itself as deep as shapes are in each other: four. */
void
wired_put(struct wired_put *o, const struct wired_shape *shape,
    const void *from)
{
	for (size_t i = 0; i < shape->n && !o->bad; i++)
		wired_put_field(o, &shape->field[i], from);
}
