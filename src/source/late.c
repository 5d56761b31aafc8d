/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that the shared program loads when the first account needs them
 * (net/http_curl_shared.c, backend/mbox/unpack_shared.c), and the authorities
 * for TLS. */
#include "source/late.h"

#include "net/wire.h"

const struct late late_list[] = {
	{ SI("libcurl"), SI("libcurl4"),
	    SI("OAuth 2, JMAP, Gmail and Pony Mail"), "libcurl.so.4" },
	{ SI("zlib"), SI("zlib1g"), SI("archives in .gz"), "libz.so.1" },
	{ SI("liblzma"), SI("liblzma5"), SI("archives in .xz"),
	    "liblzma.so.5" },
	{ .file = NULL },
};

const char *
late_authorities(void)
{
	return trust_where();
}
