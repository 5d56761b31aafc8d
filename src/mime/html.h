#ifndef MIME_HTML_H
#define MIME_HTML_H

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

#endif
