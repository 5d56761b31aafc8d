/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>

#include "base/limits.h"
#include "source/declare.h"

void
declare_remark(struct arena *a, struct declare *d, enum declare_weight weight,
    unsigned line, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	d->errors += weight == DECLARE_ERROR;
	if (d->remarks == LIMIT_REMARKS)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (d->remark == NULL)
		d->remark = arena_array(a, LIMIT_REMARKS, sizeof(*d->remark));
	d->remark[d->remarks++] =
	    (struct declare_remark){ weight, line, str_dup(a, str_of(text)) };
}
