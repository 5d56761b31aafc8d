/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads HTML with our reader: MB/s, best of forty, files in memory, time of
 * the processor.  With --torture each file is read once, in milliseconds. Built
 * and run by bench/html.sh.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "html/html.h"

#define FILES_MAX 10000
#define ROUNDS 40

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

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
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

/* Seconds for all of them; *sum is what came out. */
static double
read_all(size_t first, size_t n, size_t *sum)
{
	double begin = now();

	for (size_t i = first; i < first + n; i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct html_found found = { 0 };

		*sum += html_text(a, (struct str){ files[i].p, files[i].n },
		    LIMIT_MIME_TEXT, &found)
			    .n;
	}
	return now() - begin;
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
	bool torture = argc == 3 && strcmp(argv[1], "--torture") == 0;
	double best = 1e9;
	size_t sum = 0;
	struct dirent *d;
	DIR *in = opendir(argc > 1 ? argv[argc - 1] : ".");

	while (in != NULL && (d = readdir(in)) != NULL && files_n < FILES_MAX)
		if (d->d_name[0] != '.')
			load(argv[argc - 1], d->d_name);
	if (in == NULL || files_n == 0) {
		(void)fprintf(stderr, "usage: html [--torture] DIR\n");
		return 2;
	}
	(void)closedir(in);
	qsort(files, files_n, sizeof(files[0]), by_name);
	for (size_t i = 0; torture && i < files_n; i++)
		printf("%-28s %9zu bytes %9.2f ms\n", files[i].name, files[i].n,
		    read_all(i, 1, &sum) * 1e3);
	if (torture)
		return 0;
	for (int k = 0; k < ROUNDS; k++) {
		double took;

		sum = 0;
		took = read_all(0, files_n, &sum);
		best = took < best ? took : best;
	}
	printf("%zu pages, %.1f MB, %zu bytes of text\n", files_n,
	    (double)files_bytes / 1e6, sum);
	printf("ours   %8.1f MB/s  %8.1f us a page\n",
	    (double)files_bytes / 1e6 / best, best * 1e6 / (double)files_n);
	return 0;
}
