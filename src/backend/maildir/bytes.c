/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an open message. */
#include "backend/maildir/internal.h"

#define CHUNK 8192

static int
maildir_bytes_unreadable(struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "a message cannot be read");
	return err_errno(e, "read");
}

int
maildir_bytes_first(int fd, const struct stat *st, size_t max, struct arena *a,
    struct str *out, struct err *e)
{
	size_t n = (uint64_t)st->st_size < max ? (size_t)st->st_size : max;
	char *p = arena_alloc(a, n);
	ssize_t got = path_read_at(fd, p, n, 0);

	if (got < 0)
		return maildir_bytes_unreadable(e);
	*out = (struct str){ p, (size_t)got };
	return 0;
}

/*
 * The end of the header, after its last line's end: the empty line, ended by LF
 * or CRLF (RFC 5322 section 2.1).  Searches from byte `from` on, which is the
 * beginning of the text or follows a byte; -1: not found.
 */
static ptrdiff_t
maildir_bytes_head_end(struct str s, size_t from)
{
	size_t i = from;

	if (from == 0 && (str_starts(s, S("\n")) || str_starts(s, S("\r\n"))))
		return 0;
	while (i < s.n) {
		const char *lf = memchr(s.p + i, '\n', s.n - i);
		struct str rest;

		if (lf == NULL)
			return -1;
		i = (size_t)(lf - s.p) + 1;
		rest = str_from(s, i);
		if (str_starts(rest, S("\n")) || str_starts(rest, S("\r\n")))
			return (ptrdiff_t)i;
	}
	return -1;
}

int
maildir_bytes_head(int fd, struct arena *a, struct str *out, struct err *e)
{
	/* One byte over the cap shows the reader that there was more. */
	const size_t max = LIMIT_MIME_HEAD + 1;
	size_t n = 0, room = 0;
	char *p = NULL;

	while (n < max) {
		size_t want = room < CHUNK ? CHUNK : room * 2;
		ptrdiff_t end;
		ssize_t got;

		want = want < max ? want : max;
		p = arena_grow(a, p, room, want);
		room = want;
		got = path_read_at(fd, p + n, room - n, (off_t)n);
		if (got < 0)
			return maildir_bytes_unreadable(e);
		/* The end may cross the boundary of old and new bytes. */
		end = maildir_bytes_head_end((struct str){ p, n + (size_t)got },
		    n > 2 ? n - 2 : 0);
		if (end >= 0) {
			*out = (struct str){ p, (size_t)end };
			return 0;
		}
		n += (size_t)got;
		if (n < room)
			break;
	}
	*out = (struct str){ p, n };
	return 0;
}
