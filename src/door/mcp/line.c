/* Lines from a descriptor, as long as a line may be and no longer. */
#include <errno.h>

#include "base/limits.h"
#include "door/mcp/internal.h"

enum {
	PIECE = 65536
};

/* What was handed out makes room; a buffer grown for one long line goes. */
static void
pack(struct mcp_line *l)
{
	if (l->from > 0 && l->n > l->from)
		memmove(l->p, l->p + l->from, l->n - l->from);
	l->n -= l->from;
	l->from = 0;
	if (l->n == 0 && l->room > 16UL * PIECE)
		mcp_line_close(l);
}

void
mcp_line_fill(struct mcp_line *l, int fd)
{
	ssize_t n;

	pack(l);
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

/* The end of a line that is left out: its rest is forgotten, bit by bit. */
static enum mcp_line_state
leave_out(struct mcp_line *l, const char *end)
{
	l->seen = 0;
	if (end == NULL) {
		l->drop = !l->end;
		l->from = l->n;
		return l->end ? MCP_LINE_LONG : MCP_LINE_NONE;
	}
	l->drop = false;
	l->from = (size_t)(end - l->p) + 1;
	return MCP_LINE_LONG;
}

enum mcp_line_state
mcp_line_next(struct mcp_line *l, struct str *out)
{
	size_t left = l->n - l->from, at = l->from + l->seen;
	const char *end = NULL;

	if (l->n > at)
		end = memchr(l->p + at, '\n', l->n - at);
	if (l->drop && (end != NULL || left > 0 || l->end))
		return leave_out(l, end);
	if (end == NULL && left > LIMIT_MCP_LINE)
		return leave_out(l, NULL);
	if (end == NULL && !(l->end && left > 0)) {
		l->seen = left;
		return MCP_LINE_NONE;
	}
	if (end != NULL)
		left = (size_t)(end - l->p) - l->from;
	if (left > LIMIT_MCP_LINE)
		return leave_out(l, end);
	*out = (struct str){ l->p + l->from, left };
	l->from += left + (end != NULL);
	l->seen = 0;
	return MCP_LINE_WHOLE;
}

void
mcp_line_close(struct mcp_line *l)
{
	free(l->p);
	l->p = NULL;
	l->n = l->from = l->room = l->seen = 0;
}
