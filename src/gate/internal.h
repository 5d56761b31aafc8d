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
	void (*progress)(uint64_t done, uint64_t all); /* or NULL */
	struct outbox_asking *asking; /* outbox_ask.c's call, or NULL */
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
/* record.c: its audit row. */
struct store_audit;
struct store_audit record_row(struct arena *a, const char *name,
    const struct args *args);

/* gate.c: adds a copy of the text. */
void gate_add_line(struct arena *a, struct gate_lines *l, enum gate_mark mark,
    struct str text);

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
};

/* Guarded sends of one account. */
struct outbox {
	struct gate *gate;
	struct call *call;
	struct arena *arena;
	struct source *src;
	const struct policy_rules *rules;
	/*
	 * Read once: the bytes that are digested are the bytes that are sent.
	 * outbox_compose.c
	 */
	struct compose_file *file;
	size_t files;
	bool loaded;
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
 * uids.c. Messages by uid on every backend.  If the store has no uids, the
 * folder is scanned and numbered (store_uid_sync()), unless the store says that
 * it has not changed since.
 */
struct uids {
	bool native; /* the backend's own: nothing below is set */
	bool partly; /* map.v is not loaded: request pages of it */
	uint32_t exists;
	struct store_uids map;
};

int uids_learn(struct mailbox *m, struct str folder, struct uids *out,
    struct err *e);
/* Loads map.v, for code that needs all of it. */
int uids_whole(struct mailbox *m, struct uids *u, struct err *e);
/* For stores without uids: the highest `max` from top down to bottom. */
int uids_below(struct mailbox *m, const struct uids *u, struct arena *a,
    uint32_t bottom, uint32_t top, size_t max, struct refs *out, struct err *e);
/* Refs of those uids that exist, in the order given. */
int uids_refs(struct mailbox *m, const struct uids *u, const uint32_t *uid,
    size_t n, struct refs *out, struct err *e);
/* Rows come back by id: sets our uids in them; drops unknown rows. */
void uids_apply(const struct uids *u, struct folder_state *st,
    struct rows *rows);

/*
 * seen.c. The folder's floor for this principal, set at first contact; warns
 * uidvalidity_changed and sets *reset if the folder was renumbered.
 */
struct seen {
	bool known; /* the folder was known before this call */
	uint32_t uidvalidity, floor;
	uint32_t *acked; /* ascending */
	size_t n;
	struct mailbox_rematch rematch; /* if it was renumbered */
};

/* The folder's key in the store. */
struct store_folder seen_key(const struct mailbox *m, struct str folder,
    uint32_t uidvalidity);

/* The store's knowledge, before any request to the server. */
int seen_load(struct mailbox *m, struct str folder, struct seen *out,
    struct err *e);
/* Compares it with the folder's state now. */
int seen_meet(struct mailbox *m, struct str folder,
    const struct folder_state *st, struct seen *s, bool *reset, struct err *e);
bool seen_is_new(const struct seen *s, uint32_t uid);

/*
 * rematch.c. The folder of `s` has another uidvalidity: reads its messages and
 * keeps those as acked that it recognizes.  1: done, s->rematch has the counts;
 * 0: it recognized none.
 */
int rematch_run(struct mailbox *m, struct str folder, uint32_t uidvalidity,
    struct seen *s, struct err *e);
/* Remembers the newest messages at the floor of a folder that is new. */
int rematch_floor(struct mailbox *m, struct str folder, uint32_t uidvalidity,
    uint32_t floor, struct err *e);

/* health.c and health_self.c: doctor's report in preparation. */
struct health {
	struct call *call;
	struct health_line *v;
	size_t n;
};

void health_line_put(struct health *h, const struct health_line *line);
/* The keys: their source, and whether they fit. */
void health_self_keys(struct health *h);
/* Memory and files: what others can access. */
void health_self_memory(struct health *h);
void health_self_files(struct health *h);
/* The files that an account names. */
void health_self_account(struct health *h, const struct store_account *acct);
/*
 * health_policy.c: settings that the operator may not intend; for the operator.
 */
void health_policy_account(struct health *h, const struct store_account *acct);
/* health_late.c: libraries, authorities, SQLite; for the operator. */
void health_late(struct health *h, const struct source_health *v, size_t n);
/* health_signed.c: changes made without emcli; with the operator's key. */
void health_signed(struct health *h);
/* health_freeze.c: freezes. */
int health_freeze_all(struct health *h, struct err *e);
/* health_skill.c: the skills read from skills_dir, and those left out. */
void health_skill_dir(struct health *h);
/* health_token.c: how old an account's OAuth tokens are. */
void health_token_age(struct health *h, const struct store_account *acct);
/* health_sender.c: how listed senders are authenticated, if they must be. */
void health_sender_account(struct health *h, const struct store_account *acct);

/* All recipients, in the forms that the steps below need. */
struct outbox_parties {
	struct strs to, cc; /* for the header, in wire format */
	struct strs judged; /* canonical, for policy; rcpt[i] is judged[i] */
	struct recipient *rcpt; /* each address once */
	size_t n;
	bool utf8;
};

/* A message in the outbox. */
struct outbox_draft {
	const struct outgoing *m;
	struct outbox_parties p;
	bool ask; /* policy wants the operator asked */
	const char
	    *carries;      /* the kind of secret it seems to contain, or NULL */
	int64_t expires_s; /* if held: until when it may be released */
	struct submission s; /* what is sent: envelope and bytes */
	struct str message_id;
};

/* Context of a send: an agent's call, or the operator's release. */
struct outbox_post {
	struct store *store;
	struct source *src;
	struct arena *arena;
	/*
	 * The calling agent, whose freeze is checked again before the first
	 * octet.  Empty: the operator's release.
	 */
	struct str agent;
};

/* outbox_compose.c */
int outbox_compose_gather(struct outbox *o, const struct outgoing *m,
    struct outbox_parties *p, struct err *e);
/* The files the caller named, once. */
int outbox_compose_files(struct outbox *o, const struct outgoing *m,
    struct err *e);
int outbox_compose(struct outbox *o, struct outbox_draft *d, struct err *e);

/* outbox_digest.c: the hexadecimal digests of outbox rows. */
/* The caller's request.  After outbox_compose_files(). */
struct str outbox_digest_request(struct outbox *o);
/* Text, files and recipients: for detecting the same message sent twice. */
struct str outbox_digest_said(struct outbox *o, const struct outgoing *m,
    const struct strs *judged);
/* Account, envelope and bytes: what the operator approves. */
struct str outbox_digest_row(struct arena *a, struct str account,
    const struct store_outbox *row);
/* The account's policy. */
struct str outbox_digest_policy(struct arena *a,
    const struct store_account *acct, const struct policy_rules *rules);
/* Is that its digest, in this version's or an earlier version's form? */
bool outbox_digest_policy_is(struct arena *a, const struct store_account *acct,
    const struct policy_rules *rules, struct str digest);

/*
 * outbox_check.c. Checks the complete message.  0, or -1 if it is refused;
 * *hold becomes the reason why it must wait for the operator (static), or NULL.
 */
int outbox_check(struct outbox *o, struct outbox_draft *d, const char **hold,
    struct err *e);

/* outbox_state.c */
/* The state of a row, in *out. */
void outbox_state_tell(struct arena *a, const struct store_outbox *row,
    struct sent *out);
/* 0 for a row that was sent, otherwise -1 with its state as an error. */
int outbox_state_error(const struct store_outbox *row, struct err *e);

/* outbox_again.c */
/* Waits, until the call's deadline, for a row that another process sends. */
int outbox_again_wait(struct outbox *o, struct str key,
    struct store_outbox *row, struct err *e);
/* Answers this call with the row of an earlier call. */
int outbox_again_answer(struct outbox *o, const struct store_outbox *row,
    struct sent *out, struct err *e);

/*
 * outbox_release.c. The row's account, and the digest of its present content.
 * ERR_POLICY, "changed", if it was held under another digest.
 */
int outbox_release_digest(struct store *s, struct arena *a,
    const struct store_outbox *row, struct store_account *acct,
    struct str *digest, struct err *e);
/* That error; `what` is for the audit log. */
int outbox_release_changed(struct err *e, const char *what);

/*
 * outbox_ask_state.c. The state that a client returns: a mark binds it to the
 * principal, to its call (`request`), and to the message.
 */
struct outbox_ask_state {
	int64_t id; /* the outbox row's */
	uint32_t round;
	int64_t until_s;
	struct str digest; /* of what was shown: the row's */
};

int outbox_ask_state_put(struct gate *g, struct arena *a, struct str request,
    const struct outbox_ask_state *st, struct str *text, struct err *e);
/* ERR_USAGE: not made here, for another call, or too old. */
int outbox_ask_state_read(struct gate *g, struct arena *a, struct str request,
    struct str text, int64_t now_s, struct outbox_ask_state *st, struct err *e);

/*
 * outbox.c. Sends a row in state `sending` whose lock this process holds,
 * settles it, and makes the copy.  0 only if it was sent; *out always has the
 * state.
 */
int outbox_dispatch(const struct outbox_post *post, struct store_outbox *row,
    struct sent *out, struct err *e);
/*
 * outbox_copy.c. The folder for sent mail: by its role (RFC 6154), otherwise by
 * its name.  ERR_NOT_FOUND.
 */
int outbox_copy_folder(struct conn *c, struct arena *a, struct str *out,
    struct err *e);
/* Saves the bytes of a sent row in Sent: the copy's state. */
enum store_outbox_copy outbox_copy(const struct outbox_post *post,
    const struct store_outbox *row, struct err *e);

/*
 * taint.c. Called before mail is returned: records whether its sender is
 * unauthenticated.  ERR_DB.
 */
int taint_note(struct mailbox *m, const struct mail *mail, struct err *e);

/* attach.c.  Loads files below the account's attach_dir.  ERR_POLICY. */
int attach_load(struct outbox *o, const struct strs *paths,
    struct compose_file **out, size_t *n, struct err *e);

/*
 * If the argument names a file, replaces it by the file's content.  With an
 * attach_dir, such files must be below it.  ERR_POLICY, ERR_NOT_FOUND.
 */
int attach_text(struct arena *a, struct str dir, struct arg *arg,
    struct err *e);

/* gate.c. Does this account exist for this caller? */
bool gate_caller_has(const struct gate *g, struct str account);
/*
 * which.c. The account of a call: named by its argument, by the environment, or
 * the only one.  ERR_USAGE lists the accounts if there are several;
 * ERR_NOT_FOUND; ERR_CONFIG if there is none.
 */
int which_account(struct gate *g, const struct args *args, struct arena *a,
    struct str *out, struct err *e);
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

/* target.c. The target of a call, for the audit. */
struct str target_text(struct arena *a, const struct args *args);

/*
 * judge.c. Reads a row's header into `a` and asks policy: false means that the
 * message does not exist for the caller.  A row whose visibility depends on an
 * unverified signature is not visible.
 */
bool judge_row(const struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out);
/* Everything that policy is told about a message, in one place. */
struct policy_mail judge_facts(const struct mail *mail);
/* For a hidden message: could a signature make it visible? */
bool judge_hangs(const struct mailbox *m, const struct mail *mail);
/*
 * The same, and verifies signatures if they decide: 1, 0, or -1 if they could
 * not be fetched (ERR_LIMIT, ERR_NETWORK).
 */
int judge_sender(struct mailbox *m, struct arena *a, struct str folder,
    const struct row *row, struct mail *out, struct err *e);
/* For a row whose head is the whole message, including signatures. */
bool judge_whole(struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out);

/* sender.c: sets auth and auth_by.  Is a pinned server's result used? */
bool sender_pinned(const struct mailbox *m);
/* Does the store itself know who sent a message (CAP_VOUCH)? */
bool sender_known(const struct mailbox *m);
void sender_of_store(const struct row *row, struct mail *out);
/* From a pinned server's result; without one, unchecked. */
void sender_of_head(const struct mailbox *m, struct arena *a, struct str head,
    struct mail *out);
/* From that, otherwise from the message's signatures. */
void sender_of_whole(struct mailbox *m, struct arena *a, struct str raw,
    struct mail *out);
/* From signatures: fetches the message; unchecked if that fails. */
int sender_of_row(struct mailbox *m, struct str folder, const struct row *row,
    struct mail *out, struct err *e);
/* An arena for reading one row and dropping it: the one given, or a new one. */
struct arena *judge_passing(struct arena **a);
/*
 * keep.c. A copy that is independent of the arena it was read in.  Reading a
 * header takes several times its size, and a folder may have a million hidden
 * messages; so rows are read in a passing arena, and only visible ones are
 * kept.
 */
void keep_mail(struct arena *a, const struct mail *from, struct mail *to);

/*
 * outbox_secret.c. Does an outgoing message seem to contain a secret?  Searched
 * for directly and in simple disguises (outbox_secret_view.c): this catches
 * accidents and manipulated agents, but proves nothing.
 */
struct outbox_secret {
	struct strs canary;     /* without white space */
	uint8_t *sieve;         /* of the canaries' first bytes */
	struct secret *own[16]; /* keys and passwords, as bytes */
	size_t n;
};

/*
 * Secrets that an account must not send: its credentials, emcli's keys,
 * canaries.
 */
int outbox_secret_open(struct outbox_secret *w, struct store *s,
    const struct env *env, int64_t account, struct arena *a, struct err *e);
void outbox_secret_close(struct outbox_secret *w);
/* Its kind ("github_token"), or NULL.  `w` may be all zero: only shapes. */
const char *outbox_secret_text(const struct outbox_secret *w, struct str text);
/* The same for a composed message and its recipients. */
const char *outbox_secret_message(const struct outbox_secret *w,
    struct str message, const struct recipient *to, size_t n);
/* outbox_secret_shape.c: keys and tokens recognized by their form. */
const char *outbox_secret_shape(struct str s);
/*
 * outbox_secret_view.c. Text without invisible characters and white space, in
 * one width and in lower case if `fold`; and the texts that it may disguise.
 */
void outbox_secret_view_squeeze(struct str in, bool fold, struct buf *out);
void outbox_secret_view_reverse(struct str in, struct buf *out);
/* The nth reading of `squeezed` (or of `text`); false if there is none. */
bool outbox_secret_view_get(struct str text, struct str squeezed, int nth,
    struct buf *out);

/*
 * next.c: what to do about a refusal: e->hint, or by its rule or kind; NULL if
 * the door decides.
 */
const char *next_hint(const struct err *e);

/* The one answer for missing and hidden messages. */
int judge_absent(struct err *e);

#endif
