/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index as a file: header, texts, rows, files.  The file is emcli's, but is
 * read like a stranger's: every offset is checked before use, and every row has
 * its own sum, so that opening costs the same for ten messages and for a
 * million.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "backend/mbox/internal.h"

static uint64_t
mbox_index_texts_n(const struct mbox_row *r)
{
	uint64_t n = 0;

	for (int i = 0; i < MBOX_TEXTS; i++)
		n += r->text_n[i];
	return n;
}

uint64_t
mbox_index_row_sum(const struct mbox_row *r, uint64_t place, const char *texts)
{
	struct mbox_row bare = *r;

	bare.sum = 0;
	return backend_sum(backend_sum(place, &bare, sizeof(bare)), texts,
	    mbox_index_texts_n(r));
}

/* The header with the table of files after the rows. */
static uint64_t
mbox_index_head_sum(const struct mbox_index *x)
{
	struct mbox_head bare = *x->head;

	bare.sum = 0;
	return backend_sum(backend_sum(0, &bare, sizeof(bare)), x->file,
	    bare.files * sizeof(*x->file));
}

/* Do its parts fill the file exactly?  No number is trusted. */
static bool
mbox_index_fits(const struct mbox_head *h, uint64_t n)
{
	uint64_t left = n - sizeof(*h);

	if (memcmp(h->magic, "emclmbox", 8) != 0 || h->version != 2 ||
	    h->row_n != sizeof(struct mbox_row) || h->bytes != n)
		return false;
	if (h->text_n > left || h->text_n % 8 != 0)
		return false;
	left -= h->text_n;
	if (h->rows > left / sizeof(struct mbox_row) ||
	    h->rows > LIMIT_MBOX_MESSAGES)
		return false;
	left -= h->rows * sizeof(struct mbox_row);
	return h->files <= LIMIT_MBOX_FILES &&
	    left == h->files * sizeof(struct mbox_file);
}

static bool
mbox_index_files_fit(const struct mbox_index *x)
{
	for (uint64_t i = 0; i < x->head->files; i++) {
		const struct mbox_file *f = &x->file[i];

		if (f->name_n >= sizeof(f->name) || f->last > x->head->rows ||
		    f->resume > f->size)
			return false;
	}
	return x->head->uidvalidity != 0;
}

bool
mbox_index_map(int fd, struct mbox_index *out)
{
	struct mbox_index x = { 0 };
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size < (off_t)sizeof(*x.head))
		return false;
	x.n = (size_t)st.st_size;
	p = mmap(NULL, x.n, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return false;
	x.map = p;
	x.head = p;
	if (mbox_index_fits(x.head, x.n)) {
		x.text = x.map + sizeof(*x.head);
		p = (char *)p + sizeof(*x.head) + x.head->text_n;
		x.row = p;
		p = (char *)p + x.head->rows * sizeof(*x.row);
		x.file = p;
		if (mbox_index_head_sum(&x) == x.head->sum &&
		    mbox_index_files_fit(&x)) {
			*out = x;
			return true;
		}
	}
	mbox_index_done(&x);
	return false;
}

void
mbox_index_done(struct mbox_index *x)
{
	void *p = NULL;

	/* munmap(2) takes a pointer to non-const. */
	memcpy(&p, &x->map, sizeof(p));
	if (p != NULL)
		(void)munmap(p, x->n);
	*x = (struct mbox_index){ 0 };
}

const struct mbox_row *
mbox_index_row(const struct mbox_index *x, uint64_t place)
{
	const struct mbox_row *r = &x->row[place];
	uint64_t n = mbox_index_texts_n(r);

	if (r->text_at > x->head->text_n || n > x->head->text_n - r->text_at ||
	    r->file >= x->head->files || r->head_n > LIMIT_MIME_HEAD + 1)
		return NULL;
	if (mbox_index_row_sum(r, place, x->text + r->text_at) != r->sum)
		return NULL;
	return r;
}

struct str
mbox_index_text(const struct mbox_index *x, const struct mbox_row *r,
    enum mbox_text which)
{
	const char *p = x->text + r->text_at;

	for (int i = 0; i < (int)which; i++)
		p += r->text_n[i];
	return (struct str){ p, r->text_n[which] };
}
