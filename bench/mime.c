/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses messages and decodes every part, text to UTF-8, with our reader and
 * with gmime: MB/s, best of three, files in memory.  With --torture each file
 * is read once by ours, in milliseconds.  Built and run by bench/mime.sh.
 */
#include <dirent.h>
#include <fcntl.h>
#include <gmime/gmime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "html/html.h"
#include "mime/message.h"

#define FILES_MAX 200000

struct file {
	char *p;
	size_t n;
	char name[256];
};

static struct file files[FILES_MAX];
static size_t files_n, files_bytes;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
load(const char *dir, const char *name)
{
	struct file *f = &files[files_n];
	char path[4096];
	long size;
	FILE *in;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	in = fopen(path, "rb");
	if (in == NULL || fseek(in, 0, SEEK_END) != 0 ||
	    (size = ftell(in)) <= 0 || fseek(in, 0, SEEK_SET) != 0) {
		if (in != NULL)
			(void)fclose(in);
		return;
	}
	f->p = malloc((size_t)size);
	if (f->p != NULL)
		f->n = fread(f->p, 1, (size_t)size, in);
	(void)fclose(in);
	(void)snprintf(f->name, sizeof(f->name), "%s", name);
	files_bytes += f->n;
	files_n++;
}

static void
load_all(const char *dir)
{
	struct dirent *d;
	DIR *in = opendir(dir);

	while (in != NULL && (d = readdir(in)) != NULL && files_n < FILES_MAX)
		if (d->d_name[0] != '.')
			load(dir, d->d_name);
	if (in != NULL)
		(void)closedir(in);
}

static size_t
ours(const struct file *f)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_message m;
	size_t sum = 0;

	mime_message_parse(a, (struct str){ f->p, f->n }, &m);
	for (size_t i = 0; i < m.n; i++) {
		const struct mime_part *p = &m.part[i];

		if (p->is_multipart || p->is_message)
			continue;
		if (str_starts(p->type, S("text/")))
			sum += mime_part_text(a, p).n;
		else
			sum += mime_part_decode(a, p).n;
	}
	return sum;
}

static void
theirs_part(GMimeObject *parent, GMimeObject *part, gpointer data)
{
	size_t *sum = data;

	(void)parent;
	if (GMIME_IS_TEXT_PART(part)) {
		char *s = g_mime_text_part_get_text(GMIME_TEXT_PART(part));

		if (s != NULL)
			*sum += strlen(s);
		g_free(s);
	} else if (GMIME_IS_PART(part)) {
		GMimeDataWrapper *w = g_mime_part_get_content(GMIME_PART(part));
		GMimeStream *out = g_mime_stream_mem_new();

		if (w != NULL) {
			ssize_t n = g_mime_data_wrapper_write_to_stream(w, out);

			*sum += n > 0 ? (size_t)n : 0;
		}
		g_object_unref(out);
	}
}

static size_t
theirs(const struct file *f)
{
	GMimeStream *in = g_mime_stream_mem_new_with_buffer(f->p, f->n);
	GMimeParser *parser = g_mime_parser_new_with_stream(in);
	GMimeMessage *m = g_mime_parser_construct_message(parser, NULL);
	size_t sum = 0;

	if (m != NULL) {
		g_mime_message_foreach(m, theirs_part, &sum);
		g_object_unref(m);
	}
	g_object_unref(parser);
	g_object_unref(in);
	return sum;
}

static double
measure(size_t (*read)(const struct file *), const char *who)
{
	double best = 1e9;
	size_t sum = 0;

	for (int k = 0; k < 3; k++) {
		double begin = now(), took;

		sum = 0;
		for (size_t i = 0; i < files_n; i++)
			sum += read(&files[i]);
		took = now() - begin;
		best = took < best ? took : best;
	}
	printf("%-6s %8.1f MB/s  %7.1f us a message  %zu bytes decoded\n", who,
	    (double)files_bytes / 1e6 / best, best * 1e6 / (double)files_n,
	    sum);
	return best;
}

/* All that `get` would do with it. */
static double
torture(const struct file *f)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str raw = { f->p, f->n };
	double begin = now();
	struct mime_envelope env;
	struct mime_message m;
	struct mime_reading r;
	struct html_found found = { 0 };

	if (strstr(f->name, ".html") != NULL) {
		(void)html_text(a, raw, LIMIT_MIME_TEXT, &found);
	} else {
		mime_message_parse(a, raw, &m);
		mime_reading_make(a, &m, &r);
		mime_envelope_parse(a, raw, &env);
	}
	return (now() - begin) * 1e3;
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(((const struct file *)x)->name,
	    ((const struct file *)y)->name);
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--torture") == 0) {
		load_all(argv[2]);
		qsort(files, files_n, sizeof(files[0]), by_name);
		for (size_t i = 0; i < files_n; i++)
			printf("%-28s %9zu bytes %9.2f ms\n", files[i].name,
			    files[i].n, torture(&files[i]));
		return 0;
	}
	for (int i = 1; i < argc; i++)
		load_all(argv[i]);
	if (files_n == 0) {
		(void)fprintf(stderr, "usage: mime [--torture] DIR...\n");
		return 2;
	}
	g_mime_init();
	printf("%zu messages, %.1f MB\n", files_n, (double)files_bytes / 1e6);
	printf("ratio  %8.1f\n",
	    measure(theirs, "gmime") / measure(ours, "ours"));
	return 0;
}
