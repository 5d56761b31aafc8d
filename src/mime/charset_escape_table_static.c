/* SPDX-License-Identifier: Apache-2.0 */
/* The escape sequences of ISO 2022 that charsets of mail have. */
#include "mime/charset_table.h"

const struct charset_escape charset_escape_table[] = {
	{ "ISO-2022-JP-2", "(J", 0, false },
	/* Not in RFC 1554; mail has it, and iconv(3) reads it. */
	{ "ISO-2022-JP-2", "(I", 0, false },
	{ "ISO-2022-JP-2", "$@", 0, false },
	{ "ISO-2022-JP-2", "$B", 0, false },
	{ "ISO-2022-JP-2", "$A", 0, false },
	{ "ISO-2022-JP-2", "$(C", 0, false },
	{ "ISO-2022-JP-2", "$(D", 0, false },
	{ "ISO-2022-JP-2", ".A", 2, false },
	{ "ISO-2022-JP-2", ".F", 2, false },
	{ "ISO-2022-JP-3", "(J", 0, false },
	{ "ISO-2022-JP-3", "(I", 0, false },
	{ "ISO-2022-JP-3", "$@", 0, false },
	{ "ISO-2022-JP-3", "$B", 0, false },
	{ "ISO-2022-JP-3", "$(O", 0, false },
	{ "ISO-2022-JP-3", "$(P", 0, false },
	{ "ISO-2022-JP-3", "$(Q", 0, false },
	{ "ISO-2022-KR", "$)C", 1, true },
	{ "ISO-2022-CN", "$)A", 1, true },
	{ "ISO-2022-CN", "$)G", 1, false },
	{ "ISO-2022-CN", "$*H", 2, true },
	{ "ISO-2022-CN-EXT", "$)A", 1, false },
	{ "ISO-2022-CN-EXT", "$)E", 1, false },
	{ "ISO-2022-CN-EXT", "$)G", 1, false },
	{ "ISO-2022-CN-EXT", "$*H", 2, false },
	{ "ISO-2022-CN-EXT", "$+I", 3, false },
	{ "ISO-2022-CN-EXT", "$+J", 3, false },
	{ "ISO-2022-CN-EXT", "$+K", 3, false },
	{ "ISO-2022-CN-EXT", "$+L", 3, false },
	{ "ISO-2022-CN-EXT", "$+M", 3, false },
	{ NULL, NULL, 0, false },
};
