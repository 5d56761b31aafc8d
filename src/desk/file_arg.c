/* SPDX-License-Identifier: Apache-2.0 */
/* An argument that names a file: where it is, whatever the folder. */
#include "desk/file_arg.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

int
file_arg_path(struct arena *a, struct str given, const char *shown,
    struct str *out, struct err *e)
{
	char real[PATH_MAX];

	*out = (struct str){ 0 };
	if (given.n == 0)
		return 0;
	if (realpath(str_c(a, given), real) == NULL || access(real, R_OK) < 0) {
		(void)err_set(e, ERR_USAGE,
		    "the file of --%s cannot be read: name an existing file",
		    shown);
		return err_errno(e, "realpath");
	}
	*out = str_dup(a, str_of(real));
	return 0;
}

int
file_arg_find(struct call *c, const char *name, const char *shown,
    struct str *out, struct err *e)
{
	return file_arg_path(c->arena, args_text(c->args, name), shown, out, e);
}
