/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of a folder's files as a file beside the store: header, rows by id,
 * their order of arrival, names.  The file is emcli's, but is read like a
 * stranger's: every offset is checked before use, and every row has its own
 * sum, so that opening costs the same for ten messages and for a million.
 */
#include <limits.h>

#include "backend/maildir/internal.h"
#include "net/sha256.h"

struct maildir_listing_row {
	uint64_t text_at, secs;
	int64_t mtime_ns;
	uint64_t sum; /* of all of this, its index and its name */
	uint32_t name_n, id_n, in_new, nothing;
};

#define MAGIC "emclmlst"
#define VERSION 1

static uint64_t
maildir_listing_row_sum(const struct maildir_listing_row *r, size_t place,
    const char *name)
{
	struct maildir_listing_row bare = *r;

	bare.sum = 0;
	return backend_sum(backend_sum(place, &bare, sizeof(bare)), name,
	    r->name_n);
}

static uint64_t
maildir_listing_head_sum(const struct maildir_listing_head *h)
{
	struct maildir_listing_head bare = *h;

	bare.sum = 0;
	return backend_sum(0, &bare, sizeof(bare));
}

static uint64_t
order_sum(const uint32_t *order, size_t n)
{
	return backend_sum(n, order, n * sizeof(*order));
}

/* Do its parts fill the file exactly?  No number is trusted. */
static bool
maildir_listing_is_good(struct str map)
{
	const size_t each =
	    sizeof(struct maildir_listing_row) + sizeof(uint32_t);
	struct maildir_listing_head h;
	size_t left;

	if (map.n < sizeof(h))
		return false;
	memcpy(&h, map.p, sizeof(h));
	left = map.n - sizeof(h);
	return memcmp(h.magic, MAGIC, 8) == 0 && h.version == VERSION &&
	    h.row_n == sizeof(struct maildir_listing_row) &&
	    h.sum == maildir_listing_head_sum(&h) &&
	    h.n <= LIMIT_MAILDIR_FILES && left / each >= h.n &&
	    left - h.n * each == h.text_n;
}

bool
maildir_listing_load(struct maildir *m, struct maildir_listing *out)
{
	struct maildir_listing x = { 0 };
	const void *p;

	if (!maildir_cache_map(m, "names", &x.map))
		return false;
	if (!maildir_listing_is_good(x.map)) {
		maildir_cache_unmap(&x.map);
		return false;
	}
	p = x.map.p;
	x.head = p;
	p = x.head + 1;
	x.row = p;
	p = x.row + x.head->n;
	x.order = p;
	p = x.order + x.head->n;
	x.text = p;
	*out = x;
	return true;
}

void
maildir_listing_drop(struct maildir_listing *x)
{
	maildir_cache_unmap(&x->map);
	*x = (struct maildir_listing){ 0 };
}

bool
maildir_listing_at(const struct maildir_listing *x, size_t place,
    struct maildir_file *out)
{
	const struct maildir_listing_row *r = &x->row[place];
	uint64_t all = x->head->text_n;

	if (r->text_at > all || r->name_n > all - r->text_at ||
	    r->name_n > NAME_MAX || r->id_n > r->name_n ||
	    r->sum != maildir_listing_row_sum(r, place, x->text + r->text_at))
		return false;
	*out = (struct maildir_file){
		.name = { x->text + r->text_at, r->name_n },
		.in_new = r->in_new != 0,
		.secs = r->secs,
		.mtime_ns = r->mtime_ns,
		.seq = place,
	};
	out->id = str_first(out->name, r->id_n);
	return true;
}

bool
maildir_listing_order(const struct maildir_listing *x, struct arena *a,
    struct strs *ids)
{
	struct maildir_file f;

	if (order_sum(x->order, x->head->n) != x->head->order_sum)
		return false;
	for (size_t i = 0; i < x->head->n; i++) {
		if (x->order[i] >= x->head->n ||
		    !maildir_listing_at(x, x->order[i], &f))
			return false;
		ids->v[i] = str_dup(a, f.id);
	}
	ids->n = x->head->n;
	return true;
}

static struct str
as_text(struct arena *a, const uint64_t d[4])
{
	return str_fmt(a, "%016jx%016jx%016jx%016jx", (uintmax_t)d[0],
	    (uintmax_t)d[1], (uintmax_t)d[2], (uintmax_t)d[3]);
}

struct str
maildir_listing_digest(const struct maildir_listing *x, struct arena *a)
{
	return as_text(a, x->head->digest);
}

/* No id contains a "/", so different lists have different bytes. */
static void
maildir_listing_digest_of(const struct maildir_file *order, size_t n,
    uint64_t out[4])
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	unsigned char sum[32];
	struct buf b;

	buf_init(&b, a, LIMIT_ARENA / 2);
	for (size_t i = 0; i < n; i++) {
		buf_str(&b, order[i].id);
		buf_char(&b, '/');
	}
	sha256_of(buf_view(&b), sum);
	memcpy(out, sum, sizeof(sum));
}

/* The file's bytes; fills in everything except the header. */
static struct str
maildir_listing_pack(const struct maildir_index *x,
    const struct maildir_file *order, struct maildir_listing_head *h,
    struct arena *a)
{
	struct maildir_listing_row *row;
	uint32_t *nth;
	size_t size;
	char *p, *text;

	for (size_t i = 0; i < x->n; i++)
		h->text_n += x->v[i].name.n;
	size = sizeof(*h) + x->n * (sizeof(*row) + sizeof(*nth)) + h->text_n;
	p = arena_alloc(a, size);
	row = (void *)(p + sizeof(*h));
	nth = (void *)(row + x->n);
	text = (char *)(nth + x->n);
	for (size_t i = 0, at = 0; i < x->n; i++) {
		const struct maildir_file *f = &x->v[i];

		memcpy(text + at, f->name.p, f->name.n);
		row[i] = (struct maildir_listing_row){
			.text_at = at,
			.secs = f->secs,
			.mtime_ns = f->mtime_ns,
			.name_n = (uint32_t)f->name.n,
			.id_n = (uint32_t)f->id.n,
			.in_new = f->in_new,
		};
		row[i].sum = maildir_listing_row_sum(&row[i], i, text + at);
		at += f->name.n;
		nth[i] = (uint32_t)order[i].seq;
	}
	h->order_sum = order_sum(nth, x->n);
	h->sum = maildir_listing_head_sum(h);
	memcpy(p, h, sizeof(*h));
	return (struct str){ p, size };
}

struct str
maildir_listing_save(struct maildir *m, const struct maildir_file *order,
    struct arena *a)
{
	const struct maildir_index *x = &m->index;
	CLEANUP(arena_close) struct arena *scratch = NULL;
	struct maildir_listing_head h = {
		.version = VERSION,
		.row_n = sizeof(struct maildir_listing_row),
		.n = x->n,
		.view = x->view,
	};

	if (x->n < MAILDIR_FEW)
		return S("");
	memcpy(h.magic, MAGIC, 8);
	maildir_listing_digest_of(order, x->n, h.digest);
	/* A listing that cannot be trusted later is not written. */
	if (x->quiet && maildir_trust_settled(&x->view)) {
		scratch = arena_open(LIMIT_ARENA);
		maildir_cache_put(m, "names",
		    maildir_listing_pack(x, order, &h, scratch));
	}
	return as_text(a, h.digest);
}
