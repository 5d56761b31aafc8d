/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a network sends before anybody parses it.  However the
 * bytes are cut, the judgement is the same.
 */
#include <stdint.h>
#include <stdlib.h>

#include "door/http/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
judge(const char *p, size_t n, size_t piece, bool *open)
{
	struct http_strict *s = calloc(1, sizeof(*s));
	int status = 0;

	if (s == NULL)
		err_bug("out of memory");
	for (size_t at = 0; status == 0 && at < n; at += piece)
		status = http_strict_feed(s, p + at,
		    n - at < piece ? n - at : piece);
	*open = http_strict_open(s);
	free(s);
	return status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t piece[] = { 1, 7, SIZE_MAX / 2 };
	const char *p = (const char *)data;
	bool first, open;
	int status = judge(p, size, 3, &first);

	for (size_t i = 0; i < sizeof(piece) / sizeof(piece[0]); i++)
		if (judge(p, size, piece[i], &open) != status || open != first)
			err_bug("fuzz: it depends on how it was cut");
	(void)http_route_token(&(const struct route_table){ .challenge = "" },
	    (struct str){ p, size });
	return 0;
}
