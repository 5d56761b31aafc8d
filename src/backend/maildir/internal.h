/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MAILDIR_INTERNAL_H
#define BACKEND_MAILDIR_INTERNAL_H

/*
 * Shared by the files of this backend.  Magnitudes: tens of folders, 10^5
 * messages; an account's whole state is a few descriptors and one index.
 */
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "backend/internal.h"
#include "base/limits.h"
#include "base/path.h"

/* A folder's file name begins with a dot, and NAME_MAX is 255. */
#define MAILDIR_NAME 254

/* With fewer messages, reading them is as fast as using an index. */
#define MAILDIR_FEW 500

/* One message as a file; its id is the file's name up to the first colon. */
struct maildir_file {
	struct str id;
	struct str name;  /* the whole file name */
	bool in_new;      /* in new/, else in cur/ */
	uint64_t secs;    /* time of arrival, from its name or its mtime */
	int64_t mtime_ns; /* read only if secs are equal */
	size_t seq;       /* position in the scan */
};

/* One half of a folder, for detecting changes. */
struct maildir_half {
	uint64_t dev, ino;
	int64_t mtime_ns, ctime_ns;
};

/* The folder's state, and when it was read. */
struct maildir_view {
	struct maildir_half half[2]; /* cur/, new/ */
	int64_t at_ns;               /* by the wall clock, */
	int64_t ahead_ns; /* how far that is ahead of a clock nobody sets */
};

/* The stored file names of a folder, mapped.  See listing.c. */
struct maildir_listing_head {
	char magic[8];
	uint32_t version, row_n;
	uint64_t n, text_n;
	uint64_t order_sum, sum; /* of the order; of the header */
	struct maildir_view view;
	uint64_t digest[4]; /* of the ids in order of arrival */
};

struct maildir_listing_row;
struct maildir_listing {
	struct str map;
	const struct maildir_listing_head *head; /* NULL: none */
	const struct maildir_listing_row *row;   /* by id */
	const uint32_t *order; /* in order of arrival: indexes */
	const char *text;
};

/* The files of a folder at its last scan, by id. */
struct maildir_index {
	struct arena
	    *a; /* its own, so that a rescan frees the previous; or NULL */
	struct maildir_file *v; /* NULL: maildir_index_whole() makes it */
	size_t n;
	struct maildir_listing kept;
	struct maildir_view view; /* its state before the scan */
	bool quiet;               /* nothing changed during the scan */
};

/*
 * Data about a message that is known without opening it, so that a question
 * about a thread does not read every header again: a file never changes (only
 * its name).  Its texts are consecutive: the id, then a line for each field.
 * Stored in this form; ascending by id.
 */
enum maildir_text {
	MAILDIR_ID,
	MAILDIR_MESSAGE_ID, /* Message-ID */
	MAILDIR_REFERS,     /* References, In-Reply-To */
	MAILDIR_LIST,       /* List-Id */
	MAILDIR_TEXTS       /* how many there are */
};

struct maildir_fact {
	uint64_t text_at;
	int64_t received_s;
	uint32_t text_n[MAILDIR_TEXTS];
	uint32_t open; /* the header must be read: too long, or not read yet */
	uint32_t nothing;
};

struct maildir_facts {
	struct arena *a; /* their memory, */
	struct str map;  /* or the mapped file */
	const struct maildir_fact *v;
	size_t n;
	struct str text;
	bool whole; /* for every message of the index */
};

/* A connection: the mailbox and the most recently used folder. */
struct maildir {
	struct conn conn;
	/* The folder that contains Maildirs named by address; -1: it is not
	 * open. */
	int site;
	int box;         /* the account's own Maildir */
	struct str self; /* the account's own address, canonical */

	struct str folder; /* the open folder, stored in `name` */
	char name[MAILDIR_NAME];
	int cur, new; /* its two halves, or -1 */
	struct maildir_index index;
	struct maildir_facts facts;
	bool rescanned; /* in this call, because a file had moved */
};

/* The text for backend_in_time(). */
#define MAILDIR_LATE "reading the folder took too long"

/* folder.c */
int maildir_folder_list(struct conn *c, struct arena *a, struct folders *out,
    struct err *e);
/* Opens folder `name`; ERR_NOT_FOUND. */
int maildir_folder_open(struct maildir *m, struct str name, struct err *e);
void maildir_folder_close(struct maildir *m);
/* The folder itself, which contains the halves: a descriptor, or -1. */
int maildir_folder_dir(const struct maildir *m, struct str name);

/* trust.c */
/* Reads the state now; false: its times prove nothing. */
bool maildir_trust_look(const struct maildir *m, struct maildir_view *out);
/* Were the last changes long enough ago that the next will have other times? */
bool maildir_trust_settled(const struct maildir_view *v);
/*
 * The same for changes during a scan, on this machine's own file systems: are
 * they older than one step of the clock that dates files?
 */
bool maildir_trust_dated(const struct maildir_view *v);
/* Is what was read at the first still valid at the second? */
bool maildir_trust_holds(const struct maildir_view *was,
    const struct maildir_view *is);

/* scan.c */
/* Reads the open folder's file names into an empty index. */
int maildir_scan(struct maildir *m, struct err *e);
/* All of v in order of arrival; seq is the index in v. */
const struct maildir_file *maildir_scan_order(struct maildir *m);

