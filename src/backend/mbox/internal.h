#ifndef BACKEND_MBOX_INTERNAL_H
#define BACKEND_MBOX_INTERNAL_H

/*
 * What the files of this backend share.  Magnitudes: files of 10^10 bytes, 300
 * files an archive, 10^5 to 10^6 messages; an index of 400 bytes a message.
 */
#include <sys/stat.h>

#include "backend/internal.h"
#include "base/buf.h"
#include "base/limits.h"

/* -- fromline.c: what separates messages --------------------------------- */

/* How much a From_ line has to look like one. */
enum mbox_rule {
	MBOX_SCORED, /* what is between: the rule that counts */
	MBOX_STRICT, /* a whole date and a field after it: loses mail */
	MBOX_LOOSE,  /* a date or a sender is enough: invents mail */
};

struct mbox_fromline {
	bool dated;  /* a month and a time of day stand in it */
	bool whole;  /* and a day and a year: when_s is good */
	bool sender; /* nothing but what looks like a sender */
	int64_t when_s;
};

/* Reads a line that begins with "From ". */
void mbox_fromline_read(struct str line, struct mbox_fromline *out);
/* Does a message begin with this line, when `next` is the one after it? */
bool mbox_fromline_begins(enum mbox_rule rule, struct str line,
    struct str next);

/* -- split.c: from bytes to messages ------------------------------------- */

/* A message as it was found.  Views are good during the call alone. */
struct mbox_part {
	uint64_t at;     /* of its From_ line in the file */
	uint64_t size;   /* of the message, the From_ line apart */
	uint32_t from_n; /* bytes before the message begins */
	struct str from; /* the From_ line without its end */
	struct str head; /* the header, at most LIMIT_MIME_HEAD + 1 of it */
	/* Where it begins or ends can be told in two ways. */
	bool doubt_begin, doubt_end;
	bool loose; /* it may have been written in the body before it */
};

enum mbox_split_end {
	MBOX_SPLIT_GOOD,
	MBOX_SPLIT_ALIEN,     /* this is no mbox */
	MBOX_SPLIT_UNCHAINED, /* by_length: the lengths do not lead through */
};

struct mbox_split {
	/* Set these, and where in the file it begins; the rest is zero. */
	enum mbox_rule rule;
	bool by_length; /* Content-Length says where messages end */
	bool resumed;   /* a message begins here; it counts if unfinished */
	bool doubt_first, loose_first; /* struct mbox_part of that one */
	/* Told of each message; -1 ends it. */
	int (*found)(void *ctx, const struct mbox_part *p, struct err *e);
	/* 1 when a From_ line or the end is there, 0 when not, -1 when the
	 * file is shorter. */
	int (*lands)(void *ctx, uint64_t at);
	void *ctx;
	struct buf *head; /* empty, for LIMIT_MIME_HEAD + 1 bytes */

	uint64_t at; /* how far it has come */
	enum mbox_split_end end;
	int state;
	bool in_line;      /* a long line's beginning was taken */
	bool blank;        /* the line before was empty, */
	uint64_t blank_at; /* and began here */
	bool measured;     /* the message has a length: */
	uint64_t hold;     /* by it the body ends here */
	bool meets;        /* and a From_ line or the end is there */
	bool doubt_begin, doubt_end, loose; /* of the open message */
	bool pending; /* the line before may begin a message: */
	uint64_t begin, cand_at;
	uint32_t cand_n;
	size_t cand_len;
	uint64_t msg_at; /* where the open message began */
	uint32_t from_n;
	size_t from_len;
	/* What was seen, for telling the variants apart. */
	uint64_t messages, quoted, requoted, raw, refused;
	uint64_t lengths; /* messages that have one; set it when resumed */
	char cand[1024], from[1024];
};

/*
 * Takes whole lines and says in *used how much that was; a line longer than
 * all of `bytes` is taken in pieces when `full`.  -1 as `found` said it; look
 * at `end` after each call.
 */
int mbox_split_feed(struct mbox_split *s, struct str bytes, bool full,
    size_t *used, struct err *e);
/*
 * At the end of the file.  `still`: nobody is writing to it any more, so what
 * is there is all there is; else an unfinished message is left for later, and
 * *left tells.
 */
int mbox_split_finish(struct mbox_split *s, bool still, bool *left,
    struct err *e);

/* -- index.c: what is known of an archive, as a file ---------------------- */

enum mbox_text {
	MBOX_ID,         /* Message-ID, "<...>" */
	MBOX_PARENT,     /* In-Reply-To: ids one after another */
	MBOX_REFERENCES, /* the same; the last ones */
	MBOX_FROM,       /* every From field, decoded, a line each */
	MBOX_SUBJECT,    /* every Subject field, decoded, a line each */
	MBOX_LIST,       /* List-Id, what is between < and > */
	MBOX_TEXTS       /* how many there are */
};

enum mbox_row_flag {
	MBOX_DATED = 1 << 0,       /* date_s is from the Date field */
	MBOX_LINED = 1 << 1,       /* date_s is the From_ line's */
	MBOX_CUT = 1 << 2,         /* a text was too long to be kept whole */
	MBOX_DOUBT_BEGIN = 1 << 3, /* struct mbox_part */
	MBOX_DOUBT_END = 1 << 4,
	MBOX_TIGHT = 1 << 5,
};

