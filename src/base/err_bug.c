/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"

_Noreturn void
err_bug(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)fputs("emcli: bug: ", stderr);
	(void)vfprintf(stderr, fmt, ap);
	(void)fputc('\n', stderr);
	va_end(ap);
	abort();
}
