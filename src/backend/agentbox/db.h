/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_DB_H
#define BACKEND_AGENTBOX_DB_H

/*
 * The three kinds of database of a root.  They have the tables of the upstream
 * program, except emcli.sqlite, which is ours.  A database is opened for one
 * task and closed again, except emcli.sqlite, the mailbox that is read, and
 * index.sqlite, of which one is kept for the next task.  A
 * hostile one can only give wrong answers: triggers and views are off, the
 * schema is not trusted, and values and time have limits.
 */
#include <sys/stat.h>

#include "backend/agentbox/message.h"
#include "backend/agentbox/register.h"
#include "backend/agentbox/root.h"
#include "backend/agentbox/view.h"

struct sqlite3;
struct sqlite3_stmt;

#define DB_INDEX "index.sqlite"
#define DB_BOX "mailbox.sqlite"

struct db {
	struct sqlite3 *h;
	int64_t deadline_ms;
	struct sqlite3_stmt *code; /* finds what a database may not hold */
	struct sqlite3_stmt *one;  /* db_view.c: for one message; or NULL */
	struct sqlite3_stmt *has;  /* db_view.c: of its registration; or NULL */
	struct db_spare *home;     /* where it is kept when closed, or NULL */
	struct stat was;           /* then: its file before it was opened */
};

/* db_spare.c: an index.sqlite that is open and in no use; h NULL: none is. */
struct db_spare {
	struct sqlite3 *h;
	struct sqlite3_stmt *code;
	struct stat was;
};

/* 1; 0: there is none, or the file is another one by now; -1. */
int db_spare_take(struct db *d, const struct agentbox_root *r, struct err *e);
void db_spare_close(struct db_spare *s);

/* db_stmt.c: the only access to SQLite. */
/*
 * Opens the file with that name in that folder; with `make` an empty one is
 * created if it is missing.  ERR_DB; reason "root_stale" if it is not a
 * database.
 */
int db_stmt_open(struct db *d, const struct agentbox_root *r, int folder,
    const char *dir, const char *file, bool make, struct err *e);
/* The deadline of the root is from now on that of this database. */
void db_stmt_until(struct db *d, const struct agentbox_root *r);
/* Refuses triggers and views. */
int db_stmt_check(struct db *d, struct err *e);
/* Rolls back uncommitted changes; keeps one that has a home.  For CLEANUP. */
void db_stmt_close(struct db *d);
int db_stmt_prepare(struct db *d, const char *sql, struct sqlite3_stmt **out,
    struct err *e);
void db_stmt_done(struct sqlite3_stmt **st);
void db_stmt_text(struct sqlite3_stmt *st, int i, struct str s);
void db_stmt_text_or_null(struct sqlite3_stmt *st, int i, struct str s);
void db_stmt_int(struct sqlite3_stmt *st, int i, int64_t n);
void db_stmt_blob(struct sqlite3_stmt *st, int i, struct str s);
/* 1 a row, 0 the end, -1. */
int db_stmt_step(struct db *d, struct sqlite3_stmt *st, struct err *e);
/* Runs it to the end, and resets it to run again. */
int db_stmt_run(struct db *d, struct sqlite3_stmt *st, struct err *e);
/* Copies; NULL becomes empty. */
struct str db_stmt_column(struct sqlite3_stmt *st, int i, struct arena *a);
int64_t db_stmt_number(struct sqlite3_stmt *st, int i);
int db_stmt_exec(struct db *d, const char *sql, struct err *e);
int db_stmt_begin(struct db *d, struct err *e); /* with the write lock */
int db_stmt_commit(struct db *d, struct err *e);
void db_stmt_rollback(struct db *d);
int db_stmt_fail(struct db *d, struct err *e);

/* db_index.c: index.sqlite. */
int db_index_open(struct db *d, const struct agentbox_root *r, bool make,
    struct err *e);

/* db_reg.c: its registrations. */
int db_reg_active(struct db *d, struct str address, struct arena *a,
    struct agentbox_reg *out, struct err *e); /* 1, 0, -1 */
int db_reg_id(struct db *d, struct str id, struct arena *a,
    struct agentbox_reg *out, struct err *e);
/* The newest registration of an address's mailbox, active or not. */
int db_reg_claims(struct db *d, struct str entry_path, struct arena *a,
    struct agentbox_reg *out, struct err *e);
/* The active one whose private folder this is. */
int db_reg_private(struct db *d, struct str path, struct arena *a,
    struct agentbox_reg *out, struct err *e);
int db_reg_list(struct db *d, struct arena *a, struct agentbox_regs *out,
    struct err *e);
int db_reg_add(struct db *d, const struct agentbox_reg *reg, struct err *e);
/* Writes every column of the row with that id. */
int db_reg_put(struct db *d, const struct agentbox_reg *reg, struct err *e);
/* Removes the projections, and with `row` the registration itself. */
int db_reg_purge(struct db *d, struct str id, bool row, struct err *e);

