/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAKE_HOUSE_H
#define TESTS_FAKE_HOUSE_H

/* A store with accounts over the fake stores of mail, and calls through the
 * gate. */
#include "fake.h"
#include "op/op.h"
#include "store/audit.h"
#include "store/store.h"

#define BOSS "From: Boss <boss@us.example>\r\nSubject: plan\r\n"
#define SPAM "From: x@them.example\r\nSubject: plan\r\n"

struct house {
	struct arena *a;
	struct gate *gate;   /* the agent's */
	struct store *store; /* the operator's */
	struct env env;
	char dir[64], db[96];
};

/* The account "work"; boss@us.example is in both of its lists. */
struct terms {
	const char *backend; /* NULL: imap */
	bool in_on, out_on, backlog, ro;
	bool nobody; /* there is no account at all */
};

void house_open(struct house *h, struct terms t);
void house_close(struct house *h);
/* One more of that name, to be changed before it is added: all may be done. */
struct store_account house_account(const char *name, const char *backend);
void house_add(struct house *h, const struct store_account *acct);
/* The operator changes the account. */
void house_change(struct house *h, const char *name,
    void (*change)(struct store_account *acct));
/* A setting of the whole house. */
void house_set(struct house *h, const char *name, const char *value);

/* Runs SQL behind everybody's back. */
void house_sql(struct house *h, const char *sql);
/* Whoever calls from now on. */
void house_caller(struct house *h, struct gate_caller who);

/* "list", "new", "", "limit", "2", NULL: names and their values. */
struct reply house_call(struct house *h, const char *op_name, ...);
/* The same of a list that ends with NULL. */
struct reply house_call_list(struct house *h, const char *op_name,
    const char *const *arg);
#define WORK "account", "work", "folder", "INBOX"

/* The whole reply as text: code, message, data, detail. */
const char *house_text(struct house *h, struct reply r);
/* "ok", a reason ("ro_mode") or a code ("usage"). */
const char *house_word(struct reply r);
/* "7 5": the uids of a page, in its order. */
const char *house_uids(struct house *h, struct reply r);
/* "<b@x> <a@x>": the Message-IDs in a reply, in its order. */
const char *house_ids(struct house *h, struct reply r);
/* What the audit says of the last call of it; empty without a row. */
struct store_audit house_audit(struct house *h, const char *op_name);

/* A row of a table: what there is, what is asked, what is answered. */
struct house_row {
	const char *why;
	struct terms terms;
	void (*arrange)(struct house *h); /* what else there is, or NULL */
	const char *op;
	const char *arg[16];
	const char *want;   /* house_word() */
	const char *uids;   /* house_uids(), or NULL */
	const char *ids;    /* house_ids(), or NULL */
	const char *says;   /* somewhere in house_text(), or NULL */
	const char *audit;  /* the reason on the record, or NULL: any */
	const char *detail; /* somewhere in its detail, or NULL */
};

/* Makes that house and calls: for ROWS() of tests/unit/rows.h. */
void house_row(void **state);

#endif
