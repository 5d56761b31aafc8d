/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_HTML_COPY_H
#define MIME_HTML_COPY_H

/*
 * A plain text as a page: paragraphs, quotes as blockquotes, and http, https
 * and mailto addresses as links.  Every character of the text is text there.
 */
#include "base/str.h"

/* p NULL: it is larger than a message may be. */
struct str html_copy(struct arena *a, struct str text, bool flowed);

#endif
