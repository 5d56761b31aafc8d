/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of the messages named, in their order, as the thread engine sees
 * them: a line each, members by their place from 1, in any order.  For
 * tests/e2e/test_threads.py, which asks a server the same.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "mime/message.h"
#include "source/thread.h"

static bool
read_message(struct arena *a, const char *path, struct thread_in *out)
{
	CLEANUP(path_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct mime_envelope v;
	struct err e = { 0 };
	struct str raw;

	if (fd < 0 || path_read(fd, LIMIT_MESSAGE, a, &raw, &e) < 0)
		return false;
	mime_envelope_parse(a, raw, &v);
	*out = (struct thread_in){ .message_id = v.message_id,
		.references = v.references,
		.date_s = v.date_s,
		.has_date = v.has_date,
		.sha256 = str_of(path) };
	if (v.in_reply_to.n > 0)
		out->in_reply_to = v.in_reply_to.v[0];
	return true;
}

int
main(int argc, char **argv)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	size_t n = argc > 0 ? (size_t)argc - 1 : 0;
	struct thread_in *in = arena_array(a, n, sizeof(*in));
	struct threads t;

	for (size_t i = 0; i < n; i++) {
		if (!read_message(a, argv[i + 1], &in[i])) {
			(void)fprintf(stderr, "%s cannot be read\n",
			    argv[i + 1]);
			return 1;
		}
	}
	thread_make(a, in, n, &t);
	for (size_t i = 0; i < t.n; i++)
		for (size_t k = 0; k < t.v[i].n; k++)
			(void)printf("%zu%c", t.v[i].member[k] + 1,
			    k + 1 < t.v[i].n ? ' ' : '\n');
	return 0;
}
