/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the HTML files named on standard input, a path a line, and prints for
 * each a line of JSON: the text, how long one reading took, and what was found.
 * tests/e2e/test_html.py compares that with what a browser shows.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/path.h"
#include "html/html.h"

#define READINGS 5 /* the fastest counts */

static double
now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double
time_us(struct str html)
{
	double best = 1e12;

	for (int k = 0; k < READINGS; k++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct html_found found = { 0 };
		double begin = now_us(), took;

		(void)html_text(a, html, LIMIT_MIME_TEXT, &found);
		took = now_us() - begin;
		best = took < best ? took : best;
	}
	return best;
}

static int
read_one(const char *path)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(path_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct json *j = json_new(a);
	struct html_found found = { 0 };
	struct err e = { 0 };
	struct str raw;

	if (fd < 0 || path_read(fd, LIMIT_MESSAGE, a, &raw, &e) < 0) {
		(void)fprintf(stderr, "cannot read %s\n", path);
		return 1;
	}
	json_open_object(j, NULL);
	json_put_text(j, "path", path);
	json_put_int(j, "us", (int64_t)time_us(raw) + 1);
	json_put_str(j, "text", html_text(a, raw, LIMIT_MIME_TEXT, &found));
	json_open_array(j, "hidden");
	for (size_t i = 0; i < HTML_HIDDENS; i++)
		json_put_int(j, NULL, (int64_t)found.hidden[i]);
	json_close_array(j);
	json_open_array(j, "links");
	for (size_t i = 0; i < found.links; i++)
		json_put_str(j, NULL, found.link[i].url);
	json_close_array(j);
	json_open_array(j, "texts");
	for (size_t i = 0; i < found.links; i++)
		json_put_str(j, NULL, found.link[i].text);
	json_close_array(j);
	json_close_object(j);
	if (json_write(j, STDOUT_FILENO) < 0 ||
	    write(STDOUT_FILENO, "\n", 1) != 1)
		return 1;
	return 0;
}

int
main(void)
{
	char line[4096];
	int bad = 0;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		bad |= read_one(line);
	}
	return bad;
}
