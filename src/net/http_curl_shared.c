/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libcurl when it is needed. */
#include "net/http_curl.h"

#include <dlfcn.h>
#include <string.h>

struct http_curl http_curl;

int
http_curl_load(struct err *e)
{
	struct http_curl c = { 0 };
	const struct {
		const char *name;
		void *where;
	} all[] = {
		{ "curl_global_init_mem", &c.global_init_mem },
		{ "curl_easy_init", &c.easy_init },
		{ "curl_easy_setopt", &c.easy_setopt },
		{ "curl_easy_perform", &c.easy_perform },
		{ "curl_easy_getinfo", &c.easy_getinfo },
		{ "curl_easy_reset", &c.easy_reset },
		{ "curl_easy_cleanup", &c.easy_cleanup },
		{ "curl_easy_strerror", &c.easy_strerror },
		{ "curl_slist_append", &c.slist_append },
		{ "curl_slist_free_all", &c.slist_free_all },
		{ "curl_url", &c.url },
		{ "curl_url_set", &c.url_set },
		{ "curl_url_get", &c.url_get },
		{ "curl_url_cleanup", &c.url_cleanup },
		{ "curl_free", &c.free },
	};
	void *lib, *p;

	if (http_curl.easy_init != NULL)
		return 0;
	lib = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		p = lib != NULL ? dlsym(lib, all[i].name) : NULL;
		if (p == NULL) {
			(void)err_set(e, ERR_CONFIG,
			    "libcurl is missing: install libcurl4");
			return err_because(e, "%s", dlerror());
		}
		/* ISO C has no cast from object to function (dlsym(3)). */
		memcpy(all[i].where, &p, sizeof(p));
	}
	http_curl = c;
	return 0;
}
