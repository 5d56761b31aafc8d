/* SPDX-License-Identifier: Apache-2.0 */
/* A line of what the operator is shown: a name, and a value made safe. */
#include "desk/approve_text.h"
#include "desk/picture.h"

void
approve_line(struct buf *b, struct arena *a, const char *name, struct str value)
{
	buf_fmt(b, "%-12s ", name);
	buf_str(b, picture_text(a, value, false));
	buf_char(b, '\n');
}
