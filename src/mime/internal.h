#ifndef MIME_INTERNAL_H
#define MIME_INTERNAL_H

/* What the files of this room share among themselves. */
#include "mime/compose.h"
#include "mime/message.h"

/*
 * Quoted-printable, RFC 2045 section 6.7, as mail really has it: lower-case
 * digits are taken, a "=" that begins no escape stays, and white space at the
 * end of a line goes (rule 3).
 */
struct str qp_decode(struct arena *a, struct str in);

/* Joins the lines of format=flowed, RFC 3676; text has LF line ends. */
struct str flowed_join(struct arena *a, struct str text, bool delsp);

/* mime_part_text(), and whether some bytes could not be read. */
struct str part_read(struct arena *a, const struct mime_part *p, bool *bad);

/* The last segment of a written name, unfit characters taken out; or "". */
struct str name_safe(struct arena *a, struct str raw);
/* "attachment-2.pdf": for the nth attachment when it has no name. */
struct str name_make_up(struct arena *a, struct str type, size_t nth);

/*
 * Reads the character reference at s.p[i], which is an "&".  Returns how many
 * bytes it takes and its code point, or 0 when it is none.  In an attribute
 * "&copy=" is none (HTML 13.2.5.73).
 */
size_t html_entity_read(struct str s, size_t i, bool in_attribute,
    uint32_t *cp);

/* HTML to text: html.c reads tokens, html_element.c knows what each element
 * does, html_out.c writes lines. */
enum html_attr {
	HTML_HREF,
	HTML_ALT,
	HTML_ATTRS,
};

struct html_tag {
	char name[16]; /* lower case; "" when it is longer than any we know */
	bool closing;
	struct str attr[HTML_ATTRS]; /* as written; p NULL when absent */
};

struct html {
	struct arena *a;
	struct buf out;
	int lines;   /* line ends to write before the next word: 0 to 2 */
	int ended;   /* line ends already at the end of out */
	bool fresh;  /* at the begin of a line */
	bool space;  /* white space was met */
	bool cell;   /* a table cell began */
	bool bullet; /* a list item began */
	int pre;     /* how many of each are open */
	int lists;
	int quotes;
	bool pre_new;   /* directly behind <pre>: a line end does not count */
	struct str url; /* of the link that is open; empty: none */
	bool url_new;   /* nothing was written within it */
	bool url_image;
	size_t url_at;                   /* where its text begins in out */
	const struct html_element *drop; /* left out, with all within */
	size_t drops;
};

struct html_element {
	const char *name;
	bool raw;  /* holds no tags but its own end; never shown */
	bool drop; /* left out, with all within */
	int lines; /* line ends around it: 1 a block, 2 a paragraph */
	void (*open)(struct html *h, const struct html_tag *t);
	void (*close)(struct html *h);
};

/* NULL for an element that only passes its content on. */
const struct html_element *html_element_find(const char *name);
/* Ends the link that is open, if any: writes its target. */
void html_element_end_link(struct html *h);

/* Text between tags: white space collapses, references are decoded. */
void html_out_text(struct html *h, struct str s);
/* Bytes as they stand, behind whatever white space is due. */
void html_out_word(struct html *h, struct str s);
/* At least n line ends (1 or 2) before the next word. */
void html_out_lines(struct html *h, int n);
/* One line end more: a <br>. */
void html_out_break(struct html *h);
/* Bytes directly behind the last word, whatever is due after it. */
void html_out_behind(struct html *h, struct str s);

/* charset_label.c: the names mail gives to charsets, and iconv's for them. */
struct charset_label {
	const char *label; /* lower case */
	const char *name;
};

extern const struct charset_label charset_label_table[];
extern const size_t charset_label_count;
/* The name iconv(3) knows a label by, or NULL. */
const char *charset_label_find(const char *label);
/* Bytes of no known charset: UTF-8, or else windows-1252. */
struct str charset_guess(struct arena *a, struct str bytes);

/* Control characters become spaces. */
struct str word_clean(struct arena *a, struct str t);

/* address_spec.c: one addr-spec in current grammar. */
struct address_spec {
	struct str local; /* unquoted */
	struct str domain;
};

bool address_spec_atext(char c);
bool address_spec_read(struct arena *a, struct str s, size_t *i,
    struct address_spec *out);
struct str address_spec_local(struct arena *a, struct str local);
bool address_spec_canonical(struct arena *a, const struct address_spec *spec,
    struct str *out);

/* idna.c: domains as A-labels and back, NFC of a local part. */
bool idna_ascii(struct arena *a, struct str domain, struct str *out);
struct str idna_unicode(struct arena *a, struct str ascii);
struct str idna_nfc(struct arena *a, struct str text);

#endif
