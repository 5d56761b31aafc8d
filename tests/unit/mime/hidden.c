/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages of tests/mail/html/.  The header of each lists words that a
 * person sees, words that nobody sees, and the expected warnings.  Run from the
 * project's root.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "mime/message.h"

#define DIR_NAME "tests/mail/html"
#define MAX 400
#define MIN 100 /* a folder without its messages must not pass */

static const char *const codes[HTML_HIDDENS] = {
	[HTML_HIDDEN_DISPLAY] = "hidden_display",
	[HTML_HIDDEN_VISIBILITY] = "hidden_visibility",
	[HTML_HIDDEN_SIZE] = "hidden_size",
	[HTML_HIDDEN_COLOUR] = "hidden_colour",
	[HTML_HIDDEN_POSITION] = "hidden_position",
	[HTML_HIDDEN_ATTRIBUTE] = "hidden_attribute",
	[HTML_HIDDEN_COMMENT] = "hidden_comment",
	[HTML_HIDDEN_ALT] = "hidden_alt",
	[HTML_HIDDEN_UNKNOWN] = "style_unknown",
};

static struct str
load(struct arena *a, const char *name)
{
	CLEANUP(path_close) int fd = -1;
	struct str path = str_fmt(a, "%s/%s", DIR_NAME, name), raw = S("");
	struct err e = { 0 };

	fd = open(path.p, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || path_read(fd, 1 << 20, a, &raw, &e) < 0)
		fail_msg("cannot read %s", path.p);
	return raw;
}

static struct str
field(struct arena *a, const struct mime_message *m, const char *name)
{
	const struct mime_field *f =
	    mime_header_get(&m->part[0].header, name, 0);

	assert_non_null(f);
	return str_trim(mime_header_text(a, f->value));
}

/* The codes, each once; a "+" after one that occurred more than once. */
static struct str
warnings(struct arena *a, const struct html_found *f)
{
	size_t mismatches = 0;
	struct buf b;

	buf_init(&b, a, 1000);
	for (size_t i = 0; i < HTML_HIDDENS; i++)
		if (f->hidden[i] > 0)
			buf_fmt(&b, " %s", codes[i]);
	for (size_t i = 0; i < f->links; i++)
		mismatches += f->link[i].mismatch;
	if (mismatches > 0)
		buf_text(&b, " link_mismatch");
	if (f->tracking > 0)
		buf_text(&b, " tracking_image");
	return str_trim(buf_view(&b));
}

/* Do both have the same words, in any order? */
static bool
same_words(struct str x, struct str y)
{
	struct str rest = x, one;
	bool more = true;

	while (more) {
		more = str_cut(rest, ' ', &one, &rest);
		if (str_find(y, one) < 0)
			return false;
	}
	return x.n == y.n;
}

static void
reads(void **state)
{
	const char *name = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 24);
	struct html_found found = { 0 };
	struct mime_message m;
	struct str seen, unseen, text, warn;

	mime_message_parse(a, load(a, name), &m);
	assert_true(field(a, &m, "X-Why").n > 0);
	seen = field(a, &m, "X-Seen");
	unseen = field(a, &m, "X-Unseen");
	text = html_text(a, mime_part_text(a, &m.part[0]), 1 << 20, &found);
	if (str_find(text, seen) < 0)
		fail_msg("lost: %s", str_c(a, text));
	if (unseen.n > 0 && str_find(text, unseen) >= 0)
		fail_msg("shown: %s", str_c(a, text));
	warn = warnings(a, &found);
	if (!same_words(field(a, &m, "X-Warn"), warn))
		fail_msg("warned of: %s", str_c(a, warn));
}

static int
is_message(const struct dirent *d)
{
	return str_ends(str_of(d->d_name), S(".eml"));
}

int
main(void)
{
	static struct CMUnitTest tests[MAX];
	struct dirent **list = NULL;
	int n = scandir(DIR_NAME, &list, is_message, alphasort), failed;

	if (n < MIN || n > MAX)
		return 1;
	for (int i = 0; i < n; i++) {
		tests[i].name = list[i]->d_name;
		tests[i].test_func = reads;
		tests[i].initial_state = list[i]->d_name;
	}
	failed = _cmocka_run_group_tests("mime/hidden", tests, (size_t)n, NULL,
	    NULL);
	while (n > 0)
		free(list[--n]);
	free(list);
	return failed;
}
