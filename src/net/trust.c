/* SPDX-License-Identifier: Apache-2.0 */
/* The authorities of this machine: the same for every TLS client. */
#include <dirent.h>

#include "net/internal.h"

/* The folder of hashed names is read on demand; a bundle costs 20 ms. */
static bool
trust_has_hashes(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *f;
	bool found = false;

	if (d == NULL)
		return false;
	while (!found && (f = readdir(d)) != NULL)
		found = str_ends(str_of(f->d_name), S(".0"));
	(void)closedir(d);
	return found;
}

static const char *
trust_setting(const char *name)
{
	const char *v = getenv(name);

	return v != NULL && v[0] != '\0' ? v : NULL;
}

void
trust_system(struct trust *out)
{
	static const char *const bundles[] = {
		"/etc/ssl/certs/ca-certificates.crt",
		"/etc/pki/tls/certs/ca-bundle.crt",
		"/etc/ssl/cert.pem",
	};

	out->file = trust_setting("SSL_CERT_FILE");
	out->dir = trust_setting("SSL_CERT_DIR");
	if (out->file != NULL || out->dir != NULL)
		return;
	if (trust_has_hashes("/etc/ssl/certs")) {
		out->dir = "/etc/ssl/certs";
		return;
	}
	for (size_t i = 0; i < sizeof(bundles) / sizeof(bundles[0]); i++)
		if (access(bundles[i], R_OK) == 0) {
			out->file = bundles[i];
			return;
		}
}

const char *
trust_where(void)
{
	struct trust t = { 0 };

	trust_system(&t);
	if (t.file != NULL && access(t.file, R_OK) == 0)
		return t.file;
	return t.dir != NULL && trust_has_hashes(t.dir) ? t.dir : NULL;
}
