/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/process.h"

static bool
process_is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    access(path, X_OK) == 0;
}

int
process_find(struct str name, struct str workdir, struct arena *a,
    struct str *out, struct err *e)
{
	const char *set = getenv("PATH");
	struct str rest = set != NULL ? str_of(set) : S("/usr/bin:/bin"), dir;
	bool more = true;

	if (str_has_char(name, '/')) {
		*out = str_starts(name, S("/"))
		    ? name
		    : str_fmt(a, "%.*s/%.*s", STR_ARG(workdir), STR_ARG(name));
		if (process_is_program(str_c(a, *out)))
			return 0;
		more = false;
	}
	while (more) {
		more = str_cut(rest, ':', &dir, &rest);
		if (!str_starts(dir, S("/")))
			continue;
		*out = str_fmt(a, "%.*s/%.*s", STR_ARG(dir), STR_ARG(name));
		if (process_is_program(str_c(a, *out)))
			return 0;
	}
	return err_set(e, ERR_CONFIG,
	    "there is no program %.*s: install it, or put its folder into PATH",
	    STR_ARG(str_first(name, 80)));
}
