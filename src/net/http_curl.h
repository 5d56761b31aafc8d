/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NET_HTTP_CURL_H
#define NET_HTTP_CURL_H

/*
 * libcurl, which the shared program loads at the first request.  If it were
 * linked there, it and its twenty libraries would cost every command 3 ms at
 * its start, and most commands never make a request.  Only for net/http*.c.
 */
#include <curl/curl.h>

#include "base/err.h"

/* Its functions, under their own names without "curl_". */
struct http_curl {
	__typeof__(curl_global_init_mem) *global_init_mem;
	__typeof__(curl_easy_init) *easy_init;
	__typeof__(curl_easy_setopt) *easy_setopt;
	__typeof__(curl_easy_perform) *easy_perform;
	__typeof__(curl_easy_getinfo) *easy_getinfo;
	__typeof__(curl_easy_reset) *easy_reset;
	__typeof__(curl_easy_cleanup) *easy_cleanup;
	__typeof__(curl_easy_strerror) *easy_strerror;
	__typeof__(curl_slist_append) *slist_append;
	__typeof__(curl_slist_free_all) *slist_free_all;
	__typeof__(curl_url) *url;
	__typeof__(curl_url_set) *url_set;
	__typeof__(curl_url_get) *url_get;
	__typeof__(curl_url_cleanup) *url_cleanup;
	__typeof__(curl_free) *free;
};

extern struct http_curl http_curl;

/*
 * Fills http_curl; repeated calls do nothing.  ERR_CONFIG if it is not
 * installed.
 */
int http_curl_load(struct err *e);

/* An option fails only if this libcurl was built without it. */
#define HTTP_CURL_SET(curl, option, value)                                     \
	do {                                                                   \
		if (http_curl.easy_setopt(curl, option, value) != CURLE_OK)    \
			err_bug("libcurl: %s is missing", #option);            \
	} while (0)

/*
 * http_way.c: proxy and authorities, for an origin as from http_url_origin().
 * ERR_CONFIG.
 */
int http_way_proxy(CURL *curl, const char *origin, struct err *e);
int http_way_trust(CURL *curl, const char *ca_file, struct err *e);

#endif
