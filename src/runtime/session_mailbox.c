/* SPDX-License-Identifier: Apache-2.0 */
/* The first step: a mailbox root, and the session's address in it. */
#include "backend/agentbox/register.h"
#include "runtime/session_credential.h"

static void
session_mailbox_note(struct sessions *s, const struct agentbox_root *r)
{
	const struct strs *notes = agentbox_root_notes(r);

	for (size_t i = 0; i < notes->n; i++)
		str_push(s->a, &s->notes, str_dup(s->a, notes->v[i]));
}

/* The account was made before (stalwart.h); here its password is handed on. */
static int
session_mailbox_do_stalwart(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	CLEANUP(credential_done) struct credential c = { 0 };

	x->state.root = x->manifest.mailbox.jmap_url;
	x->state.address = x->manifest.mailbox.address;
	if (session_file_write(folder, &x->state, s->a, e) < 0)
		return -1;
	return credential_copy(&s->place, x->manifest.mailbox.credential_ref,
	    folder, s->a, &c, e);
}

int
session_mailbox_do(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;
	const struct binding *b = &x->manifest.mailbox;
	struct agentbox_claim claim = {
		.mode = AGENTBOX_SAFE,
		.address = b->address,
		.owner = b->principal_id,
		.manifest_hint = x->manifest_path,
		.role = x->manifest.role,
	};
	struct agentbox_claimed done;
	struct agentbox_reg reg;
	int found;

	if (b->transport == TRANSPORT_NONE)
		return 0;
	if (b->transport == TRANSPORT_STALWART)
		return session_mailbox_do_stalwart(s, x, folder, e);
	if (b->kind == BINDING_SYMLINK)
		claim.private_dir = b->mailbox_path;
	if (agentbox_root_make(str_c(s->a, b->filesystem_root), &s->use, &r,
		e) < 0)
		return -1;
	session_mailbox_note(s, r);
	found = agentbox_register_find(r, b->address, s->a, &reg, e);
	if (found < 0)
		return -1;
	x->state.root = b->filesystem_root;
	x->state.address = b->address;
	x->state.registered_new = found == 0;
	if (session_file_write(folder, &x->state, s->a, e) < 0)
		return -1;
	return agentbox_register(r, &claim, s->a, &done, e);
}

int
session_mailbox_undo(struct sessions *s, const struct session *x, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;
	struct err why = { 0 };

	if (!x->state.registered_new)
		return 0;
	/* The mailbox stays: somebody may have written to it meanwhile. */
	if (agentbox_root_open(str_c(s->a, x->state.root), &s->use, &r, &why) ==
		0 &&
	    agentbox_register_end(r, x->state.address, false, &why) == 0)
		return 0;
	if (why.kind == ERR_NOT_FOUND)
		return 0;
	*e = why;
	return -1;
}

static int
session_mailbox_refuse(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the session's mailbox %s", what);
	e->reason = "not_actionable";
	return -1;
}

int
session_mailbox_check(struct sessions *s, const struct binding *b,
    struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;
	struct agentbox_reg reg;
	int found;

	if (b->transport != TRANSPORT_FILESYSTEM)
		return 0;
	if (agentbox_root_open(str_c(s->a, b->filesystem_root), &s->use, &r,
		e) < 0)
		return -1;
	session_mailbox_note(s, r);
	found = agentbox_register_find(r, b->address, s->a, &reg, e);
	if (found < 0)
		return -1;
	if (found == 0)
		return session_mailbox_refuse(e,
		    "is not registered in its root any more");
	if (!str_eq(reg.owner, b->principal_id))
		return session_mailbox_refuse(e,
		    "is registered for another principal");
	if (reg.is_private != (b->kind == BINDING_SYMLINK) ||
	    (reg.is_private && !str_eq(reg.path, b->mailbox_path)))
		return session_mailbox_refuse(e,
		    "is registered with another folder");
	return 0;
}
