/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_ROOT_H
#define RUNTIME_ROOT_H

/*
 * A mailbox root as the operator's commands see it.  Each open one has a
 * deadline of LIMIT_SESSION_ROOT_MS: do not keep it open while a person thinks.
 */
#include "backend/agentbox/clean.h"
#include "backend/agentbox/deliver.h"
#include "backend/agentbox/port.h"
#include "backend/agentbox/register.h"
#include "backend/agentbox/view.h"
#include "store/store.h"

struct root {
	struct arena *a;
	struct agentbox_use use;
	struct agentbox_root *box;
};

/* root.c.  What a root is opened with: the deadline, and the store's signature.
 */
void root_use(struct store *s, struct agentbox_use *out);
/*
 * Opens it; with `make` a missing one is created.  Errors as in
 * backend/agentbox/root.h.  root_close() follows in any case.
 */
int root_open(struct root *r, struct str path, bool make, struct store *s,
    struct arena *a, struct err *e);
void root_close(struct root *r); /* for CLEANUP */
/* Its absolute path, and what the operator should know, a sentence each. */
struct str root_path(const struct root *r);
const struct strs *root_notes(const struct root *r);
int root_register(struct root *r, const struct agentbox_claim *c,
    struct agentbox_claimed *out, struct err *e);
int root_end(struct root *r, struct str address, bool purge, struct err *e);
int root_find(struct root *r, struct str address, struct agentbox_reg *out,
    struct err *e);
int root_list(struct root *r, struct agentbox_regs *out, struct err *e);
int root_clean(struct root *r, const struct agentbox_clean *c,
    struct agentbox_cleaned *out, struct err *e);
int root_clear(struct root *r, const struct agentbox_clear *c,
    struct agentbox_cleared *out, struct err *e);
int root_import(struct root *r, struct str from, struct agentbox_ported *out,
    struct err *e);
int root_export(struct root *r, struct str to, unsigned protocol,
    struct agentbox_ported *out, struct err *e);
/* Both of a root that is not open. */
int root_look(struct str path, struct store *s, struct arena *a,
    struct agentbox_look *out, struct err *e);
int root_repair(struct str path, struct store *s, struct arena *a,
    struct agentbox_report *out, struct err *e);

/* root_message.c: a message of a mailbox, without its body. */
struct root_message {
	struct agentbox_entry entry;
	bool damaged; /* its file cannot be read: there is no more of it */
	bool authentic;
	struct agentbox_party from;
	struct agentbox_parties to, cc;
	size_t attachments;
};

struct root_messages {
	struct root_message *v;
	size_t n, total; /* total: how many match */
};

/* The newest first.  ERR_NOT_FOUND: the address has no active registration. */
int root_message_list(struct root *r, struct str address,
    const struct agentbox_want *w, struct root_messages *out, struct err *e);

#endif