/* One message.  Its number is its place and one. */
struct mbox_row {
	uint64_t at, size;     /* struct mbox_part */
	uint64_t head_sum;     /* of the header's bytes */
	uint64_t text_at;      /* where its texts begin, one after another */
	uint64_t sum;          /* of all of this, its place and its texts */
	int64_t date_s;        /* unix seconds */
	int64_t received_s;    /* of the From_ line; 0: not known */
	int32_t date_zone_min; /* the writer's */
	uint32_t flags;        /* enum mbox_row_flag */
	uint32_t file;         /* place in the table of files */
	uint32_t from_n, head_n;
	uint32_t text_n[MBOX_TEXTS];
	uint32_t nothing; /* no hole in the sum */
};

enum mbox_file_flag {
	MBOX_BY_LENGTH = 1 << 0, /* mboxcl, mboxcl2 */
	MBOX_UNFINISHED = 1 << 1,
	MBOX_ALIEN = 1 << 2,      /* no mbox: skipped */
	MBOX_PACKED = 1 << 3,     /* unpacked in the cache folder */
	MBOX_DAMAGED = 1 << 4,    /* it did not unpack to its end */
	MBOX_DOUBT_LAST = 1 << 5, /* of the message at `resume` */
	MBOX_TIGHT_LAST = 1 << 6,
};

/* One file of the archive as it was when it was read. */
struct mbox_file {
	uint64_t size;   /* of the file that is read: unpacked */
	uint64_t disk_n; /* of the file as it is there */
	int64_t mtime_ns;
	uint64_t tail_sum; /* of what is before `size` */
	uint64_t resume;   /* where the last message begins */
	uint64_t last;     /* that message's place and one; 0: not kept */
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
	uint64_t chain;       /* over all messages in their order */
	uint32_t uidvalidity; /* RFC 9051 section 2.3.1.1 */
	uint32_t nothing;
};

/* An index as it is in memory: the file itself, mapped. */
struct mbox_index {
	const char *map;
	size_t n;
	const struct mbox_head *head;
	const char *text;
	const struct mbox_row *row;
	const struct mbox_file *file;
};

/* What a row's sum has to be. */
uint64_t mbox_index_row_sum(const struct mbox_row *r, uint64_t place,
    const char *texts);
/* Maps a file and looks at all that is not rows; false: it is of no use. */
bool mbox_index_map(int fd, struct mbox_index *out);
void mbox_index_done(struct mbox_index *x);
/* The row at a place below head->rows, or NULL when it is damaged. */
const struct mbox_row *mbox_index_row(const struct mbox_index *x,
    uint64_t place);
struct str mbox_index_text(const struct mbox_index *x, const struct mbox_row *r,
    enum mbox_text which);

/* -- source.c: the files of an archive ------------------------------------ */

struct mbox_source {
	struct str name; /* in the folder; empty: the path itself */
	uint64_t disk_n;
	int64_t mtime_ns;
};

struct mbox_sources {
	struct mbox_source *v;
	size_t n;
};

struct mbox;

/* A return value beside 0 and -1: the archive is not what the index says. */
#define MBOX_STALE (-2)

int mbox_source_list(struct mbox *m, struct arena *a, struct mbox_sources *out,
    struct err *e);
int64_t mbox_source_mtime(const struct stat *st);
/* Opens one for reading, and only that: 1, or 0 when it is gone. */
int mbox_source_open(struct mbox *m, struct str name, int *fd, struct err *e);

/* -- cache.c: our own files ----------------------------------------------- */

/* Opens the folder our files are in, which it makes; -1 when there is none. */
int mbox_cache_open(struct mbox *m, struct err *e);
/* A new file without a name, and giving it one. */
int mbox_cache_make(struct mbox *m, int *fd, struct err *e);
int mbox_cache_name(struct mbox *m, int fd, const char *name, struct err *e);
/* The names of our files: of the index, and of what a source unpacks to. */
struct str mbox_cache_index(struct mbox *m, struct arena *a);
struct str mbox_cache_raw(struct mbox *m, struct arena *a, struct str name);
/* Waits for whoever else builds the index; let go by closing. */
int mbox_cache_lock(struct mbox *m, int *fd, struct err *e);
/*
 * The numbering outlives a lost index: it is the same as long as the chain
 * over the first `n` messages is.  False when nothing is known.
 */
struct mbox_number {
	uint32_t uidvalidity;
	uint64_t n, chain;
};
bool mbox_cache_number(struct mbox *m, struct mbox_number *out);
int mbox_cache_number_keep(struct mbox *m, const struct mbox_number *n,
    struct err *e);

/* -- unpack.c -------------------------------------------------------------- */

enum mbox_pack {
	MBOX_PLAIN,
	MBOX_GZIP,
	MBOX_XZ,
	MBOX_BZIP2, /* told apart, not read */
};

