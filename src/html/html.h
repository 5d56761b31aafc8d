#ifndef HTML_HTML_H
#define HTML_HTML_H

/*
 * HTML to text as a person sees it: the tree a browser would make of the page
 * (HTML 13.2), scripting off, with styles cascaded from `style` attributes, old
 * attributes (bgcolor, color, width ...) and <style> rules by tag, class and
 * id. What a person would not see is left out and counted by reason; style that
 * is not understood and could hide is taken to hide.  Links are "text <url>".
 * Time is linear in the input, memory in the input and the caps.  A text that
 * is empty although the page has words is never without a count.
 */
#include "base/str.h"

/* Why words were left out; the order is that of enum warning in gate. */
enum html_hidden {
	HTML_HIDDEN_DISPLAY,
	HTML_HIDDEN_VISIBILITY,
	HTML_HIDDEN_SIZE,
	HTML_HIDDEN_COLOUR,
	HTML_HIDDEN_POSITION,
	HTML_HIDDEN_ATTRIBUTE,
	HTML_HIDDEN_COMMENT,
	HTML_HIDDEN_ALT,
	HTML_HIDDEN_UNKNOWN, /* style that is not understood */
	HTML_HIDDENS
};

struct html_link {
	struct str text; /* as shown, white space collapsed */
	struct str url;  /* as written, references decoded, unseen removed */
	bool mismatch;   /* the text looks like another address */
};

struct html_found {
	/* How many runs of words, each counted once, under its outermost
	 * reason. */
	size_t hidden[HTML_HIDDENS];
	size_t tracking; /* images of no size, or hidden ones with a url */
	struct html_link *link; /* at most LIMIT_MIME_LINKS, in order */
	size_t links;
	bool over; /* text, links or styles beyond the limits were left out */
};

/* UTF-8 in, UTF-8 with LF out, at most max bytes; *found may be NULL. */
struct str html_text(struct arena *a, struct str html, size_t max,
    struct html_found *found);

/* Does the text look like another address than the target's? */
bool html_link_mismatch(struct arena *a, struct str text, struct str url);

/*
 * Reads the character reference at s.p[i], which is an "&".  Returns how many
 * bytes it takes and its code points, of which the second mostly is 0, or 0
 * when it is none; cp is then as it was.  In an attribute "&copy=" is none
 * (HTML 13.2.5.73).
 */
size_t html_entity_read(struct str s, size_t i, bool in_attribute,
    uint32_t cp[2]);

#endif
