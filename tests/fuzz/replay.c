/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target over the files named, once each: how the check replays a
 * corpus without a fuzzer.  Linked with one of the targets beside it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Exactly as many bytes as the file has, so that ASan sees one too many. */
static int
replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *p = NULL;
	long n = -1;

	if (f != NULL && fseek(f, 0, SEEK_END) == 0)
		n = ftell(f);
	if (n >= 0 && fseek(f, 0, SEEK_SET) == 0)
		p = malloc(n > 0 ? (size_t)n : 1);
	if (p == NULL || fread(p, 1, (size_t)n, f) != (size_t)n) {
		(void)fprintf(stderr, "replay: %s cannot be read\n", path);
		return -1;
	}
	(void)LLVMFuzzerTestOneInput(p, (size_t)n);
	free(p);
	return fclose(f);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (replay(argv[i]) != 0)
			return 1;
	/* A corpus that is gone must not look like one that passed. */
	(void)printf("%s: %d inputs\n", argv[0], argc - 1);
	return argc > 1 ? 0 : 1;
}
