/* Libraries that are loaded when the first account needs them (net/http_curl.c,
 * backend/mbox/unpack.c), and the authorities for TLS. */
#include "source/late.h"

#include <dlfcn.h>

#include "net/wire.h"

const struct late late_list[] = {
	{ SI("libcurl"), SI("libcurl4"),
	    SI("OAuth 2, JMAP, Gmail and Pony Mail"), "libcurl.so.4" },
	{ SI("zlib"), SI("zlib1g"), SI("archives in .gz"), "libz.so.1" },
	{ SI("liblzma"), SI("liblzma5"), SI("archives in .xz"),
	    "liblzma.so.5" },
	{ .file = NULL },
};

bool
late_there(const struct late *l)
{
	return dlopen(l->file, RTLD_LAZY | RTLD_LOCAL) != NULL;
}

const char *
late_authorities(void)
{
	return trust_where();
}
