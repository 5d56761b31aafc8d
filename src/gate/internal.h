#ifndef GATE_INTERNAL_H
#define GATE_INTERNAL_H

/* What the gate's own files share; nobody else includes it. */
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
	char name[80]; /* what principal points at */
	struct gate_caller caller;
	struct gate_caller own; /* what the agent of that name is held to */
	struct arena *arena;    /* where that lies */
	void (*progress)(uint64_t done, uint64_t all); /* or NULL */
	struct outbox_asking *asking; /* outbox_ask.c's call, or NULL */
	const struct op *operates; /* the operator's that it was opened for */
	struct gate_lines notes;   /* operate_notes() */
	const struct operate_door *door; /* operate_serve()'s */
};

/*
 * operate.c.  Names the account, and writes what is asked and judged; *audit
 * stays 0 for what leaves no row.  Refuses a gate that was opened for another
 * operation, or for an agent.
 */
int operate_begin(struct gate *g, const struct op *op, struct args *args,
    struct arena *a, int64_t *audit, struct err *e);
/* record.c: the row of it. */
struct store_audit;
struct store_audit record_row(struct arena *a, const char *name,
    const struct args *args);

/* gate.c: adds a copy of the text. */
void gate_add_line(struct arena *a, struct gate_lines *l, enum gate_mark mark,
    struct str text);

/* agent.c: reads g->own. */
int gate_agent_own(struct gate *g, struct err *e);

/* Guarded reads of one account.  The connection opens at the first one. */
struct mailbox {
	struct gate *gate;
	struct call *call;
	struct arena *arena;
	struct source *src;
	const struct policy_rules *rules;
	struct conn *conn;     /* NULL until something is asked */
	struct sender *sender; /* sender.c's; NULL until it is needed */
	bool tainted;          /* taint_note() left its mark in this call */
};

/* Guarded sends of one account. */
struct outbox {
	struct gate *gate;
	struct call *call;
	struct arena *arena;
	struct source *src;
	const struct policy_rules *rules;
	/* Read once: what is digested is what leaves.  outbox_compose.c */
	struct compose_file *file;
	size_t files;
	bool loaded;
};

/* Guarded drafts of one account: what stays, and never leaves. */
struct draft {
	struct mailbox *mailbox;
	const struct policy_rules *rules;
};

/* Opens the mailbox's connection when it is not open yet. */
int mailbox_open(struct mailbox *m, struct err *e);
void mailbox_close(struct mailbox *m);

/* mailbox_pick.c: their ids as the backend takes them. */
void mailbox_pick_refs(struct arena *a, const struct mailbox_pick *p,
    struct refs *out);

/*
 * mailbox_hint.c.  May something be hidden, so that no question may cost more
 * or less for it?
 */
bool mailbox_hint_is_needed(const struct mailbox *m);
/* What query.senders is: false, and empty, when it cannot be asked so. */
bool mailbox_hint(const struct mailbox *m, struct strs *out);
/* The same, and one more address. */
bool mailbox_hint_and(const struct mailbox *m, struct str entry,
    struct strs *out);

/*
 * uids.c.  Messages by uid on every backend.  Where the store has none of its
 * own, the folder is scanned and numbered (store_uid_sync()), unless it tells
 * that it is as it was when that was done.
 */
struct uids {
	bool native; /* the backend's own: nothing below is set */
	bool partly; /* map.v is not there: ask for what is wanted */
	uint32_t exists;
	struct store_uids map;
};

int uids_learn(struct mailbox *m, struct str folder, struct uids *out,
    struct err *e);
/* Reads what was left out, for whoever looks at all of them. */
int uids_whole(struct mailbox *m, struct uids *u, struct err *e);
/* Without uids of the backend's: the highest `max` from top down to bottom. */
int uids_below(struct mailbox *m, const struct uids *u, struct arena *a,
    uint32_t bottom, uint32_t top, size_t max, struct refs *out, struct err *e);
/* Refs of those uids that are there, in the order given. */
int uids_refs(struct mailbox *m, const struct uids *u, const uint32_t *uid,
    size_t n, struct refs *out, struct err *e);
/* Rows come back by id: puts our uids into them; drops unknown rows. */
void uids_apply(const struct uids *u, struct folder_state *st,
    struct rows *rows);

/*
 * seen.c.  The folder's floor for this principal, set at first contact; warns
 * uidvalidity_changed and sets *reset when the folder is another than before.
 */
