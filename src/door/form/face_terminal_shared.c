/* SPDX-License-Identifier: Apache-2.0 */
/* The terminals of this machine, and its locale's characters. */
#include "door/form/face_terminal.h"

#include <locale.h>
#include <stddef.h>

const char *
face_terminal_begin(void)
{
	(void)setlocale(LC_CTYPE, "");
	return NULL;
}

void
face_terminal_end(void)
{
}
