#ifndef MIME_HTML_H
#define MIME_HTML_H

/*
 * HTML to text with a linear tokenizer: tags out, blocks to lines, entities
 * decoded, links as "text <url>", script, style and head dropped.  No step
 * looks back further than the current tag.
 */
#include "base/str.h"

/* UTF-8 in, UTF-8 with LF out, at most max bytes; *over when it was cut. */
struct str html_text(struct arena *a, struct str html, size_t max, bool *over);

#endif