struct seen {
	bool known; /* met before this call */
	uint32_t uidvalidity, floor;
	uint32_t *acked; /* ascending */
	size_t n;
	struct mailbox_rematch rematch; /* when it was renumbered */
};

/* The folder's key in the store. */
struct store_folder seen_key(const struct mailbox *m, struct str folder,
    uint32_t uidvalidity);

/* What the store knows, before the server is asked. */
int seen_load(struct mailbox *m, struct str folder, struct seen *out,
    struct err *e);
/* Holds it to how the folder stands now. */
int seen_meet(struct mailbox *m, struct str folder,
    const struct folder_state *st, struct seen *s, bool *reset, struct err *e);
bool seen_is_new(const struct seen *s, uint32_t uid);

/*
 * rematch.c.  The folder, known as `s` until now, has another uidvalidity: its
 * messages are read, and what is known again stays dealt with.  1: done, and
 * s->rematch tells how well; 0: nothing was known again.
 */
int rematch_run(struct mailbox *m, struct str folder, uint32_t uidvalidity,
    struct seen *s, struct err *e);
/* Remembers the newest messages at the floor of a folder that was just met. */
int rematch_floor(struct mailbox *m, struct str folder, uint32_t uidvalidity,
    uint32_t floor, struct err *e);

/* health.c and health_self.c: doctor's report while it is written. */
struct health {
	struct call *call;
	struct health_line *v;
	size_t n;
};

void health_line_put(struct health *h, const struct health_line *line);
/* The keys: where they come from, and whether they fit. */
void health_self_keys(struct health *h);
/* Memory and files: what others could get at. */
void health_self_memory(struct health *h);
void health_self_files(struct health *h);
/* The files an account names. */
void health_self_account(struct health *h, const struct store_account *acct);
/* health_policy.c: what the operator may not have meant; the operator's. */
void health_policy_account(struct health *h, const struct store_account *acct);
/* health_late.c: libraries, authorities, SQLite; the operator's. */
void health_late(struct health *h, const struct source_health *v, size_t n);
/* health_signed.c: what was changed without emcli; with the operator's key. */
void health_signed(struct health *h);
/* health_freeze.c: who is stopped. */
int health_freeze_all(struct health *h, struct err *e);
/* health_skill.c: what of skills_dir is read, and what is left out. */
void health_skill_dir(struct health *h);
/* health_token.c: how old an account's OAuth tokens are. */
void health_token_age(struct health *h, const struct store_account *acct);
/* health_sender.c: how its senders are authenticated, where they must be. */
void health_sender_account(struct health *h, const struct store_account *acct);

/* Everybody a message goes to, in the forms the steps below need. */
struct outbox_parties {
	struct strs to, cc; /* for the header, as the wire has them */
	struct strs judged; /* canonical, for policy; rcpt[i] is judged[i] */
	struct recipient *rcpt; /* each address once */
	size_t n;
	bool utf8;
};

/* A message on its way through the outbox. */
struct outbox_draft {
	const struct outgoing *m;
	struct outbox_parties p;
	bool ask;            /* policy wants the operator asked */
	const char *carries; /* the kind of secret it seems to carry, or NULL */
	int64_t expires_s;   /* until when it may be released, when held */
	struct submission s; /* what leaves: envelope and bytes */
	struct str message_id;
};

/* What sends: one for an agent's call, one for the operator's release. */
struct outbox_post {
	struct store *store;
	struct source *src;
	struct arena *arena;
	/* Whose call it is: it is asked once more before the first octet
	 * whether that agent is frozen.  Empty: the operator's release. */
	struct str agent;
};

/* outbox_compose.c */
int outbox_compose_gather(struct outbox *o, const struct outgoing *m,
    struct outbox_parties *p, struct err *e);
/* The files the caller named, once. */
int outbox_compose_files(struct outbox *o, const struct outgoing *m,
    struct err *e);
int outbox_compose(struct outbox *o, struct outbox_draft *d, struct err *e);

/* outbox_digest.c: what rows of the outbox are bound to; hexadecimal. */
/* What the caller asked for.  After outbox_compose_files(). */
struct str outbox_digest_request(struct outbox *o);
/* The text, the files and whom it is for: what is said twice. */
struct str outbox_digest_said(struct outbox *o, const struct outgoing *m,
    const struct strs *judged);
/* Account, envelope and bytes: what is approved. */
struct str outbox_digest_row(struct arena *a, struct str account,
    const struct store_outbox *row);
/* The account's policy. */
struct str outbox_digest_policy(struct arena *a,
    const struct store_account *acct, const struct policy_rules *rules);
