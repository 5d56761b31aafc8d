/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_REGISTER_H
#define BACKEND_AGENTBOX_REGISTER_H

/*
 * The addresses of a root, their owners, and the place of their mail.  An
 * address has at most one active registration.
 */
#include "backend/agentbox/root.h"

#define AGENTBOX_OPERATOR "HOUMAO-operator@houmao.localhost"
#define AGENTBOX_OPERATOR_PRINCIPAL "HOUMAO-operator"

enum agentbox_status {
	AGENTBOX_INACTIVE,
	AGENTBOX_ACTIVE,
	AGENTBOX_STASHED,
};

struct agentbox_reg {
	struct str id; /* "reg-<32 hex>" */
	struct str address, owner;
	enum agentbox_status status;
	bool is_private;  /* kind symlink: its folder is outside the root */
	struct str path;  /* the mailbox's folder, absolute */
	struct str entry; /* <root>/mailboxes/<address>, absolute */
	struct str display_name, manifest_hint, role; /* empty: none */
	struct str created, deactivated;              /* RFC 3339 */
	struct str replaced_by;                       /* an id, or empty */
};

struct agentbox_regs {
	struct agentbox_reg *v;
	size_t n;
};

enum agentbox_mode {
	AGENTBOX_SAFE,  /* reuse an equal one, else fail */
	AGENTBOX_FORCE, /* replace another; its mailbox is removed */
	AGENTBOX_STASH, /* replace another; its mailbox is kept */
};

/* What to register.  The strings are borrowed. */
struct agentbox_claim {
	enum agentbox_mode mode;
	struct str address, owner;
	struct str private_dir; /* absolute; empty: in the root */
	struct str display_name, manifest_hint, role;
};

/* The result. */
struct agentbox_claimed {
	struct agentbox_reg reg;
	bool reused;         /* the registration existed already */
	struct str replaced; /* the id of the replaced registration */
	struct str stashed;  /* the name of its mailbox below mailboxes/ */
};

/*
 * Registers an address; the result lives in the arena.  ERR_USAGE: an invalid
 * address (reason "address"), a private folder inside the root or around it
 * (reason "private_dir").  ERR_CONFIG with reason "registration_conflict":
 * somebody else's, or the same with another folder.
 */
int agentbox_register(struct agentbox_root *r, const struct agentbox_claim *c,
    struct arena *a, struct agentbox_claimed *out, struct err *e);
/*
 * Ends the active registration of an address.  With `purge` also removes its
 * row, its projections and its folder in the root; messages stay.  A private
 * folder is never removed.  ERR_NOT_FOUND; ERR_POLICY (reason "reserved") for
 * the operator's.
 */
int agentbox_register_end(struct agentbox_root *r, struct str address,
    bool purge, struct err *e);
/* The active registration of an address: 1, 0 none, -1. */
int agentbox_register_find(struct agentbox_root *r, struct str address,
    struct arena *a, struct agentbox_reg *out, struct err *e);
/* All of them, by address, the active one of an address first. */
int agentbox_register_list(struct agentbox_root *r, struct arena *a,
    struct agentbox_regs *out, struct err *e);

#endif
