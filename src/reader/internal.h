#ifndef READER_INTERNAL_H
#define READER_INTERNAL_H

/* Between the reader and its caller; both are one program on one machine. */
#include "base/buf.h"
#include "base/limits.h"
#include "ipc/ipc.h"
#include "reader/reader.h"

/*
 * Before a page: its bytes, the most bytes that its text may have, and 1 if it
 * is UTF-8, as its text is then.
 */
struct reader_ask {
	uint64_t page, max, utf8;
};

/* What a page says. */
struct reader_said {
	struct str text;
	struct html_found found;
};

/* put.c: as bytes. */
void reader_put(struct buf *b, const struct reader_said *s);
/*
 * take.c: back, as views into the bytes.  False: they are not what a reader
 * sends of such a page.
 */
bool reader_take(struct str bytes, const struct reader_ask *ask,
    struct arena *a, struct reader_said *out);

/* nursery.c: gives readers to its caller, until that has ended. */
_Noreturn void reader_nursery(int fd);
/* child.c: answers until its caller has ended. */
_Noreturn void reader_child(int fd);
/* Exactly n bytes; false: the end, or an error. */
bool reader_child_read(int fd, void *out, size_t n);

#endif
