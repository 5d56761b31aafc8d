/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HTML_HTML_H
#define HTML_HTML_H

/*
 * Converts HTML to text as a person sees it: the tree that a browser would make
 * of the page (HTML 13.2), scripting off, with styles cascaded from `style`
 * attributes, old attributes (bgcolor, color, width ...) and <style> rules by
 * tag, class and id.  Invisible text is left out and counted by reason; a style
 * that is not understood and could hide counts as hiding.  Links become "text
 * <url>".  Time is linear in the input, memory in the input and the caps.  If
 * the text is empty although the page has words, there is always a count.
 */
#include "base/str.h"

/* Why words were left out; in the order of enum warning in gate. */
enum html_hidden {
	HTML_HIDDEN_DISPLAY,
	HTML_HIDDEN_VISIBILITY,
	HTML_HIDDEN_SIZE,
	HTML_HIDDEN_COLOUR,
	HTML_HIDDEN_POSITION,
	HTML_HIDDEN_ATTRIBUTE,
	HTML_HIDDEN_COMMENT,
	HTML_HIDDEN_ALT,
	HTML_HIDDEN_UNKNOWN, /* a style that is not understood */
	HTML_HIDDENS
};

struct html_link {
	struct str text; /* as shown, white space collapsed */
	struct str url;  /* as written, references decoded, invisible characters
			    removed */
	bool mismatch;   /* the text looks like another address */
};

struct html_found {
	/*
	 * The number of runs of words, each counted once, under its outermost
	 * reason.
	 */
	size_t hidden[HTML_HIDDENS];
	size_t tracking; /* images without size, or hidden ones with a url */
	struct html_link *link; /* at most LIMIT_MIME_LINKS, in order */
	size_t links;
	bool over; /* text, links or styles over the limits were left out */
};

/* UTF-8 in, UTF-8 with LF out, at most max bytes; *found may be NULL. */
struct str html_text(struct arena *a, struct str html, size_t max,
    struct html_found *found);

/*
 * From now on html_text() calls this function, which may ask another process
 * for html_here(); NULL: itself.
 */
typedef struct str html_reader(struct arena *a, struct str html, size_t max,
    struct html_found *found);
void html_elsewhere(html_reader *reader);
html_reader html_here;

/* Does the text look like another address than the target's? */
bool html_link_mismatch(struct arena *a, struct str text, struct str url);

/*
 * Reads the character reference at s.p[i], which is an "&".  Returns its length
 * and its code points, of which the second is usually 0; or 0, leaving cp
 * unchanged, if it is not one.  In an attribute "&copy=" is not one (HTML
 * 13.2.5.73).
 */
size_t html_entity_read(struct str s, size_t i, bool in_attribute,
    uint32_t cp[2]);

#endif
