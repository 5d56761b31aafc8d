/* SPDX-License-Identifier: Apache-2.0 */
#include "base/proc.h"

#include <fcntl.h>

#include "base/path.h"

enum {
	SMALL = 4096,
	STARTED_AT = 20, /* fields of /proc/PID/stat behind the state */
};

bool
proc_read(const char *path, struct arena *a, struct str *out)
{
	CLEANUP(path_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct err none = { 0 };

	return fd >= 0 && path_read(fd, SMALL, a, out, &none) == 0;
}

uint64_t
proc_started(int64_t pid, struct arena *a)
{
	struct str text, field;
	size_t end;
	uint64_t n;

	if (!proc_read(str_fmt(a, "/proc/%lld/stat", (long long)pid).p, a,
		&text))
		return 0;
	/* The name of the program may have any character in it. */
	for (end = text.n; end > 0 && text.p[end - 1] != ')'; end--)
		;
	text = str_trim(str_from(text, end));
	if (str_starts(text, S("Z")) || str_starts(text, S("X")))
		return 0;
	for (int i = 0; i < STARTED_AT; i++)
		(void)str_cut(text, ' ', &field, &text);
	return str_to_u64(field, UINT64_MAX, &n) ? n : 0;
}
