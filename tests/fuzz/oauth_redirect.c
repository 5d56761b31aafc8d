/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may come to the loopback port: a request in two parts, the first byte
 * says where it is cut, and what is behind its question mark.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oauth/internal.h"

static void
read_answer(struct str query, bool says_iss)
{
	const struct oauth_provider p = {
		.issuer = SI("https://login.example"),
		.auth_url = SI("https://login.example/auth"),
		.says_iss = says_iss,
	};
	struct oauth_answer x = { 0 };
	struct err e = { 0 };
	int r = oauth_answer_read(query, S("st4te"), &p, &x, &e);

	/* A code without our state, or an error with a code, is a hole. */
	if ((x.code != NULL) != (r == 1) || (r < 0) != (e.kind != ERR_NONE))
		abort();
	oauth_answer_done(&x);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct oauth_request r;
	struct str all = { (const char *)data, n }, query = { 0 };
	int status;

	if (n == 0)
		return 0;
	all = str_from(all, 1);
	memset(&r, 0, sizeof(r));
	status = oauth_request_feed(&r, str_first(all, data[0]), 4711, S(""),
	    &query);
	if (status == 0)
		status = oauth_request_feed(&r, str_from(all, data[0]), 4711,
		    S(""), &query);
	if (status == 200) {
		read_answer(query, false);
		read_answer(query, true);
	}
	query = oauth_answer_query(all);
	if (query.n > 0)
		read_answer(query, false);
	return 0;
}
