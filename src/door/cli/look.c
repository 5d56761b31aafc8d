/* SPDX-License-Identifier: Apache-2.0 */
/* Colours and the pager: --color, NO_COLOR and --no-pager. */
#include "door/cli/look.h"

#include "door/cli/pager.h"
#include "door/out.h"

bool
look_coloured(const struct flags *f, int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	struct str asked = flags_text(f, "color");

	if (str_eq(asked, S("always")) || str_eq(asked, S("never")))
		return str_eq(asked, S("always"));
	/* no-color.org: any value except an empty one. */
	return isatty(fd) && (no == NULL || no[0] == '\0') &&
	    (term == NULL || !str_eq(str_of(term), S("dumb")));
}

int
look_done(const struct flags *f, const struct buf *b)
{
	if (!b->over && flags_takes(f, "no_pager") &&
	    !flags_given(f, "no_pager") && pager_wanted(buf_view(b)) &&
	    pager_put(buf_view(b)) == 0)
		return 0;
	return out_done(b);
}

void
look_complain(const struct flags *f, const struct err *e)
{
	bool coloured = look_coloured(f, STDERR_FILENO);

	if (coloured)
		(void)fputs(LOOK_BAD, stderr);
	out_complain(e, true);
	if (coloured)
		(void)fputs(LOOK_END, stderr);
}
