/* The terminals of this machine. */
#include "door/form/face_terminal.h"

#include <stddef.h>

const char *
face_terminal_begin(void)
{
	return NULL;
}

void
face_terminal_end(void)
{
}
