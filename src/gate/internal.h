/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_INTERNAL_H
#define GATE_INTERNAL_H

/* Shared by the gate's own files; nobody else includes it. */
#include "gate/gate.h"
#include "gate/health.h"
#include "gate/mailbox.h"
#include "gate/outbox.h"
#include "gate/sole.h"
#include "mime/compose.h"
#include "source/source.h"
#include "store/outbox.h"
#include "store/rematch.h"
#include "store/store.h"

struct gate {
	struct store *store;
	const struct env *env;
	struct str principal;
	char name[80]; /* storage for principal */
	struct gate_caller caller;
	struct gate_caller own; /* limits of the agent with that name */
	struct arena *arena;    /* its memory */
	bool skills_dir;        /* it read a folder that may change */
	bool notice;            /* a notice to the operator is due */
	void (*progress)(uint64_t done, uint64_t all); /* or NULL */
	void (*watching)(void);                        /* or NULL */
	const struct gate_saves *saves;                /* or NULL */
	struct outbox_asking *asking; /* outbox_ask.c's call, or NULL */
	bool remote;                  /* the caller is another process, of */
	uint32_t uid;                 /* this user */
	const char *confined_by;      /* what confines this process, or NULL */
	bool confined;                /* and nothing is missing of it */
	const struct op
	    *operates;           /* operator's operation that it is open for */
	struct gate_lines notes; /* operate_notes() */
	const struct operate_door *door; /* operate_serve()'s */
	int (*last)(void *ctx, struct arena *a,
	    struct err *e); /* operate_then()'s */
	void *last_ctx;
};

/*
 * operate.c. Resolves the account, and records asked and judged; *audit stays 0
 * if the operation leaves no row.  Refuses a gate that was opened for another
 * operation, or for an agent.
 */
int operate_begin(struct gate *g, const struct op *op, struct args *args,
    struct arena *a, int64_t *audit, struct err *e);
/* record.c: an operation's name in the audit log. */
struct str record_action(struct arena *a, const char *name);
/* An operator's audit row. */
struct store_audit;
struct store_audit record_row(struct arena *a, const char *name,
    const struct args *args);

/* reply.c: reply_people_of() of gate/reply.h, for any account. */
struct reply_people;
int reply_people(struct arena *a, const struct mime_envelope *v,
    const struct store_account *us, struct reply_people *out, struct err *e);

/* gate.c: adds a copy of the text. */
void gate_add_line(struct arena *a, struct gate_lines *l, enum gate_mark mark,
    struct str text);

/* agent.c: a row as a caller. */
struct gate_agent;
struct store_agent;
struct gate_agent gate_agent_of(struct arena *a, const struct store_agent *x);
/* agent.c: reads g->own. */
int gate_agent_own(struct gate *g, struct err *e);

/* Guarded reads of one account.  The connection opens at the first read. */
struct mailbox {
	struct gate *gate;
	struct call *call;
	struct arena *arena;
	struct source *src;
	const struct policy_rules *rules;
	struct conn *conn;     /* NULL before the first request */
	struct sender *sender; /* sender.c's; NULL until needed */
	bool tainted;          /* taint_note() has marked this call */
	bool tried, reached;   /* it was to be open in this call, and it was */
};

/* Guarded sends of one account. */
struct outbox {
	struct gate *gate;
	struct call *call;
	struct arena *arena;
	struct source *src;
	const struct policy_rules *rules;
	struct mailbox *mailbox; /* of the same account and call */
	/*
	 * Read once: the bytes that are digested are the bytes that are sent.
	 * outbox_compose.c
	 */
	struct compose_file *file;
	size_t files, given; /* all of them, and those the caller named */
	bool loaded;
	bool tried, reached; /* this call was to send; the server answered it */
};

/* Guarded drafts of one account; these are never sent. */
struct draft {
	struct mailbox *mailbox;
	const struct policy_rules *rules;
};

/* Opens the mailbox's connection if it is not open yet. */
int mailbox_open(struct mailbox *m, struct err *e);
void mailbox_close(struct mailbox *m);

/* mailbox_pick_sent.c: the row of a message just sent, or none. */
int mailbox_pick_sent_find(struct mailbox *m, struct str message_id,
    struct rows *rows, struct err *e);
/* mailbox_pick.c: their ids as the backend takes them. */
void mailbox_pick_refs(struct arena *a, const struct mailbox_pick *p,
    struct refs *out);

/*
 * mailbox_hint.c. Can policy hide mail here?  Then a request must cost the same
 * whatever is hidden.
 */
bool mailbox_hint_is_needed(const struct mailbox *m);
/* The value of query.senders: false, and empty, if it cannot be used. */
bool mailbox_hint(const struct mailbox *m, struct strs *out);
/* The same, plus one more address. */
bool mailbox_hint_and(const struct mailbox *m, struct str entry,
    struct strs *out);

/*
 * taint.c. Called before mail is returned: records whether its sender is
 * unauthenticated.  ERR_DB.
 */
int taint_note(struct mailbox *m, const struct mail *mail, struct err *e);

/* gate.c. Does this account exist for this caller? */
bool gate_caller_has(const struct gate *g, struct str account);
/*
 * which.c. The account of a call: named by its argument, by the environment, or
 * the only one.  ERR_USAGE lists the accounts if there are several;
 * ERR_NOT_FOUND; ERR_CONFIG if there is none.
 */
int which_account(struct gate *g, const struct args *args, struct arena *a,
    struct str *out, struct err *e);
/* All accounts of the caller, at least one.  ERR_CONFIG if there is none. */
int which_all(struct gate *g, struct arena *a, struct strs *out, struct err *e);
/* EMCLI_ACCOUNT, if the environment applies to the caller; or empty. */
struct str which_default(const struct gate *g);
/* ERR_NOT_FOUND, naming the nearest of the caller's accounts or all of them. */
int which_unknown(struct gate *g, struct arena *a, struct str name,
    struct err *e);
/* Keeps only the caller's sources; returns their number. */
struct role_source;
size_t gate_caller_keep(const struct gate *g, struct role_source *v, size_t n);
/*
 * grant_check.c. 0 if the operation needs no grant, or has a live one, of which
 * it uses one use.  account 0: the call names none.  ERR_SKILL with the call
 * that fixes it in c->detail; ERR_POLICY.
 */
int grant_check(struct call *c, const struct op *op, int64_t account,
    struct err *e);

/*
 * recipients.c. ERR_USAGE: no address.  ERR_REJECTED, reason
 * "unknown_recipient": a name without the binding's domain, which is said.
 */
int recipients_read(const struct args *args, const struct gate_binding *b,
    struct arena *a, struct strs *out, struct err *e);

/* target.c. The target of a call, for the audit. */
struct str target_text(struct arena *a, const struct args *args);

/*
 * next.c: what to do about a refusal: e->hint, or by its rule or kind; NULL if
 * the door decides.
 */
const char *next_hint(const struct err *e);

#endif