/* db_box.c: mailbox.sqlite, a mailbox's state of its messages. */
int db_box_open(struct db *d, const struct agentbox_root *r, int box, bool make,
    struct err *e);
/* Deletes all state. */
int db_box_clear(struct db *d, struct err *e);
/* Adds the row of a message, and its thread's, if they are missing. */
int db_box_put(struct db *d, const struct agentbox_message *m, bool read,
    struct err *e);
/* The same without the thread's row, within a transaction. */
int db_box_insert(struct db *d, const struct agentbox_message *m, bool read,
    struct err *e);
int db_box_thread(struct db *d, struct str thread, struct err *e);
/* Sets flags in an existing row. */
int db_box_set(struct db *d, struct str id, const struct agentbox_change *c,
    struct err *e);
int db_box_has(struct db *d, struct str id, struct arena *a, struct str *thread,
    struct err *e); /* 1, 0, -1 */

/* db_own.c: emcli.sqlite, which the upstream program does not read. */
/* Opened once, and kept open with the root; NULL with *e. */
struct db *db_own(struct agentbox_root *r, struct err *e);
void db_own_close(struct agentbox_root *r);
/* 1, 0 if there is none, -1. */
int db_own_meta(struct db *d, const char *name, struct arena *a,
    struct str *out, struct err *e);
int db_own_meta_put(struct db *d, const char *name, struct str value,
    struct err *e);
int db_own_row_add(struct db *d, const char *kind, struct str plan,
    int64_t *seq, struct err *e);
/* The first row after that number: 1, 0, -1. */
int db_own_row_next(struct db *d, int64_t after, struct arena *a, int64_t *seq,
    struct str *kind, struct str *plan, struct err *e);
int db_own_row_done(struct db *d, int64_t seq, struct err *e);
/* How many rows there are. */
int db_own_rows(struct db *d, size_t *n, struct err *e);

/* db_mail.c: its messages. */
/* One mailbox that has a copy. */
struct db_copy {
	struct str address, reg;
	bool is_sender, is_recipient;
	struct str box;                 /* the place of a recipient's copy */
	struct str box_path, sent_path; /* absolute paths of the links */
};

struct db_mail {
	const struct agentbox_message *message;
	struct str file;      /* the whole document */
	struct str canonical; /* its absolute path, for the upstream program */
	struct str headers_json;
	struct str sender_reg; /* or empty */
	const struct db_copy *to;
	size_t n;
};

/* Adds all of its missing rows, in one transaction. */
int db_mail_put(struct db *d, const struct db_mail *m, struct err *e);
int db_mail_thread(struct db *d, struct str thread, struct err *e);
int db_mail_project(struct db *d, struct str reg, struct str id, struct str box,
    struct str path, struct err *e);
int db_mail_created(struct db *d, struct str id, struct arena *a,
    struct str *out, struct err *e); /* 1, 0, -1 */
int db_mail_is_projected(struct db *d, struct str reg, struct str id,
    struct err *e); /* 1, 0, -1 */
/* The box of a message in a mailbox; "sent" if it was only sent. */
int db_mail_box(struct db *d, struct str reg, struct str id, struct arena *a,
    struct str *out, struct err *e); /* 1, 0, -1 */
/* The id, thread, created and subject of a message; empty if 0. */
int db_mail_facts(struct db *d, struct str id, struct arena *a,
    struct agentbox_message *out, struct err *e); /* 1, 0, -1 */
/* Moves it into that box from any box except "sent". */
int db_mail_move(struct db *d, struct str reg, struct str id, struct str box,
    struct str path, struct err *e);

/* db_keep.c: emcli.sqlite's data about messages. */
int db_keep_mac_put(struct db *d, struct str id, struct str digest,
    struct str mac, struct err *e);
int db_keep_mac(struct db *d, struct str id, struct arena *a, struct str *out,
    struct err *e); /* 1, 0, -1 */
int db_keep_mac_drop(struct db *d, const struct strs *ids, struct err *e);
int db_keep_key_put(struct db *d, struct str address, struct str key,
    struct str digest, struct str id, struct err *e);
int db_keep_key(struct db *d, struct str address, struct str key,
    struct arena *a, struct str *digest, struct str *id,
    struct err *e); /* 1, 0, -1 */
/* p NULL: the box it was delivered to. */
int db_keep_box(struct db *d, struct str address, struct str id, struct str box,
    struct err *e);
int db_keep_answered(struct db *d, struct str address, struct str id, bool yes,
    struct err *e);
/*
 * Removes all rows of an address whose mailbox was removed, or renames them for
 * one that was set aside under a name.
 */
