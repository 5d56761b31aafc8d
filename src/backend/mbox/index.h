/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MBOX_INDEX_H
#define BACKEND_MBOX_INDEX_H

/* What is known of an archive, as a file. */
#include "backend/internal.h"

/* -- index.c: what is known of an archive, as a file ---------------------- */

enum mbox_text {
	MBOX_ID,         /* Message-ID, "<...>" */
	MBOX_PARENT,     /* In-Reply-To: consecutive ids */
	MBOX_REFERENCES, /* the same; the last ones */
	MBOX_FROM,       /* every From field, decoded, one per line */
	MBOX_SUBJECT,    /* every Subject field, decoded, one per line */
	MBOX_LIST,       /* List-Id, the part between < and > */
	MBOX_TEXTS       /* how many there are */
};

enum mbox_row_flag {
	MBOX_DATED = 1 << 0,       /* date_s is from the Date field */
	MBOX_LINED = 1 << 1,       /* date_s is the From_ line's */
	MBOX_CUT = 1 << 2,         /* a text was too long and was cut */
	MBOX_DOUBT_BEGIN = 1 << 3, /* struct mbox_part */
	MBOX_DOUBT_END = 1 << 4,
	MBOX_TIGHT = 1 << 5,
};

/* One message.  Its number is its index plus one. */
struct mbox_row {
	uint64_t at, size;     /* struct mbox_part */
	uint64_t head_sum;     /* of the header's bytes */
	uint64_t text_at;      /* where its texts begin, consecutive */
	uint64_t sum;          /* of all of this, its index and its texts */
	int64_t date_s;        /* unix seconds */
	int64_t received_s;    /* of the From_ line; 0: unknown */
	int32_t date_zone_min; /* the writer's */
	uint32_t flags;        /* enum mbox_row_flag */
	uint32_t file;         /* index in the table of files */
	uint32_t from_n, head_n;
	uint32_t text_n[MBOX_TEXTS];
	uint32_t nothing; /* padding, included in the sum */
};

enum mbox_file_flag {
	MBOX_BY_LENGTH = 1 << 0, /* mboxcl, mboxcl2 */
	MBOX_UNFINISHED = 1 << 1,
	MBOX_ALIEN = 1 << 2,      /* not an mbox: skipped */
	MBOX_PACKED = 1 << 3,     /* unpacked into the cache folder */
	MBOX_DAMAGED = 1 << 4,    /* could not be unpacked completely */
	MBOX_DOUBT_LAST = 1 << 5, /* of the message at `resume` */
	MBOX_TIGHT_LAST = 1 << 6,
};

/* One file of the archive when it was read. */
struct mbox_file {
	uint64_t size;   /* of the unpacked file that is read */
	uint64_t disk_n; /* of the file on disk */
	int64_t mtime_ns;
	uint64_t tail_sum; /* of the bytes before `size` */
	uint64_t resume;   /* where the last message begins */
	uint64_t last;     /* that message's index plus one; 0: not stored */
	uint64_t quoted, requoted, raw, refused, messages, lengths;
	uint32_t flags; /* enum mbox_file_flag */
	uint32_t name_n;
	char name[256];
};

struct mbox_head {
	char magic[8];
	uint32_t version, row_n;
	uint64_t bytes, sum; /* of the whole file; of this and the table */
	uint64_t text_n, rows, files;
	uint64_t chain;       /* over all messages in order */
	uint32_t uidvalidity; /* RFC 9051 section 2.3.1.1 */
	uint32_t nothing;
};

/* An index in memory: the mapped file. */
struct mbox_index {
	const char *map;
	size_t n;
	const struct mbox_head *head;
	const char *text;
	const struct mbox_row *row;
	const struct mbox_file *file;
};

/* The correct sum of a row. */
uint64_t mbox_index_row_sum(const struct mbox_row *r, uint64_t place,
    const char *texts);
/* Maps a file and checks everything except rows; false: not usable. */
bool mbox_index_map(int fd, struct mbox_index *out);
void mbox_index_done(struct mbox_index *x);
/* The row at an index below head->rows, or NULL if it is damaged. */
const struct mbox_row *mbox_index_row(const struct mbox_index *x,
    uint64_t place);
struct str mbox_index_text(const struct mbox_index *x, const struct mbox_row *r,
    enum mbox_text which);

#endif
