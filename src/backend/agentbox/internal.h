/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_INTERNAL_H
#define BACKEND_AGENTBOX_INTERNAL_H

/*
 * What most files of this backend need: the open root, names, folders, the
 * lock.  Magnitudes: registrations tens, at most LIMIT_AGENTBOX_REGS; messages
 * 10^5; one day's folder 10^4 files.
 */
#include <limits.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "backend/agentbox/deliver.h"
#include "backend/agentbox/name.h"
#include "backend/agentbox/register.h"
#include "backend/agentbox/root.h"
#include "backend/internal.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/path.h"

#define AGENTBOX_VERSION_FILE "protocol-version.txt"
#define AGENTBOX_VERSION "1\n"

struct db;
struct db_spare;

struct agentbox_root {
	struct arena *a;
	struct agentbox_use use;
	struct str path;  /* absolute, no link in it */
	struct str shown; /* the same, as links and rows name it */
	int dir;
	int lock;       /* locks/emcli.flock while it is held, or -1 */
	unsigned depth; /* how many times it is held */
	struct strs notes;
	struct db *own; /* emcli.sqlite, once it is open */
	struct db_spare *spare;
	/* db_read.c: the mailbox that was read last, and stays open. */
	struct db *read;
	struct agentbox_reg read_reg;
	int read_box; /* its folder, or -1 */
	struct stat read_was[2];
};

