/* SPDX-License-Identifier: Apache-2.0 */
/* A host's bytes in pieces of any size: the lines that come out of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "door/lines.h"

/* Writes the text in pieces, reads the lines, as "one|two|". */
static void
through(const char *text, size_t piece, char *out)
{
	struct lines l = { .max = LIMIT_MCP_LINE };
	size_t n = strlen(text), at = 0;
	struct str line;
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	*out = '\0';
	while (!l.end) {
		size_t w = n - at < piece ? n - at : piece;

		if (w == 0)
			assert_int_equal(close(fd[1]), 0);
		else
			assert_int_equal(write(fd[1], text + at, w), w);
		at += w;
		lines_fill(&l, fd[0]);
		while (lines_next(&l, &line) == LINES_WHOLE)
			out += snprintf(out, 20, "%.*s|", STR_ARG(line));
	}
	lines_close(&l);
	(void)close(fd[0]);
}

static void
test_pieces(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "" },
		{ "\n", "|" },
		{ "one\ntwo\n", "one|two|" },
		{ "one\n\ntwo", "one||two|" },
	};
	char out[100];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t piece = 1; piece < 10; piece++) {
			through(rows[i].text, piece, out);
			assert_string_equal(out, rows[i].want);
		}
}

/* A line that is too long is reported once, and the next is complete. */
static void
test_long(void **state)
{
	static const size_t sizes[] = { LIMIT_MCP_LINE, LIMIT_MCP_LINE + 1,
		2 * LIMIT_MCP_LINE };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char *text = malloc(sizes[i] + 3);
		FILE *f = tmpfile();
		struct lines l = { .max = LIMIT_MCP_LINE };
		enum lines_state s, seen[3] = { 0 };
		struct str line = { 0 };
		size_t n = 0;

		memset(text, 'x', sizes[i]);
		memcpy(text + sizes[i], "\ny\n", 3);
		assert_int_equal(fwrite(text, 1, sizes[i] + 3, f),
		    sizes[i] + 3);
		assert_int_equal(fflush(f), 0);
		assert_int_equal(lseek(fileno(f), 0, SEEK_SET), 0);
		while (!l.end) {
			lines_fill(&l, fileno(f));
			while ((s = lines_next(&l, &line)) != LINES_NONE) {
				assert_true(n < 3);
				seen[n++] = s;
			}
		}
		assert_int_equal(n, 2);
		assert_int_equal(seen[0], i == 0 ? LINES_WHOLE : LINES_LONG);
		assert_int_equal(seen[1], LINES_WHOLE);
		assert_int_equal(line.n, 1);
		lines_close(&l);
		(void)fclose(f);
		free(text);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
