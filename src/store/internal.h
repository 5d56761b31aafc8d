/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

/*
 * Shared by the room's files: the handle, and what all of them use.
 */
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"
#include "store/driver.h"
#include "store/keeper.h"
#include "store/signed.h"
#include "store/stmt.h"
#include "store/store.h"
#include "store/tx.h"
#include "store/until.h"

struct signed_set;
struct setting_kept;

/* A file that SQLite has open: the database, its log, the log's index. */
enum {
	STORE_FILES = 3
};
struct store_file {
	dev_t dev;
	ino_t ino;
};

struct store {
	const struct driver *driver;
	void *db;                  /* the driver's own */
	const char *path;          /* the file, absolute; NULL: it is none */
	enum driver_reason failed; /* driver.c */
	struct secret *dek; /* what seals the accounts' secrets; only keeper.c,
			     * and the files that change it, use it */
	struct store_keeper keeper; /* STORE_SERVED: who has it instead */
	struct secret
	    *audit_key;    /* for the chain's signatures; the operator's */
	int64_t dek_count; /* how often the DEK had changed when it was read */
	enum store_role role;
	bool older;                /* than signed copies of the rows */
	bool taken;                /* it was older when it was opened */
	bool draft;                /* nobody else has it: store_open_draft() */
	struct store_taken took;   /* with this in it */
	struct signed_set *before; /* rows before the transaction */
	struct arena *before_in;
	struct outbox_lock *sending;   /* outbox_lock.c; NULL: nothing */
	struct postgres_lock *ready;   /* the same, not taken yet */
	int64_t version;               /* same.c */
	struct setting_kept *settings; /* setting_kept.c; NULL: none, */
	bool keeps_settings;           /* or none is kept */
	bool durable;                  /* durable.c */
	int64_t busy_ms;               /* connect.c: since when it waits */
	struct until until;
	struct store_file file[STORE_FILES]; /* again.c: at these names, */
	unsigned char opened[32];            /* and with this in it */
	mode_t mode_was; /* the file's mode if others could read it; else 0 */
};

/* -- key.c, setting.c ---------------------------------------------------- */

/* Refuses a store that was not opened as the operator. */
int store_key_need_admin(const struct store *s, struct err *e);
/*
 * purge.c.  Runs `drop` if `find` has a row: both with the time before which
 * rows are older than the audit log's retention.  Where others own the schema,
 * they do so.
 */
int purge_old(struct store *s, int64_t now_s, const char *find,
    const char *drop, struct err *e);
/* SQL: which rows of these two that is; ?1 is the time. */
#define PURGE_OLD_OUTBOX " created_s < ?1 AND state NOT IN ('held', 'sending')"
#define PURGE_OLD_JOURNAL " created_s < ?1 AND state <> 'begun'"
/* How long rows are kept; 0: forever. */
int store_setting_days(struct store *s, uint32_t *days, struct err *e);

/*
 * SQL: the agent that the parameter names, and those that share a user of the
 * machine with it: what one of them sent, read or claimed counts for all.
 */
#define STORE_KIN(name)                                                        \
	"(SELECT " name " UNION"                                               \
	" SELECT b.name FROM agent a JOIN agent_uid u ON u.agent_id = a.id"    \
	" JOIN agent_uid v ON v.uid = u.uid"                                   \
	" JOIN agent b ON b.id = v.agent_id WHERE a.name = " name ")"

#endif
