/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_HEADER_H
#define MIME_HEADER_H

/*
 * The header of a message or part as a list of fields, RFC 5322 section 2.2,
 * and decoding of their values: encoded words (RFC 2047) and parameters (RFC
 * 2045 section 5.1, RFC 2231).  No I/O; nothing recurses.
 */
#include "base/buf.h"
#include "base/str.h"

struct mime_field {
	struct str name;  /* as written, a view into the source */
	struct str value; /* raw: folded, undecoded, a view; no end of line */
};

struct mime_header {
	struct mime_field *field;
	size_t n;
	size_t size;  /* size of the header in the source */
	bool over;    /* cut at a limit (LIMIT_MIME_HEADERS, _HEAD) */
	bool damaged; /* a line that is not a field was skipped */
	bool ended;   /* an empty line was seen */
	size_t stray; /* the start of the first line that is not a field */
	bool blurred; /* another parser may read one as From or Subject */
};

/*
 * Reads fields up to the empty line or the end.  CRLF and bare LF both end a
 * line.  A first line "From " (mbox) is skipped.  Never fails.
 */
void mime_header_parse(struct arena *a, struct str src,
    struct mime_header *out);
/* The i-th field with that name (ignoring case), or NULL. */
const struct mime_field *mime_header_get(const struct mime_header *h,
    const char *name, size_t i);
size_t mime_header_count(const struct mime_header *h, const char *name);

/* Unfolds: removes CRLF before white space, RFC 5322 2.2.3. */
struct str mime_header_unfold(struct arena *a, struct str raw);
/*
 * An unstructured value as UTF-8 text for a person: unfolded, encoded words
 * decoded (adjacent ones joined, RFC 2047 section 6.2), raw 8-bit bytes read as
 * UTF-8 or otherwise windows-1252.  Control characters become spaces.  Trimmed.
 */
struct str mime_header_text(struct arena *a, struct str raw);
/* Decodes the encoded words of a phrase; mime/word.c.  Same rules. */
struct str mime_word_decode(struct arena *a, struct str text);

/*
 * A Content-Type or Content-Disposition: value in lower case ("text/plain")
 * and its parameters with RFC 2231 continuations joined and charsets decoded
 * to UTF-8.  Encoded words in a parameter are decoded too: common, if wrong.
 */
struct mime_param {
	struct str name; /* lower case */
	struct str value;
};

struct mime_value {
	struct str value; /* lower case; empty if malformed */
	struct mime_param *param;
	size_t n;
};

void mime_param_parse(struct arena *a, struct str raw, struct mime_value *out);
/* The parameter's value, or an empty string with p NULL. */
struct str mime_param_get(const struct mime_value *v, const char *name);

/*
 * The msg-ids of a References, In-Reply-To or Message-ID field, with angle
 * brackets, oldest first, at most LIMIT_REFERENCES (the last ones).
 */
void mime_header_msgids(struct arena *a, struct str raw, struct strs *out);
/*
 * The same for an In-Reply-To: if it begins with words, as RFC 822 section
 * 4.6.2 allows ("Message from X <x@y.example> of Monday <id@z>"), only the last
 * text that parses as a msg-id.
 */
void mime_header_answered(struct arena *a, struct str raw, struct strs *out);

/*
 * Converts bytes of a charset (a label in mail) to UTF-8; mime/charset.c.
 * WHATWG labels; an unknown one is read as UTF-8 or otherwise windows-1252 and
 * sets *unknown.  Bytes that do not decode become U+FFFD.  Never fails.
 */
struct str mime_charset_decode(struct arena *a, struct str label,
    struct str bytes, bool *unknown);

#endif
