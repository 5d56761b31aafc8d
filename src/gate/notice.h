/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_NOTICE_H
#define GATE_NOTICE_H

/*
 * Telling the operator that something waits: the setting notify.  What a call
 * comes upon is written where it happens; a notice is given later, by a process
 * that no agent waits for.  It has a kind, counts, numbers and the names of
 * accounts, and nothing that anybody else wrote.
 */
#include "gate/gate.h"
#include "store/notice.h"

struct way;

/* -- calls ----------------------------------------------------------------- */

/*
 * From now on `begin` is called after a call, if a notice is due: when its gate
 * is closed.  Not in the broker, whose keeper is told.
 */
void notice_by(void (*begin)(const struct env *env));
/* What a call shows of its account, and whether a notice is due: at its end. */
void notice_of_call(struct way *w, const struct err *e);
/*
 * After a gate is closed: begins what is due, by a process that opens the store
 * itself.  While this one has a store open, that waits for the next.
 */
void notice_due(const struct env *env, bool due);
/* What a check of the log or of the signed rows found; all: of all of it. */
void notice_audit(struct store *s, bool whole, bool all);

/* -- giving them: notice_give.c -------------------------------------------- */

/* A notice that this process gives. */
struct notice {
	struct store_notice is;
	struct str way;     /* the command's line, or */
	struct str address; /* the operator's */
	int64_t audit;      /* its row in the log */
};

/*
 * Gives all that are due, in this process, which has the key or asks a keeper.
 */
void notice_give(const struct env *env);

/* notice_text.c: "2 messages or changes wait for approval". */
struct str notice_text(struct arena *a, const struct store_notice *n);
/* What the operator does about it: a command. */
const char *notice_text_next(enum store_notice_kind kind);
/* What the command reads. */
struct str notice_text_json(struct arena *a, const struct store_notice *n);
/* Is it "mailto:" and an address?  1, with its canonical form; 0; ERR_USAGE. */
int notice_text_address(struct arena *a, struct str way, struct str *out,
    struct err *e);

/*
 * notice_run.c.  Runs the command, with that text as its input.  db: the
 * database, whose folder holds nothing of it, with no link as its last name.
 * user: who besides root may change its files.  ERR_CONFIG; ERR_LIMIT: the text
 * is longer than LIMIT_NOTICE_JSON.
 */
int notice_run(const char *line, struct str json, const char *db, uint32_t user,
    struct err *e);
/*
 * From now on this does it instead, and finds out by itself what the command
 * is.
 */
void notice_run_by(int (*run)(struct str json, struct err *e));
/*
 * The setting: may it be run by this user?  Nothing in or below the folder of
 * the database may: processes that read mail write there.  db NULL: it is in no
 * file.  ERR_CONFIG.
 */
int notice_run_check(const char *line, const char *db, uint32_t user,
    struct err *e);
/*
 * Would a broker run it too?  Its workers are of the database's user, so it
 * runs root's files alone.  False: why, for the operator.
 */
bool notice_run_in_broker(struct arena *a, const char *line, const char *db,
    struct str *why);

/* notice_mail.c.  Sends it by an account that can send; detail: by which. */
int notice_mail(struct store *s, const struct env *env, struct arena *a,
    const struct notice *n, struct str *detail, struct err *e);
/* Could that account send it? */
bool notice_mail_can(struct store *s, struct arena *a, struct str account);

#endif
