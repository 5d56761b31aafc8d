/* SPDX-License-Identifier: Apache-2.0 */
/* Lines from a descriptor, with a maximum length. */
#include "door/lines.h"

#include <errno.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PIECE = 65536
};

/* Removes what was returned; frees a buffer that grew for one long line. */
static void
lines_pack(struct lines *l)
{
	if (l->from > 0 && l->n > l->from)
		memmove(l->p, l->p + l->from, l->n - l->from);
	l->n -= l->from;
	l->from = 0;
	if (l->n == 0 && l->room > 16UL * PIECE)
		lines_close(l);
}

void
lines_fill(struct lines *l, int fd)
{
	ssize_t n;

	lines_pack(l);
	if (l->room - l->n < PIECE) {
		size_t room = l->room > 0 ? 2 * l->room : 2UL * PIECE;
		char *p = realloc(l->p, room);

		if (p == NULL)
			err_bug("out of memory");
		l->p = p;
		l->room = room;
	}
	do
		n = read(fd, l->p + l->n, PIECE);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		l->n += (size_t)n;
	else
		l->end = true;
}

/* Drops a line that is too long, piece by piece to its end. */
static enum lines_state
lines_leave_out(struct lines *l, const char *end)
{
	l->seen = 0;
	if (end == NULL) {
		l->drop = !l->end;
		l->from = l->n;
		return l->end ? LINES_LONG : LINES_NONE;
	}
	l->drop = false;
	l->from = (size_t)(end - l->p) + 1;
	return LINES_LONG;
}

enum lines_state
lines_next(struct lines *l, struct str *out)
{
	size_t left = l->n - l->from, at = l->from + l->seen;
	const char *end = NULL;

	if (l->n > at)
		end = memchr(l->p + at, '\n', l->n - at);
	if (l->drop && (end != NULL || left > 0 || l->end))
		return lines_leave_out(l, end);
	if (end == NULL && left > l->max)
		return lines_leave_out(l, NULL);
	if (end == NULL && !(l->end && left > 0)) {
		l->seen = left;
		return LINES_NONE;
	}
	if (end != NULL)
		left = (size_t)(end - l->p) - l->from;
	if (left > l->max)
		return lines_leave_out(l, end);
	*out = (struct str){ l->p + l->from, left };
	l->from += left + (end != NULL);
	l->seen = 0;
	return LINES_WHOLE;
}

void
lines_close(struct lines *l)
{
	free(l->p);
	l->p = NULL;
	l->n = l->from = l->room = l->seen = 0;
}
