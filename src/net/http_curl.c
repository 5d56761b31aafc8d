/* Finding libcurl when it is needed. */
#include "net/http_curl.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

struct http_curl http_curl;

static bool
find(void *lib, const char *name, void *where)
{
	void *p = dlsym(lib, name);

	/* ISO C has no cast from an object to a function (POSIX dlsym). */
	memcpy(where, &p, sizeof(p));
	return p != NULL;
}

int
http_curl_load(struct err *e)
{
	struct http_curl c = { 0 };
	bool good;
	void *lib;

	if (http_curl.easy_init != NULL)
		return 0;
	lib = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
	good = lib != NULL;
#define HTTP_CURL_FIND(name) good = good && find(lib, "curl_" #name, &c.name);
	HTTP_CURL_EACH(HTTP_CURL_FIND)
#undef HTTP_CURL_FIND
	if (!good) {
		(void)err_set(e, ERR_CONFIG,
		    "libcurl is missing: install libcurl4");
		return err_because(e, "%s", dlerror());
	}
	http_curl = c;
	return 0;
}
