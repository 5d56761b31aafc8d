/* SPDX-License-Identifier: Apache-2.0 */
/* Loads zlib and liblzma when they are needed. */
#include <dlfcn.h>
#include <string.h>

#include "backend/mbox/unpack.h"

/* Finds a library's functions; it stays loaded for the life of the process. */
static int
mbox_unpack_load(const char *file, const char *package, const char *const *name,
    void **f, size_t n, struct err *e)
{
	void *lib = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; i < n; i++) {
		f[i] = lib != NULL ? dlsym(lib, name[i]) : NULL;
		if (f[i] == NULL) {
			(void)err_set(e, ERR_CONFIG,
			    "the archive cannot be unpacked: install %s",
			    package);
			return err_because(e, "%s", dlerror());
		}
	}
	return 0;
}

int
mbox_unpack_zlib(struct unpack_zlib *out, struct err *e)
{
	static const char *const names[] = { "inflateInit2_", "inflate",
		"inflateReset", "inflateEnd" };
	void *f[4];

	if (mbox_unpack_load("libz.so.1", "zlib1g", names, f, 4, e) < 0)
		return -1;
	/* ISO C has no cast from object to function (dlsym(3)). */
	memcpy(out, f, sizeof(*out));
	return 0;
}

int
mbox_unpack_lzma(struct unpack_lzma *out, struct err *e)
{
	static const char *const names[] = { "lzma_stream_decoder", "lzma_code",
		"lzma_end" };
	void *f[3];

	if (mbox_unpack_load("liblzma.so.5", "liblzma5", names, f, 3, e) < 0)
		return -1;
	memcpy(out, f, sizeof(*out));
	return 0;
}