enum mbox_pack mbox_unpack_sniff(int fd);
/*
 * Unpacks into `out` at most LIMIT_MBOX bytes.  *whole is false when it broke
 * off in the middle.
 */
int mbox_unpack(struct mbox *m, enum mbox_pack how, int in, int out,
    bool *whole, struct err *e);

/* -- extract.c: a message's texts ------------------------------------------ */

/* Fills the row but for where it is kept; its texts are added to *text. */
void mbox_extract_row(struct arena *a, const struct mbox_part *p,
    struct mbox_row *row, struct buf *text);

/* -- build.c: making and extending an index -------------------------------- */

#define MBOX_CHUNK (256 << 10)      /* read at once: what stays near */
#define MBOX_TEXTS_FULL (256 << 10) /* texts kept back before written */

/* An index in the making. */
struct mbox_build {
	struct mbox *m;
	struct arena *a, *scratch;
	unsigned used; /* messages on scratch */
	int out;
	struct buf text;  /* not written yet, */
	uint64_t text_at; /* and where it goes */
	struct mbox_row *row;
	uint64_t n, room;
	struct mbox_file *file;
	size_t files;
	uint64_t chain;
	struct mbox_number was;
	bool known, differs; /* is there a number, and is it another? */
	uint64_t done, all;
	bool late;
	/* The file that is read. */
	int fd;
	uint64_t size, place; /* place and one of its unfinished message */
	bool stale;
	char *chunk;
};

/* build_put.c: behind the head of the new file, from a place on. */
int mbox_build_put(struct mbox_build *b, const void *p, size_t n, uint64_t at,
    struct err *e);
/* Writes the texts that were kept back. */
int mbox_build_put_texts(struct mbox_build *b, struct err *e);
/* errno is why. */
int mbox_build_put_failed(struct err *e);

/* On from `old`, or from nothing: m->index.   MBOX_STALE: `old` is no good. */
int mbox_build_index(struct mbox *m, const struct mbox_sources *src,
    const struct mbox_index *old, struct err *e);

/* -- scan.c: one file of it -------------------------------------------------
 */

/*
 * Reads the last file of the table, open as b->fd, on from where it was left.
 * Sets late when the time was up, and stale when what is known of the file
 * cannot be built on.
 */
int mbox_scan_file(struct mbox_build *b, struct err *e);

/* -- state.c: how a file is, by what was known of it ------------------------
 */

enum mbox_state {
	MBOX_SAME,
	MBOX_GROWN,
	MBOX_CHANGED,
};
/* How a file is, by what was known of it; s is NULL when it is gone. */
enum mbox_state mbox_state_of(struct mbox *m, const struct mbox_file *f,
    const struct mbox_source *s);
/* The source of that name, or NULL; *at is where to look first. */
const struct mbox_source *mbox_state_source(const struct mbox_sources *src,
    const struct mbox_file *f, size_t *at);
/* The block before `size` as one number; false when it cannot be read. */
bool mbox_state_tail(int fd, uint64_t size, uint64_t *out);
bool mbox_state_is_still(int64_t mtime_ns);

/* -- refresh.c: is what we know still so? -----------------------------------
 */

/* Makes m->index one of the archive as it is now. */
int mbox_refresh(struct mbox *m, struct err *e);
/* The archive is not what its index says: builds it again, once. */
int mbox_refresh_again(struct mbox *m, struct err *e);

/* -- mbox.c ------------------------------------------------------------------
 */

/* A connection. */
struct mbox {
	struct conn conn;
	char *path;
	int dir;         /* the archive when it is a folder, else -1 */
	int cache;       /* where our files are, or -1 */
	const char *key; /* what our files' names begin with */
	struct mbox_index index;
	bool ready;    /* the index was looked at in this connection */
	bool rebuilt;  /* it was made again in this connection */
	int fd;        /* the file read last, or -1 */
	uint32_t file; /* which that is */
};

/* What backend_in_time() says here. */
#define MBOX_LATE "reading the archive took too long"

/* -- folder.c --------------------------------------------------------------
 */

/* ERR_NOT_FOUND but for INBOX; then the index is there. */
int mbox_folder(struct mbox *m, struct str folder, struct err *e);

/* -- read.c
 * -------------------------------------------------------------------- */

int mbox_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e);
int mbox_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);
void mbox_read_state(const struct mbox *m, struct folder_state *st);
/*
 * These answer MBOX_STALE when the archive is not what the index says.  First
 * the header's bytes.
 */
int mbox_read_head(struct mbox *m, const struct mbox_row *r, struct arena *a,
    struct str *out, struct err *e);
/* At most max bytes of the message, quoting taken out. */
int mbox_read_first(struct mbox *m, const struct mbox_row *r, size_t max,
    struct arena *a, struct str *out, struct err *e);
/* Adds a row; head is the header. */
int mbox_read_row(struct mbox *m, const struct mbox_row *r, uint32_t uid,
    struct str head, struct arena *a, struct rows *out, struct err *e);

/* -- links.c
 * -------------------------------------------------------------------- */

int mbox_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e);

/* -- find.c
 * -------------------------------------------------------------------- */

int mbox_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);

#endif
