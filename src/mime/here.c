/* SPDX-License-Identifier: Apache-2.0 */
/* Apart from elsewhere.c, which these functions' callers look into. */
#include "mime/elsewhere.h"
#include "mime/internal.h"

const struct mime_reader mime_here = {
	.head = heads_here,
	.decode = part_decode,
	.message = message_parse,
	.reading = reading_as,
	.calendar = calendar_here,
	.dkim = dkim_here,
	.verify = dkim_here_verify,
	.charset = charset_here,
};
