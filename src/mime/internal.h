/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_INTERNAL_H
#define MIME_INTERNAL_H

/* Shared by the files of this room. */
#include "mime/authres.h"
#include "mime/calendar.h"
#include "mime/compose.h"
#include "mime/heads.h"
#include "mime/message.h"

/*
 * Quoted-printable, RFC 2045 section 6.7, as found in real mail: lower-case
 * digits are accepted, a "=" that begins no escape stays, and white space at
 * the end of a line is removed (rule 3).
 */
struct str qp_decode(struct arena *a, struct str in);

/* Joins the lines of format=flowed, RFC 3676; text has LF line ends. */
struct str flowed_join(struct arena *a, struct str text, bool delsp);

/* mime_part_text(), and whether some bytes could not be read. */
struct str part_read(struct arena *a, const struct mime_part *p, bool *bad);

/* The last segment of a file name without unsafe characters; or "". */
struct str name_safe(struct arena *a, struct str raw);
/* Does the written name suggest another extension than it has? */
bool name_is_deceptive(struct arena *a, const struct mime_part *p);
/* "attachment-2.pdf": a name for the nth attachment if it has none. */
struct str name_make_up(struct arena *a, struct str type, size_t nth);

/* diverge.c: what only one of two texts says. */
struct diverge_side {
	size_t words;   /* in total */
	size_t matched; /* words that are also in the other text */
	size_t letters; /* others, typical of newsletters */
	size_t alone;   /* all others */
	size_t longest; /* longest run of those */
	bool ends;      /* a sentence ends in that run */
	size_t slipped; /* runs within an otherwise equal paragraph */
	size_t addresses, hosts, links; /* missing from the other text */
};

struct diverge {
	struct diverge_side plain, html;
	/* Small differences within equal parts, by what they change. */
	size_t edits, nots, numbers, days, alone, names, swaps;
	/* Hosts and addresses after the same words: equal, or different. */
	size_t kept, moved;
	bool same;   /* word for word */
	bool unread; /* too long to compare */
};

enum diverge_verdict {
	DIVERGE_MEANING, /* zero: they say different things */
	DIVERGE_WORDING, /* one says a little more */
	DIVERGE_SAME,
};

enum diverge_verdict diverge_judge(struct str plain, struct str html);

/* A label of mail, lower case, and its name for iconv(3). */
struct charset_label {
	const char *label;
	const char *name;
};

extern const struct charset_label charset_label_table[];
extern const size_t charset_label_count;

/* The name for iconv(3) of a label in lower case, or NULL. */
const char *charset_label_find(const char *label);

/*
 * What the functions of mime/elsewhere.h do in this process: heads.c,
 * envelope.c, message.c, reading.c, part.c, calendar.c, dkim.c, charset.c.
 */
void heads_here(struct arena *a, struct str head, struct str said,
    struct str authserv_id, struct mime_head *out);
void envelope_here(struct arena *a, struct str head, struct mime_envelope *out);
struct str part_decode(struct arena *a, struct str body,
    enum mime_encoding encoding);
void message_parse(struct arena *a, struct str raw, struct mime_message *out);
void reading_as(struct arena *a, const struct mime_message *m,
    enum mime_part_choice want, struct mime_reading *out);
void calendar_here(struct arena *a, struct str bytes, struct str charset,
    const struct calendar_zones *z, struct calendar *out);
struct dkim_signature *dkim_here(struct arena *a, struct str raw,
    struct str from_domain, int64_t now_s, size_t *n, bool *bad);
bool dkim_here_verify(struct arena *a, const struct dkim_signature *s,
    const struct strs *records);
struct str charset_here(struct arena *a, const char *name, struct str bytes);
/*
 * Adds bytes of a charset as UTF-8, with U+FFFD for what is invalid.  False:
 * the charset is not known.  The shared program asks iconv(3); the static one
 * has tables, made of it by tools/charsets.
 */
bool charset_convert(struct buf *b, const char *name, struct str bytes);

/* Converts bytes without a charset: as UTF-8 if valid, else windows-1252. */
struct str charset_guess(struct arena *a, struct str bytes);

/* mime_word_decode() that keeps encoded controls and blanks. */
struct str word_decode(struct arena *a, struct str text);
/* UTF-8 text with each control character (C0, DEL, C1) replaced by a space. */
struct str word_clean(struct arena *a, struct str text);

/* The two halves of an addr-spec: quoted strings are unquoted. */
struct address_spec {
	struct str local;
	struct str domain; /* as written, with a literal's brackets */
};

/*
 * Parses an addr-spec in the current grammar (RFC 5322 section 3.4.1, RFC 6532)
 * from s.p[*i] on, without white space or comments, and moves *i after it.
 */
bool address_spec_read(struct arena *a, struct str s, size_t *i,
    struct address_spec *out);
/* The form for comparison; false if the domain is not valid. */
bool address_spec_canonical(struct arena *a, const struct address_spec *spec,
    struct str *out);
/* The local part as one would type it: quoted if necessary. */
struct str address_spec_local(struct arena *a, struct str local);
/* Is c allowed in an atom, RFC 5322 section 3.2.3 and RFC 6532? */
bool address_spec_atext(char c);

/*
 * A position in the text of an address field.  Once a quote, comment or literal
 * was found to have no end, its opening sign is an ordinary character from
 * there on, so nothing is searched to the end twice.
 */
struct address_lex {
	struct str s;
	size_t i;
	bool no_quote, no_comment, no_literal;
};

