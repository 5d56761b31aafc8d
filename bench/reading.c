/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For bench/divergence.py.  With --messages: both texts of each message named
 * on standard input, a path a line, as a line of JSON.  With --pairs: whether
 * the two texts of each file named there, with a NUL between them, say the
 * same: "meaning", "wording" or "same" a line.  Built by bench/reading.sh.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/path.h"
#include "mime/internal.h"

static int
put_texts(struct arena *a, const char *path, struct str raw)
{
	struct json *j = json_new(a);
	struct mime_message m;
	struct mime_reading plain, html, as_is;

	mime_message_parse(a, raw, &m);
	mime_reading_as(a, &m, MIME_PART_PLAIN, &plain);
	mime_reading_as(a, &m, MIME_PART_HTML, &html);
	mime_reading_as(a, &m, MIME_PART_AUTO, &as_is);
	json_open_object(j, NULL);
	json_put_text(j, "path", path);
	json_put_bool(j, "divergent", as_is.divergent);
	json_put_bool(j, "both", !plain.from_html && html.from_html);
	json_put_str(j, "plain", plain.text);
	json_put_str(j, "html", html.text);
	json_close_object(j);
	return json_write(j, STDOUT_FILENO) < 0 ||
	    write(STDOUT_FILENO, "\n", 1) != 1;
}

static int
put_verdict(struct str raw)
{
	static const char *const name[] = {
		[DIVERGE_MEANING] = "meaning",
		[DIVERGE_WORDING] = "wording",
		[DIVERGE_SAME] = "same",
	};
	struct str plain, html;

	if (!str_cut(raw, '\0', &plain, &html))
		return 1;
	return puts(name[diverge_judge(plain, html)]) < 0;
}

static int
read_one(const char *path, bool pairs)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct err e = { 0 };
	struct str raw;

	if (fd < 0 || path_read(fd, LIMIT_MESSAGE, a, &raw, &e) < 0) {
		(void)fprintf(stderr, "cannot read %s\n", path);
		return 1;
	}
	return pairs ? put_verdict(raw) : put_texts(a, path, raw);
}

int
main(int argc, char **argv)
{
	bool pairs = argc == 2 && strcmp(argv[1], "--pairs") == 0;
	char line[4096];
	int bad = 0;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		bad |= read_one(line, pairs);
	}
	return bad;
}