int db_keep_forget(struct db *d, struct str address, struct err *e);
int db_keep_rename(struct db *d, struct str from, struct str to, struct err *e);
int db_keep_day(struct db *d, struct str day, int64_t *mtime_ns,
    struct err *e); /* 1, 0, -1 */
int db_keep_day_put(struct db *d, struct str day, int64_t mtime_ns,
    struct err *e);
int db_keep_damaged_put(struct db *d, struct str name, struct str why,
    struct err *e);
int db_keep_damaged(struct db *d, struct arena *a, struct strs *out,
    struct err *e);
int db_keep_damaged_clear(struct db *d, struct err *e);

/* db_read.c: a mailbox that is open to be read. */
/*
 * mailbox.sqlite of a registered address with the other two attached, and the
 * registration, which lives as long as the root.  It stays open for the next
 * call, which checks that the files and the registration are still the same.
 * NULL with *e; ERR_NOT_FOUND: the address has no active registration.
 */
struct db *db_read(struct agentbox_root *r, struct str address,
    const struct agentbox_reg **reg, struct err *e);
void db_read_close(struct agentbox_root *r);

/* db_view.c: reads mailbox.sqlite together with the other two. */
int db_view_open(struct db *d, struct agentbox_root *r, int box, struct err *e);
/* Is that registration active, as it was? */
int db_view_has(struct db *d, const struct agentbox_reg *reg, struct err *e);
int db_view_list(struct db *d, const struct agentbox_reg *reg,
    const struct agentbox_want *w, struct arena *a,
    struct agentbox_entries *out, struct err *e);
int db_view_count(struct db *d, const struct agentbox_reg *reg,
    const struct agentbox_want *w, size_t *out, struct err *e);
int db_view_boxes(struct db *d, const struct agentbox_reg *reg, struct arena *a,
    struct strs *out, struct err *e);

/* db_change.c: how far the rows of a mailbox went. */
struct db_mark {
	int64_t state, projection, moved; /* the last row of each table */
	struct str same;                  /* a digest of what must not change */
	struct str last;                  /* a digest of whose rows those are */
};
/* Of the mailbox that db_read() opened. */
int db_change_mark(struct db *d, const struct agentbox_root *r,
    const struct agentbox_reg *reg, struct arena *a, struct db_mark *out,
    struct err *e);
/* What `last` of that mark would be now. */
int db_change_last(struct db *d, const struct db_mark *m, struct arena *a,
    struct str *out, struct err *e);
/* Messages with a row behind the mark, at most `max`. */
int db_change_ids(struct db *d, const struct agentbox_reg *reg,
    const struct db_mark *m, size_t max, struct arena *a, struct strs *out,
    struct err *e);

/* db_fix.c: for repair. */
/* Changes every absolute path to the root's current path. */
int db_fix_paths(struct db *d, struct str root, struct err *e);
/* Reports each message of a mailbox, and its box. */
int db_fix_each(struct db *d, struct str reg, struct arena *a,
    int (*one)(void *ctx, const struct agentbox_message *m, struct str box,
	struct err *e),
    void *ctx, struct err *e);
/* Every message, and when it was written. */
int db_fix_ids(struct db *d, struct arena *a, struct strs *ids,
    struct strs *created, struct err *e);

/* db_clear.c: messages that are removed on command. */
/*
 * Those that only the mailbox of that registration has, or all of the root
 * (empty), with their days: "2026-04-08".
 */
int db_clear_list(struct db *d, struct str reg, struct arena *a,
    struct strs *ids, struct strs *days, struct err *e);
/* How many messages that mailbox has. */
int db_clear_count(struct db *d, struct str reg, size_t *n, struct err *e);
/* Removes the rows of the mailboxes and of the messages, in one transaction.
 * The foreign keys of this connection are off from then on. */
int db_clear_rows(struct db *d, const struct strs *regs, const struct strs *ids,
    struct err *e);
/* The digests of copied files that no message has; then their rows go. */
int db_clear_copies(struct db *d, struct arena *a, struct strs *sums,
    struct err *e);
int db_clear_unused(struct db *d, struct err *e);

/* db_port.c: databases of another root, and conversion of ours. */
/* Reads each message's state in mailbox.sqlite of protocol 1 or 3. */
int db_port_state(struct db *d, struct arena *a, struct agentbox_entries *out,
    struct err *e);
/* Converts mailbox.sqlite, index.sqlite of protocol 1 to protocol 3. */
int db_port_upgrade_box(struct db *d, struct err *e);
int db_port_upgrade_index(struct db *d, struct err *e);
/* The answered flag and the box of each. */
int db_port_put_box(struct db *d, const struct agentbox_entries *l,
    struct err *e);
int db_port_document(struct db *d, struct str id, struct str file,
    struct err *e);

#endif
