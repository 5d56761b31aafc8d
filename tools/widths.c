/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes gen/door/widths.c of wcwidth(3): see door/form/face_terminal.h.
 */
#include <err.h>
#include <locale.h>
#include <stdio.h>
#include <wchar.h>

#include "door/form/face_terminal.h"

int
main(void)
{
	int last = -2, width;

	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		errx(1, "the C library has no locale C.UTF-8");
	printf("/* Columns, as tools/widths makes them of wcwidth(3). */\n"
	       "#include \"door/form/face_terminal.h\"\n\n"
	       "const uint32_t widths_all[] = {\n");
	for (uint32_t c = 0; c <= 0x10FFFF; c++) {
		width = wcwidth((wchar_t)c);
		if (width < -1 || width >= FACE_WIDTHS - 1)
			errx(1, "U+%04X has %d columns", (unsigned)c, width);
		if (width != last)
			printf("\t0x%04X * FACE_WIDTHS + %d,\n", (unsigned)c,
			    width + 1);
		last = width;
	}
	printf("};\nconst size_t widths_n = sizeof(widths_all) / "
	       "sizeof(widths_all[0]);\n");
	if (ferror(stdout) || fflush(stdout) != 0)
		err(1, "output");
	return 0;
}