/* listing.c */
bool maildir_listing_load(struct maildir *m, struct maildir_listing *out);
void maildir_listing_drop(struct maildir_listing *x);
/* The file at an index below head->n; false: the listing is damaged. */
bool maildir_listing_at(const struct maildir_listing *x, size_t place,
    struct maildir_file *out);
/* Fills in ids, which has room; false: the listing is damaged. */
bool maildir_listing_order(const struct maildir_listing *x, struct arena *a,
    struct strs *ids);
struct str maildir_listing_digest(const struct maildir_listing *x,
    struct arena *a);
/*
 * Saves the scan, if that is worthwhile.  Returns the digest; "" for few files.
 */
struct str maildir_listing_save(struct maildir *m,
    const struct maildir_file *order, struct arena *a);

/* index.c */
/* Reads the open folder's file names again. */
int maildir_index_read(struct maildir *m, struct err *e);
/* Is the index, in memory or stored, that of the folder now? */
bool maildir_index_known(struct maildir *m);
/* Makes sure that there is an index. */
int maildir_index_need(struct maildir *m, struct err *e);
/* Makes sure that v is complete. */
int maildir_index_whole(struct maildir *m, struct err *e);
void maildir_index_drop(struct maildir *m);
/* The file with that id: 1, 0 if there is none, -1 if the cache is damaged. */
int maildir_index_get(const struct maildir *m, struct str id,
    struct maildir_file *out);
/* What its name tells of a message: enum backend_flag, or-ed. */
unsigned maildir_index_flags(const struct maildir *m, struct str id,
    bool *draft);
/* Every id in order of arrival, and their digest; "" for few files. */
int maildir_index_order(struct maildir *m, struct arena *a, struct strs *ids,
    struct str *digest, struct err *e);
/*
 * Opens a message for reading: 1 and a descriptor, 0 if it does not exist, -1
 * error.  Finds a file that was renamed since the scan.
 */
int maildir_index_file(struct maildir *m, struct str id, int *fd,
    struct stat *st, struct err *e);

/* The same for a file of the current index; *moved: it is not there. */
int maildir_index_open(const struct maildir *m, const struct maildir_file *f,
    int *fd, struct stat *st, bool *moved, struct err *e);

/* flag.c */
/* What is after the id in a file's name. */
struct str maildir_flag_info(const struct maildir_file *f);
unsigned maildir_flag_read(const struct maildir_file *f, bool *draft);
/*
 * The name in cur/ with other flags: 1; 0: it has them; -1: ERR_UNSUPPORTED.
 */
int maildir_flag_name(const struct maildir_file *f, unsigned set,
    unsigned clear, char out[NAME_MAX + 1], struct err *e);

/* facts.c */
/* Makes facts for the whole index. */
int maildir_facts_need(struct maildir *m, struct err *e);
/* False: the message with that id does not match. */
bool maildir_facts_fit(const struct maildir *m, struct str id,
    const struct query *q, struct str list_id);
/*
 * The id of the i-th fact and the ids its message names, views into the facts;
 * false: its header must be read.
 */
bool maildir_facts_names(const struct maildir *m, size_t i, struct arena *a,
    struct str *id, struct strs *names);
void maildir_facts_drop(struct maildir *m);

/* cache.c: emcli's own files, distinguished by the end of the name */
bool maildir_cache_map(const struct maildir *m, const char *end,
    struct str *out);
void maildir_cache_unmap(struct str *map);
/* A reader sees the old or the new file. */
void maildir_cache_put(const struct maildir *m, const char *end,
    struct str bytes);

/* facts_file.c: stored in the cache folder, if there is one. */
/* False: there is no valid file, and facts must be dropped. */
bool maildir_facts_file_load(struct maildir *m);
void maildir_facts_file_save(const struct maildir *m);

/* bytes.c */
/* The header block of an open message, without the empty line after it. */
int maildir_bytes_head(int fd, struct arena *a, struct str *out, struct err *e);
/* At most max bytes from the beginning. */
int maildir_bytes_first(int fd, const struct stat *st, size_t max,
    struct arena *a, struct str *out, struct err *e);

/* read.c */
int maildir_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e);
int maildir_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);
int maildir_read_ids(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e);
/* The folder's state, if it is known without reading it. */
int maildir_read_listing(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct err *e);
/* Makes the row of an open message and adds it. */
int maildir_read_row(const struct maildir *m, int fd, const struct stat *st,
    const struct ref *ref, struct str head, struct arena *a, struct rows *out,
    struct err *e);

/* links.c */
int maildir_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e);

/* find.c */
int maildir_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);

/* submit.c */
int maildir_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e);
/* A unique file name, and writing a whole text to a file. */
#define MAILDIR_UNIQUE 128
int maildir_submit_name(char out[MAILDIR_UNIQUE], struct err *e);
int maildir_submit_text(int fd, struct str s);

/* append.c */
int maildir_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e);
/* With such flags, ordered by letter; `id` becomes its name. */
int maildir_append_file(struct maildir *m, struct str folder,
    struct str message, const char *flags, char id[MAILDIR_UNIQUE],
    struct err *e);

/* watch.c */
int maildir_watch(struct conn *c, struct arena *a,
    const struct backend_watch *w, bool *changed, struct err *e);

/* draft.c */
int maildir_draft_folder(struct conn *c, struct arena *a, struct str *folder,
    struct err *e);
int maildir_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e);

#endif
