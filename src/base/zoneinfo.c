/* SPDX-License-Identifier: Apache-2.0 */
#include "base/zoneinfo.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/path.h"

enum {
	ZONE_NAME = 64 /* bytes; the longest has 32 */
};

static bool
zoneinfo_is_name(struct str s)
{
	bool begins = true;

	if (s.n > ZONE_NAME)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool upper = c >= 'A' && c <= 'Z';
		bool other = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		    c == '_' || c == '+' || c == '-';

		if (begins ? !upper : !upper && !other && c != '/')
			return false;
		begins = c == '/';
	}
	return !begins;
}

static bool
zoneinfo_load(struct arena *a, const char *path, struct str *out)
{
	CLEANUP(path_close)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct err none = { 0 };
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    path_read(fd, LIMIT_ZONE, a, out, &none) == 0;
}

bool
zoneinfo_read(struct arena *a, struct str name, struct str *out)
{
	return zoneinfo_is_name(name) &&
	    zoneinfo_load(a,
		str_fmt(a, "/usr/share/zoneinfo/%.*s", STR_ARG(name)).p, out);
}

bool
zoneinfo_system(struct arena *a, struct str *out)
{
	return zoneinfo_load(a, "/etc/localtime", out);
}
