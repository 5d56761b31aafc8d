/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_DIVERGE_H
#define MIME_DIVERGE_H

/*
 * Do the plain text and the HTML of one message say the same?  Both are split
 * into words (diverge_words.c), and runs of words are matched in the other text
 * (diverge_match.c).  Small differences within such runs are checked for facts:
 * a "not", an amount, a name (diverge_facts.c); so are the hosts and addresses
 * after the same words (diverge_place.c).  Unmatched words are in one text only
 * (diverge_alone.c), unless they are typical of newsletters (diverge_table.c).
 *
 * Words are compared, not hashed, so nobody can make two of them collide.  Time
 * is linear in the length, except for sorting.
 */
#include "base/buf.h"
#include "mime/internal.h"

enum diverge_kind {
	DIVERGE_WORD,
	DIVERGE_NUMBER,  /* has a digit */
	DIVERGE_ADDRESS, /* from here on they are in no sequence */
	DIVERGE_HOST,
	DIVERGE_LINK,  /* a whole link without its scheme */
	DIVERGE_TABLE, /* from diverge_table.c, not from a text */
};

/* Properties of a word, from its position or from the tables. */
enum diverge_flag {
	DIVERGE_CAPITAL = 1 << 0, /* begins with a capital */
	DIVERGE_BEGINS = 1 << 1,  /* the first of a sentence or line */
	DIVERGE_MARK = 1 << 2,    /* "[3]", "2." before a line: not text */
	DIVERGE_ALONE = 1 << 3,   /* a character of a script without spaces */
	DIVERGE_NOT = 1 << 4,     /* a negation */
	DIVERGE_DAY = 1 << 5,     /* names a day, month, or unit of money */
	DIVERGE_LETTER = 1 << 6,  /* typical of newsletters about themselves */
	DIVERGE_SMALL = 1 << 7,   /* is in one of the texts without a capital */
	DIVERGE_ENDS = 1 << 8,    /* the last of a sentence */
	DIVERGE_BLOCK = 1 << 9,   /* the first of a paragraph */
	DIVERGE_SENDING = 1 << 10, /* typical beside those */
};

#define DIVERGE_NOWHERE UINT32_MAX

struct diverge_word {
	struct str s;
	uint32_t at;   /* index in its text's sequence or list of places */
	uint32_t near; /* of a place: the number of words before it */
	uint8_t side, kind;
	uint16_t flags;
};

/* One text as the ids of its words; equal words have equal ids. */
struct diverge_text {
	size_t n;
	uint32_t *id;
	uint8_t *kind;
	uint16_t *flags;
	struct str *word;
	uint32_t *to; /* the index of its match in the other text, or NOWHERE */
	size_t places;
	uint32_t *place; /* ids of addresses, hosts and links */
	uint8_t *what;   /* their kinds */
	uint32_t *near;  /* the number of words before each */
	struct str *spelt;
	bool *alone; /* is it missing from the other text? */
};

/* A text being read. */
struct diverge_reader {
	struct arena *a;
	struct buf out; /* struct diverge_word */
	char *room;     /* scratch space for the compared form */
	uint8_t side;
	uint32_t at, places;
	bool begins; /* the next word begins a sentence or line */
	bool block;  /* also a paragraph */
};

/* diverge_word.c: adds a word, or all words of a run without white space. */
void diverge_word_add(struct diverge_reader *r, struct str s,
    enum diverge_kind kind, unsigned flags);
void diverge_word_add_all(struct diverge_reader *r, struct str s);

/* diverge_words.c: splits both texts into words, with ids. */
void diverge_words_read(struct arena *a, struct str plain, struct str html,
    struct diverge_text text[2]);

/* diverge_match.c: fills to[] of `from`. */
void diverge_match(struct diverge_text *from, const struct diverge_text *in);

/* diverge_facts.c: small differences within equal parts. */
void diverge_facts_find(const struct diverge_text *p,
    const struct diverge_text *h, struct diverge *out);

/* diverge_alone.c: what only one text says. */
void diverge_alone_find(const struct diverge_text *t,
    const struct diverge_text *other, struct diverge_side *out);

/*
 * diverge_place.c: hosts and addresses missing from the other text; and those
 * that differ after the same words.
 */
void diverge_place_find(struct arena *a, struct diverge_text *t,
    const struct diverge_text *other, struct diverge_side *out);
void diverge_place_compare(const struct diverge_text *p,
    const struct diverge_text *h, struct diverge *out);

/* diverge_table.c: words for DIVERGE_TABLE with their flag. */
struct diverge_row {
	enum diverge_flag flag;
	const char *language;
	const char *words; /* folded, separated by spaces */
};
extern const struct diverge_row diverge_table[];
extern const size_t diverge_table_n;

#endif