enum address_token_kind {
	ADDRESS_END,
	ADDRESS_WORD,    /* an atom */
	ADDRESS_QUOTED,  /* with its escapes, without its quotes */
	ADDRESS_LITERAL, /* with its brackets */
	ADDRESS_SIGN,    /* one character */
};

struct address_token {
	enum address_token_kind kind;
	struct str text;
	bool space;          /* white space or a comment came before it */
	struct str comment;  /* the last such comment, without parentheses */
	struct str comments; /* from the first to the last of them */
};

struct address_token address_lex_next(struct address_lex *l);
/* The end of the quote, comment or literal that begins at l->i, or 0. */
size_t address_lex_opaque(struct address_lex *l);

/*
 * Reads the text between two commas; angle is the position of its "<", or s.n.
 * Clears *clean if it does not follow the current grammar.
 */
struct address address_item_read(struct arena *a, struct str s, size_t angle,
    bool *clean);

/* An Authentication-Results field: authres_field.c. */
struct authres_field {
	struct str id; /* the server; empty: unreadable */
	bool good;     /* all of it follows the grammar */
	bool has_dmarc;
	struct str dmarc; /* its result */
	struct str from;  /* header.from as written; empty: missing */
};

void authres_field_read(struct arena *a, struct str raw,
    struct authres_field *out);

/* The hosts of a Received field: authres_trace.c. */
struct authres_trace {
	struct str from, by, with; /* empty: missing */
};

/* False: the receiving host cannot be determined. */
bool authres_trace_read(struct str raw, struct authres_trace *out);

/* A tag-list, RFC 6376 section 3.2: dkim_tag.c.  Views into the source. */
struct dkim_tag {
	struct str name, value;
	struct str whole; /* the value with the white space around it */
};

struct dkim_tags {
	struct dkim_tag *v;
	size_t n;
};

bool dkim_tag_read(struct arena *a, struct str s, struct dkim_tags *out);
/* The tag, or NULL; its value, or its default. */
const struct dkim_tag *dkim_tag_find(const struct dkim_tags *t,
    const char *name);
struct str dkim_tag_get(const struct dkim_tags *t, const char *name,
    struct str otherwise);
/* Without any white space. */
struct str dkim_tag_squeeze(struct arena *a, struct str s);
/* Is the word in a colon-separated list? */
bool dkim_tag_lists(struct str list, struct str word);

/* dkim_canon.c: hashes of canonical forms. */
void dkim_canon_body(struct str body, bool relaxed,
    unsigned char out[DKIM_HASH]);
/* `b` is the part of the signature field's value that is left out. */
void dkim_canon_head(const struct mime_field *const *field, size_t n,
    const struct mime_field *signature, struct str b, bool relaxed,
    unsigned char out[DKIM_HASH]);

/* dkim_key.c: does the key in this record verify it? */
bool dkim_key_verify(struct arena *a, struct str record, const struct dkim *d);

/* A header being written, folded at COMPOSE_HEAD_COLUMN. */
#define COMPOSE_HEAD_COLUMN 76
struct compose_head {
	struct buf *b;
	size_t col;
	bool bad; /* CR, LF, NUL or invalid UTF-8 was refused */
};

/* "Name:"; then values; then compose_head_end(). */
void compose_head_begin(struct compose_head *w, const char *name);
/* One piece without line breaks, after a space or a fold. */
void compose_head_token(struct compose_head *w, struct str token);
/* Text for a person: unchanged, or as encoded words (RFC 2047). */
void compose_head_text(struct compose_head *w, struct str text);
/* A display name: atoms, a quoted string, or encoded words. */
void compose_head_phrase(struct compose_head *w, struct str name);
/* A parameter after a ";", RFC 2231 if necessary. */
void compose_head_param(struct compose_head *w, const char *name,
    struct str value);
/* The same for parsers older than that RFC: other than ASCII becomes "_". */
void compose_head_param_ascii(struct compose_head *w, const char *name,
    struct str value);
void compose_head_end(struct compose_head *w);

/* One field. */
static inline void
compose_line(struct compose_head *w, const char *name, struct str value)
{
	compose_head_begin(w, name);
	compose_head_token(w, value);
	compose_head_end(w);
}
/* A text as it is sent. */
struct compose_text {
	struct str bytes, encoding;
};

/*
 * compose_part.c, after the header's other fields: the text alone, with the
 * page, or with the files.  No page: html.bytes is empty.
 */
struct compose_texts {
	struct compose_text plain, html;
};

void compose_part_texts(struct compose_head *w, struct arena *a,
    const struct compose *c, const struct compose_texts *t);
int compose_part_all(struct compose_head *w, struct arena *a,
    const struct compose *c, const struct compose_texts *t, struct err *e);

/* The next line without its end: CRLF, LF or CR. */
struct str compose_body_next_line(struct str *rest);
/* The encoded body and its encoding; all of it valid UTF-8. */
struct str compose_body_text(struct arena *a, struct str text, bool *qp);
/* Base64 in lines of 76 characters. */
void compose_body_base64(struct buf *b, struct str bytes);
/* How a file is written: encoded, or the lines of a message as they are. */
enum compose_as {
	COMPOSE_AS_BYTES, /* base64 */
	COMPOSE_AS_7BIT,
	COMPOSE_AS_8BIT,
};
enum compose_as compose_body_as(const struct compose_file *f);
/* Its Content-Transfer-Encoding. */
struct str compose_body_how(enum compose_as as);
/* The content type of a file: the given one, or a guess from its name. */
struct str compose_body_type(const struct compose_file *f);

#endif
