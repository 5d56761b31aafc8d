#ifndef NET_HTTP_CURL_H
#define NET_HTTP_CURL_H

/*
 * libcurl, loaded when the first request is made.  Linked, it and the twenty
 * libraries it brings would cost every command 3 ms at its start, and most
 * commands never make a request.  For net/http.c alone.
 */
#include <curl/curl.h>

#include "base/err.h"

#define HTTP_CURL_EACH(X)                                                      \
	X(global_init_mem)                                                     \
	X(easy_init)                                                           \
	X(easy_setopt)                                                         \
	X(easy_perform)                                                        \
	X(easy_getinfo)                                                        \
	X(easy_reset)                                                          \
	X(easy_cleanup)                                                        \
	X(easy_strerror)                                                       \
	X(slist_append)                                                        \
	X(slist_free_all)                                                      \
	X(url)                                                                 \
	X(url_set)                                                             \
	X(url_get)                                                             \
	X(url_cleanup)                                                         \
	X(free)

/* Its functions, under their own names without "curl_". */
struct http_curl {
#define HTTP_CURL_MEMBER(name) __typeof__(curl_##name) *name;
	HTTP_CURL_EACH(HTTP_CURL_MEMBER)
#undef HTTP_CURL_MEMBER
};

extern struct http_curl http_curl;

/* Fills http_curl; once is enough.  ERR_CONFIG when it is not installed. */
int http_curl_load(struct err *e);

#endif
