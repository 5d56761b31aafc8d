#ifndef BACKEND_MBOX_INTERNAL_H
#define BACKEND_MBOX_INTERNAL_H

/*
 * Shared by the files of this backend.  Magnitudes: files of 10^10 bytes, 300
 * files per archive, 10^5 to 10^6 messages; an index of 400 bytes per message.
 */
#include <sys/stat.h>

#include "backend/internal.h"
#include "base/buf.h"
#include "base/limits.h"

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

/* A return value beside 0 and -1: the archive differs from the index. */
#define MBOX_STALE (-2)

int mbox_source_list(struct mbox *m, struct arena *a, struct mbox_sources *out,
    struct err *e);
int64_t mbox_source_mtime(const struct stat *st);
/* Opens one for reading only: 1, or 0 if it is gone. */
int mbox_source_open(struct mbox *m, struct str name, int *fd, struct err *e);

/* -- cache.c: our own files ----------------------------------------------- */

/*
 * Opens the folder of emcli's files, creating it if necessary; -1 if there is
 * none.
 */
int mbox_cache_open(struct mbox *m, struct err *e);
/* Creates a file without a name, and gives it one. */
int mbox_cache_make(struct mbox *m, int *fd, struct err *e);
int mbox_cache_name(struct mbox *m, int fd, const char *name, struct err *e);
/* The names of emcli's files: of the index, and of an unpacked source. */
struct str mbox_cache_index(struct mbox *m, struct arena *a);
struct str mbox_cache_raw(struct mbox *m, struct arena *a, struct str name);
/* Waits for another process that builds the index; closing releases it. */
int mbox_cache_lock(struct mbox *m, int *fd, struct err *e);
/*
 * The numbering survives a lost index: it stays the same as long as the chain
 * over the first `n` messages does.  False if nothing is known.
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
	MBOX_BZIP2, /* recognized, not read */
};

enum mbox_pack mbox_unpack_sniff(int fd);
/*
 * Unpacks at most LIMIT_MBOX bytes into `out`.  *whole is false if the data is
 * truncated.
 */
int mbox_unpack(struct mbox *m, enum mbox_pack how, int in, int out,
    bool *whole, struct err *e);

/* -- extract.c: a message's texts ------------------------------------------ */

/* Fills the row except its storage fields; its texts are added to *text. */
void mbox_extract_row(struct arena *a, const struct mbox_part *p,
    struct mbox_row *row, struct buf *text);

/* -- build.c: making and extending an index -------------------------------- */

#define MBOX_CHUNK (256 << 10)      /* bytes read at once */
#define MBOX_TEXTS_FULL (256 << 10) /* texts buffered before a write */

/* An index being built. */
struct mbox_build {
	struct mbox *m;
	struct arena *a, *scratch;
	unsigned used; /* messages on scratch */
	int out;
	struct buf text;  /* not written yet, */
	uint64_t text_at; /* and its position in the file */
	struct mbox_row *row;
	uint64_t n, room;
	struct mbox_file *file;
	size_t files;
	uint64_t chain;
	struct mbox_number was;
	bool known, differs; /* is there a number, and is it different? */
	uint64_t done, all;
	bool late;
	/* The file being read. */
	int fd;
	uint64_t size, place; /* index plus one of its unfinished message */
	bool stale;
	char *chunk;
};

/* build_put.c: writes after the header of the new file, at a position. */
int mbox_build_put(struct mbox_build *b, const void *p, size_t n, uint64_t at,
    struct err *e);
/* Writes the buffered texts. */
int mbox_build_put_texts(struct mbox_build *b, struct err *e);
/* Fails with the reason in errno. */
int mbox_build_put_failed(struct err *e);

/*
 * Builds on `old`, or from nothing: m->index.  MBOX_STALE: `old` is not valid.
 */
int mbox_build_index(struct mbox *m, const struct mbox_sources *src,
    const struct mbox_index *old, struct err *e);

/* -- scan.c: one file of it -------------------------------------------------
 */

/*
 * Reads the last file of the table, open as b->fd, from where it was left.
 * Sets late if time ran out, and stale if the known data of the file cannot be
 * used.
 */
int mbox_scan_file(struct mbox_build *b, struct err *e);

/* -- state.c: how a file is, by what was known of it ------------------------
 */

enum mbox_state {
	MBOX_SAME,
	MBOX_GROWN,
	MBOX_CHANGED,
};
/* Compares a file with its known state; s is NULL if it is gone. */
enum mbox_state mbox_state_of(struct mbox *m, const struct mbox_file *f,
    const struct mbox_source *s);
/* The source with that name, or NULL; *at is where to look first. */
const struct mbox_source *mbox_state_source(const struct mbox_sources *src,
    const struct mbox_file *f, size_t *at);
/* The block before `size` as a number; false if it cannot be read. */
bool mbox_state_tail(int fd, uint64_t size, uint64_t *out);
bool mbox_state_is_still(int64_t mtime_ns);

/* -- refresh.c: is what we know still so? -----------------------------------
 */

/* Makes m->index the index of the archive as it is now. */
int mbox_refresh(struct mbox *m, struct err *e);
/* The archive differs from its index: builds it again, once. */
int mbox_refresh_again(struct mbox *m, struct err *e);

/* -- mbox.c ------------------------------------------------------------------
 */

/* A connection. */
struct mbox {
	struct conn conn;
	char *path;
	int dir;         /* the archive if it is a folder, else -1 */
	int cache;       /* the folder of emcli's files, or -1 */
	const char *key; /* prefix of emcli's file names */
	struct mbox_index index;
	bool ready;    /* this connection has checked the index */
	bool rebuilt;  /* this connection has built it again */
	int fd;        /* the file read last, or -1 */
	uint32_t file; /* its index in the table */
};

/* The text for backend_in_time(). */
#define MBOX_LATE "reading the archive took too long"

/* -- folder.c --------------------------------------------------------------
 */

/* ERR_NOT_FOUND except for INBOX; then makes sure there is an index. */
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
 * These return MBOX_STALE if the archive differs from the index.  First the
 * bytes of the header.
 */
int mbox_read_head(struct mbox *m, const struct mbox_row *r, struct arena *a,
    struct str *out, struct err *e);
/* At most max bytes of the message, without quoting. */
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
