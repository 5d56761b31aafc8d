/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl, as the static program has it: linked. */
#include "net/http_curl.h"

struct http_curl http_curl = {
	.global_init_mem = curl_global_init_mem,
	.easy_init = curl_easy_init,
	.easy_setopt = curl_easy_setopt,
	.easy_perform = curl_easy_perform,
	.easy_getinfo = curl_easy_getinfo,
	.easy_reset = curl_easy_reset,
	.easy_cleanup = curl_easy_cleanup,
	.easy_strerror = curl_easy_strerror,
	.slist_append = curl_slist_append,
	.slist_free_all = curl_slist_free_all,
	.url = curl_url,
	.url_set = curl_url_set,
	.url_get = curl_url_get,
	.url_cleanup = curl_url_cleanup,
	.free = curl_free,
};

int
http_curl_load(struct err *e)
{
	(void)e;
	return 0;
}
