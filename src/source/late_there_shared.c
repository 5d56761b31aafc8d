/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are loaded when they are needed may be missing. */
#include <dlfcn.h>

#include "source/late.h"

bool
late_there(const struct late *l)
{
	return dlopen(l->file, RTLD_LAZY | RTLD_LOCAL) != NULL;
}
