/* SPDX-License-Identifier: Apache-2.0 */
/* A request's proxy and trust anchors. */
#include "net/http_curl.h"
#include "net/internal.h"

/* The same proxies as for mail. */
int
http_way_proxy(CURL *curl, const char *origin, struct err *e)
{
	static const long types[] = {
		[WIRE_PROXY_SOCKS5] = CURLPROXY_SOCKS5,
		[WIRE_PROXY_SOCKS5H] = CURLPROXY_SOCKS5_HOSTNAME,
		[WIRE_PROXY_HTTP] = CURLPROXY_HTTP,
	};
	char host[WIRE_HOST] = "", place[WIRE_HOST + 2];
	struct wire_proxy p;
	struct str s = str_from(str_of(strchr(origin, ':')), 3), port;

	/* "host:port" or "[v6]:port" */
	if (str_starts(s, S("[")))
		(void)str_cut(str_from(s, 1), ']', &s, &port);
	else
		(void)str_cut(s, ':', &s, &port);
	if (s.n >= sizeof(host))
		return err_set(e, ERR_CONFIG, "the web address is not valid");
	memcpy(host, s.p, s.n);
	if (wire_proxy_find(host, &p, e) < 0)
		return -1;
	/* Empty, not NULL: otherwise libcurl reads the environment itself. */
	HTTP_CURL_SET(curl, CURLOPT_NOPROXY, "");
	(void)snprintf(place, sizeof(place),
	    strchr(p.host, ':') != NULL ? "[%s]" : "%s", p.host);
	HTTP_CURL_SET(curl, CURLOPT_PROXY, place);
	if (p.kind != WIRE_PROXY_NONE) {
		HTTP_CURL_SET(curl, CURLOPT_PROXYTYPE, types[p.kind]);
		HTTP_CURL_SET(curl, CURLOPT_PROXYPORT, (long)p.port);
		HTTP_CURL_SET(curl, CURLOPT_HTTPPROXYTUNNEL, 1L);
		/* As for mail: a password or nothing, and no GSSAPI. */
		HTTP_CURL_SET(curl, CURLOPT_SOCKS5_AUTH, (long)CURLAUTH_BASIC);
		if (p.user[0] != '\0') {
			HTTP_CURL_SET(curl, CURLOPT_PROXYUSERNAME, p.user);
			HTTP_CURL_SET(curl, CURLOPT_PROXYPASSWORD, p.pass);
		}
	}
	secret_wipe(&p, sizeof(p));
	return 0;
}

int
http_way_trust(CURL *curl, const char *ca_file, struct err *e)
{
	struct trust t = { 0 };

	if (ca_file[0] != '\0') {
		if (access(ca_file, R_OK) < 0)
			return err_set(e, ERR_CONFIG,
			    "the account's CA file cannot be read");
		t.file = ca_file;
	} else {
		trust_system(&t);
	}
	/* NULL removes libcurl's built-in default. */
	HTTP_CURL_SET(curl, CURLOPT_CAINFO, t.file);
	HTTP_CURL_SET(curl, CURLOPT_CAPATH, t.dir);
	HTTP_CURL_SET(curl, CURLOPT_SSL_VERIFYPEER, 1L);
	HTTP_CURL_SET(curl, CURLOPT_SSL_VERIFYHOST, 2L);
	HTTP_CURL_SET(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	return 0;
}