/* Is that its digest, as this version makes it or as one before made it? */
bool outbox_digest_policy_is(struct arena *a, const struct store_account *acct,
    const struct policy_rules *rules, struct str digest);

/*
 * outbox_check.c.  What is to leave, looked at when it is whole.  0, or -1 when
 * it is refused; *hold becomes why it has to wait for the operator (static), or
 * NULL.
 */
int outbox_check(struct outbox *o, struct outbox_draft *d, const char **hold,
    struct err *e);

/* outbox_state.c */
/* What a row says, in *out. */
void outbox_state_tell(struct arena *a, const struct store_outbox *row,
    struct sent *out);
/* 0 for a row that is sent, else -1 with the error that says how it stands. */
int outbox_state_error(const struct store_outbox *row, struct err *e);

/* outbox_again.c */
/* Waits, until the call's deadline, for a row that is being sent elsewhere. */
int outbox_again_wait(struct outbox *o, struct str key,
    struct store_outbox *row, struct err *e);
/* What an earlier call's row says, to this one. */
int outbox_again_answer(struct outbox *o, const struct store_outbox *row,
    struct sent *out, struct err *e);

/*
 * outbox_release.c.  Whose row it is, and the digest of what it holds now.
 * ERR_POLICY, "changed", when that is not the one it was held under.
 */
int outbox_release_digest(struct store *s, struct arena *a,
    const struct store_outbox *row, struct store_account *acct,
    struct str *digest, struct err *e);
/* That error; `what` is for the audit log. */
int outbox_release_changed(struct err *e, const char *what);

/*
 * outbox_ask_state.c.  What a client is given to bring back: bound by a mark
 * to the principal and to its very call (`request`), and to the message.
 */
struct outbox_ask_state {
	int64_t id; /* the outbox row's */
	uint32_t round;
	int64_t until_s;
	struct str digest; /* of what was shown: the row's */
};

int outbox_ask_state_put(struct gate *g, struct arena *a, struct str request,
    const struct outbox_ask_state *st, struct str *text, struct err *e);
/* ERR_USAGE: it was not made here, or for another, or is too old. */
int outbox_ask_state_read(struct gate *g, struct arena *a, struct str request,
    struct str text, int64_t now_s, struct outbox_ask_state *st, struct err *e);

/*
 * outbox.c.  Sends a row that is `sending` and whose lock this process holds,
 * settles it, and sees to the copy.  0 only when it is sent; *out says how it
 * stands, come what may.
 */
int outbox_dispatch(const struct outbox_post *post, struct store_outbox *row,
    struct sent *out, struct err *e);
/*
 * outbox_copy.c.  The folder for what is sent: by its role (RFC 6154), or else
 * its name.  ERR_NOT_FOUND.
 */
int outbox_copy_folder(struct conn *c, struct arena *a, struct str *out,
    struct err *e);
/* Puts a sent row's bytes into Sent: the copy's state. */
enum store_outbox_copy outbox_copy(const struct outbox_post *post,
    const struct store_outbox *row, struct err *e);

/* taint.c.  Before mail is handed out: who may have written it?  ERR_DB. */
int taint_note(struct mailbox *m, const struct mail *mail, struct err *e);

/* attach.c.  Loads files below the account's attach_dir.  ERR_POLICY. */
int attach_load(struct outbox *o, const struct strs *paths,
    struct compose_file **out, size_t *n, struct err *e);

/*
 * Puts the contents in the place of a file's name, if the argument is one.  An
 * account that names an attach_dir has said where files leave from, and texts
 * are held to it too.  ERR_POLICY, ERR_NOT_FOUND.
 */
int attach_text(struct arena *a, struct str dir, struct arg *arg,
    struct err *e);

/* gate.c.  Is there such an account, as far as this caller is concerned? */
bool gate_caller_has(const struct gate *g, struct str account);
/*
 * which.c.  The account a call is about: named by its argument, by the
 * environment, or the only one.  ERR_USAGE names those there are when several
 * are; ERR_NOT_FOUND; ERR_CONFIG when there is none.
 */
int which_account(struct gate *g, const struct args *args, struct arena *a,
    struct str *out, struct err *e);
/* EMCLI_ACCOUNT, where the environment speaks for the caller; or empty. */
struct str which_default(const struct gate *g);
/* ERR_NOT_FOUND, with the nearest of the caller's accounts or all of them. */
int which_unknown(struct gate *g, struct arena *a, struct str name,
    struct err *e);
