/* SPDX-License-Identifier: Apache-2.0 */
/* Headers: those of a page go to the reader together. */
#include "reader/internal.h"

/* Of what a message begins with, all that the parser of headers looks at. */
static struct str
reader_heads_cut(struct str head)
{
	/* A line of an mbox before it may have any length. */
	if (str_starts(head, S("From ")))
		return head;
	/* One line end beyond tells that there is more. */
	return str_first(head, LIMIT_MIME_HEAD + 2);
}

static void
reader_heads_ask(struct arena *a, struct str bytes, size_t *size, size_t n,
    struct str authserv_id, struct str *said)
{
	struct reader_ask q = { .verb = READER_HEADS,
		.bytes = bytes,
		.head = size,
		.heads = n,
		.label = authserv_id };
	struct reader_answer r = { 0 };

	reader_ask_for(a, &q, &r);
	memcpy(said, r.heads.v, n * sizeof(*said));
}

/* As many as may go together; at least one is not too long for that. */
static size_t
reader_heads_some(struct arena *a, const struct str *head, size_t n,
    struct str authserv_id, struct str *said)
{
	size_t size[LIMIT_PAGE], k = 0;
	struct buf b;

	buf_init(&b, a, LIMIT_READER_HEADS);
	for (; k < n && k < LIMIT_PAGE; k++) {
		struct str cut = reader_heads_cut(head[k]);

		if (cut.n > LIMIT_READER_HEADS - b.n)
			break;
		size[k] = cut.n;
		buf_str(&b, cut);
	}
	reader_heads_ask(a, buf_view(&b), size, k, authserv_id, said);
	return k;
}

void
reader_heads(struct arena *a, const struct str *head, size_t n,
    struct str authserv_id, struct str *said)
{
	for (size_t i = 0; i < n;) {
		if (reader_heads_cut(head[i]).n > LIMIT_READER_HEADS)
			said[i++] = S(""); /* asked for when it is read */
		else
			i += reader_heads_some(a, head + i, n - i, authserv_id,
			    said + i);
	}
}

void
reader_heads_one(struct arena *a, struct str head, struct str said,
    struct str authserv_id, struct mime_head *out)
{
	struct str cut = reader_heads_cut(head);

	if (cut.n > LIMIT_MESSAGE)
		cut.n = LIMIT_MESSAGE;
	if (said.n == 0)
		reader_heads_ask(a, cut, &cut.n, 1, authserv_id, &said);
	if (!reader_verb_head(a, cut, said, out))
		reader_get_lost();
}