/* Moves a descriptor out of a CLEANUP. */
static inline int
agentbox_take(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/* name.c: names before they become paths; an address is in name.h.  Pure. */
/* "<address>--<32 hex>", a mailbox put aside. */
bool agentbox_name_stashed(struct str s);
/* "msg-20260408T101112Z-<32 hex>". */
bool agentbox_name_message(struct str s);
/* "msg-...md": the id, or false. */
bool agentbox_name_file(struct str s, struct str *id);
/* A box: one segment, printable, at most LIMIT_FILE_NAME bytes. */
bool agentbox_name_box(struct str s);
/* "2026-04-08T10:11:12Z", and nothing else. */
bool agentbox_name_time(struct str s);
bool agentbox_name_day(struct str s); /* "2026-04-08" */
/* n random bytes as lower case hexadecimal digits, after the prefix. */
struct str agentbox_name_new(struct arena *a, const char *prefix, size_t n);

/* layout.c: the folders of a root, each opened through no link. */
/* Opens the root itself, checks whose it is; fills in path and dir. */
int agentbox_layout_root(struct agentbox_root *r, const char *path,
    struct err *e);
/* ERR_CONFIG with that reason. */
int agentbox_layout_refuse(struct err *e, const char *reason, const char *say);
/* layout_make.c: every folder and the version file, where missing. */
int agentbox_layout_make(struct agentbox_root *r, struct err *e);
/* layout_check.c: version, entries of mailboxes/, earlier layouts. */
int agentbox_layout_check(struct agentbox_root *r, struct err *e);
/* The same, and a version of 3 will do as well: it is told. */
int agentbox_layout_check_other(struct agentbox_root *r, unsigned *protocol,
    struct err *e);
/*
 * A folder below `at` by a path of segments; `make` makes what is missing,
 * 0700, and puts its name on disk.  -1 and errno.
 */
int agentbox_layout_open(int at, const char *rel, bool make);
/* The same of the root: ERR_CONFIG. */
int agentbox_layout_folder(const struct agentbox_root *r, const char *rel,
    struct err *e);
/* A regular file in an open folder, read whole: 1, 0 not there, -1. */
int agentbox_layout_read(int folder, const char *name, size_t max,
    struct arena *a, struct str *out, struct err *e);
/* Puts a small text there, whole, unless there is something of that name. */
int agentbox_layout_put(const struct agentbox_root *r, const char *folder,
    const char *name, const char *text, struct err *e);
/* Puts an empty file of mode 0600 there, if there is none.  -1 and errno. */
int agentbox_layout_touch(int folder, const char *name);
/* Removes a folder with what is in it, links unfollowed.  -1 and errno. */
int agentbox_layout_remove(int at, const char *name);
/* The absolute path of a message file, as links and rows have it. */
struct str agentbox_layout_message(const struct agentbox_root *r, struct str id,
    struct str day, struct arena *a);
void agentbox_layout_note(struct agentbox_root *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* register_check.c: may that be claimed in any root? */
int agentbox_register_check(const struct agentbox_root *r,
    const struct agentbox_claim *c, struct err *e);
int agentbox_register_check_refuse(struct err *e, enum err_kind kind,
    const char *reason, const char *say);

/* box.c: the folder of one mailbox. */
/*
 * Opens it, through no link but the entry of a private one, and checks that its
 * boxes are there.  A descriptor, or -1 with ERR_CONFIG, reason
 * "mailbox_missing".
 */
int agentbox_box_open(const struct agentbox_root *r,
    const struct agentbox_reg *reg, struct err *e);
/* The same, and makes what is missing. */
int agentbox_box_make(const struct agentbox_root *r,
    const struct agentbox_reg *reg, struct err *e);
/* Its name below mailboxes/: the address, or what it was put aside as. */
struct str agentbox_box_name(const struct agentbox_reg *reg);
/* The absolute path of it, as rows have it. */
struct str agentbox_box_where(const struct agentbox_root *r,
    const struct agentbox_reg *reg, struct arena *a);
/* Its path, for a database: what is open, not what a row says. */
int agentbox_box_path(int box, char out[PATH_MAX], struct err *e);

/*
 * replay.c: a journal row says what is to be done, and is written before any of
 * it; each step of it is done only if it is not done yet.
 */
/*
 * Writes the row, in one transaction with what `also` writes (NULL: nothing),
 * and does what it says.  0; 1 when the row is written and could not be done
 * now, with *e saying why: it will be; -1 when nothing was written.
 */
int agentbox_replay_new(struct agentbox_root *r, const char *kind,
    struct str plan,
    int (*also)(struct db *own, const void *ctx, struct err *e),
    const void *ctx, struct err *e);
/* Does what is left of the rows that are there.  How many, or -1. */
int agentbox_replay(struct agentbox_root *r, struct err *e);

/* plan.c: the JSON of journal rows. */
#define AGENTBOX_PLAN (8UL << 20) /* bytes */
void agentbox_plan_put_reg(struct json *j, const char *key,
    const struct agentbox_reg *reg);
/* False: there is none of that name, or it is not whole. */
bool agentbox_plan_reg(const struct json_value *v, const char *key,
    struct arena *a, struct agentbox_reg *out);
/* A text, copied; empty where there is none. */
struct str agentbox_plan_text(const struct json_value *v, const char *key,
    struct arena *a);
bool agentbox_plan_flag(const struct json_value *v, const char *key);
/* A row that cannot be what we wrote: ERR_DB, reason "damaged". */
int agentbox_plan_broken(struct err *e, const char *what);

/* apply_*.c: one row of that kind, done.  Whoever calls holds the lock. */
int agentbox_apply_reg(struct agentbox_root *r, struct str plan, struct err *e);
int agentbox_apply_mail(struct agentbox_root *r, struct str plan,
    struct err *e);
int agentbox_apply_state(struct agentbox_root *r, struct str plan,
    struct err *e);
int agentbox_apply_clear(struct agentbox_root *r, struct str plan,
    struct err *e);

/* attach.c */
/* SHA-256 in hexadecimal digits. */
struct str agentbox_attach_digest(struct arena *a, struct str bytes);
/* Copies a file into the root, on disk when it returns. */
int agentbox_attach_put(const struct agentbox_root *r,
    const struct agentbox_file *f, struct arena *a,
    struct agentbox_attachment *out, struct err *e);

/* load.c: what is signed of a delivered file. */
int agentbox_load_mac(const struct agentbox_root *r,
    const struct agentbox_party *from, struct str id, struct str digest,
    unsigned char out[32], struct err *e);

/* root.c: opens a root of that protocol, and does nothing else. */
int agentbox_root_plain(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, struct err *e);
/* The same of protocol 1 or 3, to be read. */
int agentbox_root_other(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, unsigned *protocol, struct err *e);
/* agentbox_root_make() of a root that will be renamed to that path. */
int agentbox_root_make_as(const char *path, struct str shown,
    const struct agentbox_use *use, struct agentbox_root **out, struct err *e);
/* import_state.c: of the messages in `new`, or NULL: of all. */
int agentbox_import_state(struct agentbox_root *to, struct agentbox_root *from,
    const struct agentbox_regs *regs, const struct strs *new, struct arena *a,
    struct err *e);
/* In emcli.sqlite while the index lacks its registrations. */
#define AGENTBOX_LOST "lost"
/* regain.c: registrations, after the index was lost; those that are active
 * stay as they are. */
int agentbox_regain(struct agentbox_root *r, struct err *e);

/* days.c: folders of messages that were looked through. */
int64_t agentbox_days_time(const struct stat *st);
/* It changed from the one to the other by what we put there ourselves. */
void agentbox_days_keep(struct agentbox_root *r, struct str day,
    const struct stat *was, const struct stat *is);
int agentbox_days_is_known(struct agentbox_root *r, struct str day,
    const struct stat *is, struct err *e); /* 1, 0, -1 */

/* sweep.c: is there anything nobody knows of?  1, 0, -1. */
int agentbox_sweep_is_due(struct agentbox_root *r, struct err *e);
/* Adopts it, or puts it aside.  Whoever calls holds the lock. */
int agentbox_sweep(struct agentbox_root *r, struct err *e);

/* rules.c: the texts of rules/, where there are none. */
int agentbox_rules_put(const struct agentbox_root *r, struct err *e);

/* lock.c: one writer.  Taken more than once by the same root. */
int agentbox_lock_take(struct agentbox_root *r, struct err *e);
/* The same, for a *held that CLEANUP(agentbox_lock_done) lets go. */
int agentbox_lock_hold(struct agentbox_root *r, struct agentbox_root **held,
    struct err *e);
/* 1 taken, 0 somebody else holds it, -1. */
int agentbox_lock_try(struct agentbox_root *r, struct agentbox_root **held,
    struct err *e);
void agentbox_lock_drop(struct agentbox_root *r);
/* For CLEANUP: drops what was taken, if *r is not NULL. */
void agentbox_lock_done(struct agentbox_root **r);
/* Is there a lock of a dead process, which keeps the upstream program out? */
bool agentbox_lock_is_left(const struct agentbox_root *r);
/* Removes the locks of addresses whose holders are dead.  How many. */
size_t agentbox_lock_sweep(struct agentbox_root *r);
/* lock_left.c: 1: of a dead process; 0: of a living one; -1: there is none. */
int agentbox_lock_left_look(int folder, const char *name);
/* The locks of dead processes, as "locks/index.lock". */
void agentbox_lock_left(const struct agentbox_root *r, struct arena *a,
    struct strs *out);

#endif
