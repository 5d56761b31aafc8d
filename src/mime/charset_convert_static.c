/* SPDX-License-Identifier: Apache-2.0 */
/* Charsets without iconv(3): by tables, escape sequences, or as Unicode. */
#include "mime/charset_table.h"
#include "mime/elsewhere.h"
#include "mime/internal.h"

/* They are all here. */
void
charset_convert_ahead(void)
{
}

bool
charset_convert(struct buf *b, const char *name, struct str bytes)
{
	return charset_unicode_text(b, name, bytes) ||
	    charset_escape_text(b, name, bytes) ||
	    charset_table_text(b, name, bytes);
}
