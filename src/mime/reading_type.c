/* SPDX-License-Identifier: Apache-2.0 */
#include "mime/reading.h"

bool
reading_type_is_html(const struct mime_part *p)
{
	return str_eq(p->type, S("text/html"));
}

bool
reading_type_is(const struct mime_part *p, const char *type)
{
	return p->is_multipart && str_eq(p->type, str_of(type));
}
