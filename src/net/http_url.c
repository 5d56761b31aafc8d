/* SPDX-License-Identifier: Apache-2.0 */
/* Which web addresses are allowed, and their origins. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "net/http.h"
#include "net/http_curl.h"
#include "net/internal.h"

static bool
http_url_is_loopback(const char *host)
{
	struct in_addr v4;

	if (inet_pton(AF_INET, host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return strcmp(host, "[::1]") == 0 ||
	    str_eq_case(str_of(host), S("localhost"));
}

bool
http_url_origin(const char *url, char *out, size_t room)
{
	CURLU *u = http_curl.url();
	char *scheme = NULL, *host = NULL, *port = NULL, *none = NULL;
	bool good;

	if (u == NULL)
		err_bug("out of memory");
	good = http_curl.url_set(u, CURLUPART_URL, url, CURLU_DISALLOW_USER) ==
		CURLUE_OK &&
	    http_curl.url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
	    http_curl.url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
	    http_curl.url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) ==
		CURLUE_OK &&
	    http_curl.url_get(u, CURLUPART_FRAGMENT, &none, 0) != CURLUE_OK &&
	    (strcmp(scheme, "https") == 0 ||
		(strcmp(scheme, "http") == 0 && http_url_is_loopback(host)));
	if (good) {
		int n = snprintf(out, room, "%s://%s:%s", scheme, host, port);

		good = n > 0 && (size_t)n < room;
	}
	http_curl.free(scheme);
	http_curl.free(host);
	http_curl.free(port);
	http_curl.free(none);
	http_curl.url_cleanup(u);
	return good;
}

bool
http_url_copy(struct str url, char out[LIMIT_URL + 1])
{
	if (url.n == 0 || url.n > LIMIT_URL)
		return false;
	for (size_t i = 0; i < url.n; i++)
		if ((unsigned char)url.p[i] <= 0x20 ||
		    (unsigned char)url.p[i] >= 0x7f)
			return false;
	memcpy(out, url.p, url.n);
	out[url.n] = '\0';
	return true;
}

bool
http_url_ok(struct str url)
{
	char text[LIMIT_URL + 1], origin[512];
	struct err e = { 0 };

	return http_need(&e) == 0 && http_url_copy(url, text) &&
	    http_url_origin(text, origin, sizeof(origin));
}
