/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and initialises libcurl once, when it is needed. */
#include "net/http.h"
#include "net/http_curl.h"
#include "net/internal.h"

int
http_need(struct err *e)
{
	static bool ready;

	if (ready)
		return 0;
	if (http_curl_load(e) < 0)
		return -1;
	/* libcurl would do it too, but with openssl.cnf. */
	wire_openssl_begin();
	/* libcurl would write keys there that decrypt recorded traffic. */
	(void)unsetenv("SSLKEYLOGFILE");
	if (http_curl.global_init_mem(CURL_GLOBAL_DEFAULT, malloc, secret_free,
		secret_realloc, strdup, calloc) != 0)
		err_bug("libcurl cannot be used");
	ready = true;
	return 0;
}