/* Leaves of those sources only the caller's; how many they are. */
struct role_source;
size_t gate_caller_keep(const struct gate *g, struct role_source *v, size_t n);
/*
 * grant_check.c.  0 when the operation needs no grant or has one that is live,
 * which it uses up by one.  account 0: the call names none.  ERR_SKILL with
 * the mending call in c->detail; ERR_POLICY.
 */
int grant_check(struct call *c, const struct op *op, int64_t account,
    struct err *e);

/* target.c.  What the audit says a call was about. */
struct str target_text(struct arena *a, const struct args *args);

/*
 * judge.c.  Reads a row's header into `a` and asks policy: false means it is
 * not there.  What depends on a signature that was not looked at is not.
 */
bool judge_row(const struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out);
/* What policy is told of a message: all that there is to tell, in one place. */
struct policy_mail judge_facts(const struct mail *mail);
/* Of one that may not be seen: could a signature change that? */
bool judge_hangs(const struct mailbox *m, const struct mail *mail);
/*
 * The same, and looks at signatures where that decides it: 1, 0, or -1 when it
 * could not be asked for (ERR_LIMIT, ERR_NETWORK).
 */
int judge_sender(struct mailbox *m, struct arena *a, struct str folder,
    const struct row *row, struct mail *out, struct err *e);
/* Of a row whose head is the whole message, its signatures among it. */
bool judge_whole(struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out);

/* sender.c: sets auth and auth_by.  Is a server's word taken for it? */
bool sender_pinned(const struct mailbox *m);
/* Does the store itself know who sent a message (CAP_VOUCH)? */
bool sender_known(const struct mailbox *m);
void sender_of_store(const struct row *row, struct mail *out);
/* By a pinned server's word; without one it stays unchecked. */
void sender_of_head(const struct mailbox *m, struct arena *a, struct str head,
    struct mail *out);
/* By that, or else by the message's signatures. */
void sender_of_whole(struct mailbox *m, struct arena *a, struct str raw,
    struct mail *out);
/* By signatures, the message being fetched; what cannot be had is unchecked. */
int sender_of_row(struct mailbox *m, struct str folder, const struct row *row,
    struct mail *out, struct err *e);
/* An arena to read one row in and forget it: the one given, or a new one. */
struct arena *judge_passing(struct arena **a);
/*
 * keep.c.  A copy that needs nothing of the arena it was read in.  Reading a
 * header takes several times its size, and a folder may hold a million that
 * are hidden: so rows are judged in passing, and only what is shown is kept.
 */
void keep_mail(struct arena *a, const struct mail *from, struct mail *to);

/*
 * outbox_secret.c.  Does what is to leave seem to carry a secret?  It is looked
 * for as it is and in plain disguises (outbox_secret_view.c): a net for
 * accidents and for agents that were talked into something, no proof.
 */
struct outbox_secret {
	struct strs canary;     /* squeezed */
	uint8_t *sieve;         /* of canaries' first bytes */
	struct secret *own[16]; /* keys and passwords, as bytes */
	size_t n;
};

/* What an account must not give away: its credentials, our keys, canaries. */
int outbox_secret_open(struct outbox_secret *w, struct store *s,
    const struct env *env, int64_t account, struct arena *a, struct err *e);
void outbox_secret_close(struct outbox_secret *w);
/* Its kind ("github_token"), or NULL.  `w` may be all zero: shapes alone. */
const char *outbox_secret_text(const struct outbox_secret *w, struct str text);
/* The same of a composed message and of whom it goes to. */
const char *outbox_secret_message(const struct outbox_secret *w,
    struct str message, const struct recipient *to, size_t n);
/* outbox_secret_shape.c: keys and tokens that look like one. */
const char *outbox_secret_shape(struct str s);
/*
 * outbox_secret_view.c.  Text without what nobody sees and without white space,
 * in one width and in lower case when `fold`; and what a text may be the
 * disguise of.
 */
void outbox_secret_view_squeeze(struct str in, bool fold, struct buf *out);
void outbox_secret_view_reverse(struct str in, struct buf *out);
/* The nth reading of `squeezed` (or of `text`); false: there is none. */
bool outbox_secret_view_get(struct str text, struct str squeezed, int nth,
    struct buf *out);

/* next.c: what to do about a refusal: e->hint, or by its rule or kind; NULL
 * where it is for the door to say. */
const char *next_hint(const struct err *e);

/* The one answer for what is absent and what is hidden. */
int judge_absent(struct err *e);

#endif
