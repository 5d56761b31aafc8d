#ifndef GATE_INTERNAL_H
#define GATE_INTERNAL_H

/* What the gate's own files share; nobody else includes it. */
#include "gate/gate.h"
#include "gate/health.h"
#include "gate/mailbox.h"
#include "gate/outbox.h"
#include "mime/compose.h"
#include "source/source.h"
#include "store/store.h"

struct gate {
	struct store *store;
	const struct env *env;
	struct str principal;
	char name[80]; /* what principal points at */
	void (*progress)(uint64_t done, uint64_t all); /* or NULL */
};

/* Guarded reads of one account.  The connection opens at the first one. */
struct mailbox {
	struct gate *gate;
	struct call *call;
	struct arena *arena;
	struct source *src;
	const struct policy_rules *rules;
	struct conn *conn; /* NULL until something is asked */
};

/* Guarded sends of one account. */
struct outbox {
	struct gate *gate;
	struct call *call;
	struct arena *arena;
	struct source *src;
	const struct policy_rules *rules;
};

/* Opens the mailbox's connection when it is not open yet. */
int mailbox_open(struct mailbox *m, struct err *e);
void mailbox_close(struct mailbox *m);

/*
 * uids.c.  Messages by uid on every backend.  Where the store has none of its
 * own, the folder is scanned and numbered (store_uid_sync()).
 */
struct uids {
	bool native;         /* the backend's own: nothing below is set */
	struct store_uid *v; /* ascending */
	size_t n;
	uint32_t uidvalidity, uidnext;
};

int uids_learn(struct mailbox *m, struct str folder, struct uids *out,
    struct err *e);
/* Refs of those uids that are there, in the order given. */
void uids_refs(struct mailbox *m, const struct uids *u, const uint32_t *uid,
    size_t n, struct refs *out);
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
};

/* What the store knows, before the server is asked. */
int seen_load(struct mailbox *m, struct str folder, struct seen *out,
    struct err *e);
/* Holds it to how the folder stands now. */
int seen_meet(struct mailbox *m, struct str folder,
    const struct folder_state *st, struct seen *s, bool *reset, struct err *e);
bool seen_is_new(const struct seen *s, uint32_t uid);

/* health.c and health_self.c: doctor's report while it is written. */
struct health {
	struct call *call;
	struct health_line *v;
	size_t n;
};

void health_put(struct health *h, const struct health_line *line);
/* The keys: where they come from, and whether they fit. */
void health_self_keys(struct health *h);
/* Memory and files: what others could get at. */
void health_self_memory(struct health *h);
void health_self_files(struct health *h);
/* The files an account names. */
void health_self_account(struct health *h, const struct store_account *acct);
/* health_token.c: how old an account's OAuth tokens are. */
void health_token_age(struct health *h, const struct store_account *acct);

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

/* target.c.  What the audit says a call was about. */
struct str target_text(struct arena *a, const struct args *args);

/*
 * judge.c.  Reads a row's header into `a` and asks policy: false means it is
 * not there.
 */
bool judge_row(const struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out);
/* An arena to read one row in and forget it: the one given, or a new one. */
struct arena *judge_passing(struct arena **a);
/*
 * keep.c.  A copy that needs nothing of the arena it was read in.  Reading a
 * header takes several times its size, and a folder may hold a million that
 * are hidden: so rows are judged in passing, and only what is shown is kept.
 */
void keep_mail(struct arena *a, const struct mail *from, struct mail *to);

/* The one answer for what is absent and what is hidden. */
int judge_absent(struct err *e);

#endif
