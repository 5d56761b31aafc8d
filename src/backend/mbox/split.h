/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MBOX_SPLIT_H
#define BACKEND_MBOX_SPLIT_H

/* From bytes to messages. */
#include "backend/internal.h"

/* -- fromline.c: what separates messages --------------------------------- */

/* How strictly a From_ line is recognized. */
enum mbox_rule {
	MBOX_SCORED, /* in between: the rule that counts */
	MBOX_STRICT, /* a complete date and a field after it: loses mail */
	MBOX_LOOSE,  /* a date or a sender is sufficient: invents mail */
};

struct mbox_fromline {
	bool dated;  /* it contains a month and a time of day */
	bool whole;  /* also a day and a year: when_s is valid */
	bool sender; /* only text that looks like a sender */
	int64_t when_s;
};

/* Parses a line that begins with "From ". */
void mbox_fromline_read(struct str line, struct mbox_fromline *out);
/* Does a message begin with this line, if `next` is the line after it? */
bool mbox_fromline_begins(enum mbox_rule rule, struct str line,
    struct str next);

/* -- split.c: from bytes to messages ------------------------------------- */

/* A message that was found.  Views are valid only during the call. */
struct mbox_part {
	uint64_t at;     /* of its From_ line in the file */
	uint64_t size;   /* of the message, without the From_ line */
	uint32_t from_n; /* bytes before the message begins */
	struct str from; /* the From_ line without its end */
	struct str head; /* the header, at most LIMIT_MIME_HEAD + 1 of it */
	/* Its beginning or end is ambiguous. */
	bool doubt_begin, doubt_end;
	bool loose; /* it may be text in the previous body */
};

enum mbox_split_end {
	MBOX_SPLIT_GOOD,
	MBOX_SPLIT_ALIEN,     /* this is not an mbox */
	MBOX_SPLIT_UNCHAINED, /* by_length: the lengths are inconsistent */
};

struct mbox_split {
	/*
	 * Set these, including where in the file it begins; the rest is zero.
	 */
	enum mbox_rule rule;
	bool by_length; /* Content-Length determines where messages end */
	bool resumed; /* a message begins here; it counts even if unfinished */
	bool doubt_first, loose_first; /* struct mbox_part of that one */
	/* Called for each message; -1 ends the split. */
	int (*found)(void *ctx, const struct mbox_part *p, struct err *e);
	/*
	 * 1 if a From_ line or the end is there, 0 if not, -1 if the file is
	 * shorter.
	 */
	int (*lands)(void *ctx, uint64_t at);
	void *ctx;
	struct buf *head; /* empty, for LIMIT_MIME_HEAD + 1 bytes */

	uint64_t at; /* current position */
	enum mbox_split_end end;
	int state;
	bool in_line;      /* the beginning of a long line was processed */
	bool blank;        /* the line before was empty, */
	uint64_t blank_at; /* and began here */
	bool measured;     /* the message has a length: */
	uint64_t hold;     /* the end of the body according to it */
	bool meets;        /* and a From_ line or the end is there */
	bool doubt_begin, doubt_end, loose; /* of the open message */
	bool pending; /* the previous line may begin a message: */
	uint64_t begin, cand_at;
	uint32_t cand_n;
	size_t cand_len;
	uint64_t msg_at; /* where the current message began */
	uint32_t from_n;
	size_t from_len;
	/* Counts, for distinguishing the variants. */
	uint64_t messages, quoted, requoted, raw, refused;
	uint64_t
	    lengths; /* messages with Content-Length; set it when resuming */
	char cand[1024], from[1024];
};

/*
 * Takes whole lines and sets *used to their size; a line longer than all of
 * `bytes` is taken in pieces if `full`. -1 from `found`; check `end` after each
 * call.
 */
int mbox_split_feed(struct mbox_split *s, struct str bytes, bool full,
    size_t *used, struct err *e);
/*
 * At the end of the file.  `still`: nobody writes to it any more, so it is
 * complete; otherwise an unfinished message is left for later, as *left says.
 */
int mbox_split_finish(struct mbox_split *s, bool still, bool *left,
    struct err *e);

#endif
