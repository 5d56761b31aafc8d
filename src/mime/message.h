/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_MESSAGE_H
#define MIME_MESSAGE_H

/*
 * A message in the form that readers need: RFC 5322 and RFC 2045 to 2049.
 * Parsing is iterative and linear; over a limit (base/limits.h) the result is
 * truncated and says so.  Nothing here fails and nothing recurses.
 */
#include "html/html.h"
#include "mime/address.h"
#include "mime/header.h"

enum mime_encoding {
	MIME_IDENTITY, /* 7bit, 8bit, binary, and unknown encodings */
	MIME_QP,
	MIME_BASE64,
};

/* A leaf or container.  Parts are in order of appearance. */
struct mime_part {
	int depth;  /* 0 is the message itself */
	int parent; /* index into parts, -1 for the first */
	struct mime_header header;
	struct str type;         /* "text/plain", lower case, defaulted */
	struct mime_value ctype; /* with its parameters */
	struct mime_value disp;  /* Content-Disposition; value may be empty */
	enum mime_encoding encoding;
	struct str body; /* still encoded: a view into the source */
	bool is_multipart;
	bool is_message; /* message/rfc822 whose parts follow */
};

struct mime_message {
	struct mime_part *part;
	size_t n;
	bool over; /* parts, depth or headers over the limits were left out */
	struct str raw; /* the source */
};

/* Views in *out point into raw, which must live as long. */
void mime_message_parse(struct arena *a, struct str raw,
    struct mime_message *out);

/* The bytes of a leaf, transfer-decoded.  Identity is a view. */
struct str mime_part_decode(struct arena *a, const struct mime_part *p);
/* A text leaf as UTF-8 with LF line ends; format=flowed joined (RFC 3676). */
struct str mime_part_text(struct arena *a, const struct mime_part *p);
/* HTML that mime_part_text() returned, as a person sees the page. */
struct str mime_part_page(struct arena *a, struct str html);
/* The decoded file name, safe to show: no path, no control; "" if none. */
struct str mime_part_name(struct arena *a, const struct mime_part *p);

struct mime_attachment {
	struct str name; /* never empty: "attachment-2.pdf" if it has none */
	struct str type;
	const struct mime_part *part;
	bool deceptive; /* the written name suggests another type */
};

/* The result of `get`. */
struct mime_reading {
	/*
	 * UTF-8, LF.  From HTML if there is any, as a person sees it; from
	 * text/plain if that says the same.
	 */
	struct str text;
	/* The plain alternative if they say different things, else empty. */
	struct str other;
	bool divergent; /* alternatives say different things */
	bool from_html;
	struct html_found html; /* of all HTML that was read */
	bool truncated;         /* LIMIT_MIME_TEXT or the parser's limits */
	bool bad_charset;       /* some bytes could not be read */
	struct mime_attachment *attachment;
	size_t n;
};

/* Which alternative to read if there are several. */
enum mime_part_choice {
	MIME_PART_AUTO, /* as struct mime_reading says */
	MIME_PART_PLAIN,
	MIME_PART_HTML,
};

/*
 * Chooses the text that a person would read (one child of a
 * multipart/alternative, if one has words; inline text parts of multipart/mixed
 * joined) and lists every other leaf as an attachment.  mime/reading.c.
 */
void mime_reading_make(struct arena *a, const struct mime_message *m,
    struct mime_reading *out);
void mime_reading_as(struct arena *a, const struct mime_message *m,
    enum mime_part_choice want, struct mime_reading *out);
/* Would the reading list an attachment?  Decodes nothing. */
bool mime_reading_has_attachments(const struct mime_message *m);

/* The fields for a row of `list`, and the ones that policy judges. */
struct mime_envelope {
	size_t from_fields;   /* the number of From fields: policy requires 1 */
	struct str from_sole; /* address_sole() of it, or empty */
	struct addresses from, to, cc, reply_to;
	struct str subject; /* decoded UTF-8, at most LIMIT_SUBJECT */
	bool subject_cut;   /* there is more, or another: do not trust it */
	int64_t date_s;     /* 0 with has_date false */
	int date_offset_min;
	bool has_date;
	struct str message_id; /* "<...>" or empty */
	struct strs in_reply_to, references;
	struct str list_id; /* the first List-Id, raw; empty without one */
	bool has_list_id;
	struct str type; /* Content-Type value, for has_attachments */
	/* RFC 3834: made by a program, so no program may answer it. */
	bool automatic;
	bool from_list; /* it came by a mailing list, RFC 2919, RFC 2369 */
};

/* Reads a header block; fields that are absent are empty. */
void mime_envelope_parse(struct arena *a, struct str head,
    struct mime_envelope *out);

#endif
