/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another mailbox for a session, in steps.  session.json says first what each
 * will have to undo.  The manifest is the step that counts: a change that was
 * killed before it is undone, and after it is finished.
 */
#include "base/path.h"
#include "runtime/root.h"
#include "runtime/session.h"

static struct session_box
rebind_old(const struct session *x)
{
	return (struct session_box){ x->state.root, x->state.address,
		x->state.attach_dir };
}

static struct session_box
rebind_new(const struct session *x)
{
	return (struct session_box){ x->state.change.root,
		x->state.change.address, x->state.attach_dir };
}

static bool
rebind_is_same(const struct session *x)
{
	return str_eq(x->state.root, x->state.change.root) &&
	    str_eq(x->state.address, x->state.change.address);
}

static void
rebind_note(struct sessions *s, const struct root *r)
{
	const struct strs *notes = root_notes(r);

	for (size_t i = 0; i < notes->n; i++)
		str_push(s->a, &s->notes, str_dup(s->a, notes->v[i]));
}

/* -- the steps ------------------------------------------------------------- */

static int
rebind_register(struct sessions *s, struct session *x, int folder,
    struct binding *next, struct err *e)
{
	CLEANUP(root_close) struct root r = { 0 };
	struct session_change *v = &x->state.change;
	struct agentbox_claim claim = {
		.mode = AGENTBOX_SAFE,
		.address = next->address,
		.owner = next->principal_id,
		.manifest_hint = x->manifest_path,
		.role = x->manifest.role,
	};
	struct agentbox_claimed done;
	struct agentbox_reg reg;
	int found;

	if (root_open(&r, next->filesystem_root, true, s->store, s->a, e) < 0)
		return -1;
	rebind_note(s, &r);
	if (next->kind == BINDING_SYMLINK)
		claim.private_dir = next->mailbox_path;
	next->filesystem_root = v->root = str_dup(s->a, root_path(&r));
	v->address = next->address;
	found = root_find(&r, next->address, &reg, e);
	if (found < 0)
		return -1;
	v->registered_new = found == 0;
	if (session_file_write(folder, &x->state, s->a, e) < 0)
		return -1;
	if (root_register(&r, &claim, &done, e) < 0)
		return -1;
	next->mailbox_path = done.reg.path;
	return 0;
}

/* The account of the new mailbox; else that of the old one; else another. */
static int
rebind_account(struct sessions *s, struct session *x, int folder,
    const struct binding *next, struct err *e)
{
	struct session_box old = rebind_old(x), new = rebind_new(x);
	struct session_change *v = &x->state.change;
	int is_old;

	if (session_account_name(s, &new, next->principal_id, &v->account,
		&v->account_new, e) < 0)
		return -1;
	if (!v->account_new)
		return session_file_write(folder, &x->state, s->a, e);
	is_old = x->state.account.n == 0
	    ? 0
	    : session_account_is(s, &old, x->state.account, e);
	if (is_old < 0)
		return -1;
	if (is_old == 1) {
		v->account = x->state.account;
		v->account_new = false;
		v->account_moved = true;
	}
	if (session_file_write(folder, &x->state, s->a, e) < 0)
		return -1;
	return is_old == 1 ? session_account_move(s, &old, &new, v->account, e)
			   : session_account_add(s, &new, v->account, e);
}

static int
rebind_steps(struct sessions *s, struct session *x, int folder,
    struct binding *next, struct err *e)
{
	if (next->transport != TRANSPORT_NONE &&
	    (rebind_register(s, x, folder, next, e) < 0 ||
		session_mailbox_check(s, next, e) < 0 ||
		rebind_account(s, x, folder, next, e) < 0))
		return -1;
	return manifest_rebind(folder, next,
	    x->manifest.mailbox.bindings_version, s->a, e);
}

/* -- after them, or instead of them ---------------------------------------- */

/* Ends a registration of ours: 1; 0: there is none. */
static int
rebind_end(struct sessions *s, const struct session_box *b,
    struct str principal, struct err *e)
{
	CLEANUP(root_close) struct root r = { 0 };
	struct err why = { 0 };
	struct agentbox_reg reg;
	int found;

	if (root_open(&r, b->root, false, s->store, s->a, &why) < 0) {
		if (why.kind == ERR_NOT_FOUND)
			return 0;
		*e = why;
		return -1;
	}
	rebind_note(s, &r);
	found = root_find(&r, b->address, &reg, e);
	if (found <= 0 || (principal.n > 0 && !str_eq(reg.owner, principal)))
		return found < 0 ? -1 : 0;
	return root_end(&r, b->address, false, e) < 0 ? -1 : 1;
}

static int
rebind_undo(struct sessions *s, struct session *x, int folder, struct err *e)
{
	struct session_box old = rebind_old(x), new = rebind_new(x);
	const struct session_change *v = &x->state.change;

	if (v->account_new && session_account_drop(s, &new, v->account, e) < 0)
		return -1;
	if (v->account_moved &&
	    session_account_move(s, &new, &old, v->account, e) < 0)
		return -1;
	if (v->registered_new && rebind_end(s, &new, S(""), e) < 0)
		return -1;
	x->state.change = (struct session_change){ 0 };
	return session_file_write(folder, &x->state, s->a, e);
}

/* The old root may be gone, which is why a session gets another one. */
static void
rebind_leave(struct sessions *s, const struct session *x,
    struct session_rebound *out)
{
	struct session_box old = rebind_old(x);
	struct err why = { 0 };

	if (old.root.n == 0 || rebind_is_same(x))
		return;
	out->root = old.root;
	out->address = old.address;
	out->ended = rebind_end(s, &old, x->state.change.principal, &why) == 1;
	if (why.kind != ERR_NONE)
		str_push(s->a, &s->notes,
		    str_fmt(s->a,
			"the former registration cannot be ended now: %s; see "
			"emcli mailbox unregister",
			why.say));
}

static int
rebind_finish(struct sessions *s, struct session *x, int folder,
    struct session_rebound *out, struct err *e)
{
	struct session_state *v = &x->state;

	rebind_leave(s, x, out);
	v->root = v->change.root;
	v->address = v->change.address;
	v->account = v->change.account;
	v->change = (struct session_change){ 0 };
	return session_file_write(folder, v, s->a, e);
}

/* Does the manifest have it?  Then it is what the session has. */
static bool
rebind_is_done(const struct session *x)
{
	const struct session_change *v = &x->state.change;
	const struct binding *is = &x->manifest.mailbox;

	if (str_eq(is->bindings_version, v->before))
		return false;
	return v->root.n == 0 ? is->transport == TRANSPORT_NONE
			      : str_eq(is->filesystem_root, v->root) &&
		str_eq(is->address, v->address);
}

/* By the manifest as it is now.  1: it was finished; 0: it was undone. */
static int
rebind_end_or_undo(struct sessions *s, struct session *x, int folder,
    struct session_rebound *out, struct err *e)
{
	if (manifest_read(folder, s->a, &x->manifest, e) < 0)
		return -1;
	if (!rebind_is_done(x))
		return rebind_undo(s, x, folder, e);
	return rebind_finish(s, x, folder, out, e) < 0 ? -1 : 1;
}

/* The error that is told is the change's. */
static int
rebind_fail(struct sessions *s, struct session *x, int folder)
{
	struct session_rebound unused = { 0 };
	struct err why = { 0 };

	if (rebind_end_or_undo(s, x, folder, &unused, &why) < 0)
		str_push(s->a, &s->notes,
		    str_fmt(s->a,
			"what the change began cannot be undone now, and is by "
			"the next session command: %s",
			why.say));
	return -1;
}

static int
rebind_begin(struct sessions *s, struct session *x, int folder,
    struct binding *next, struct err *e)
{
	const struct binding *was = &x->manifest.mailbox;

	if (was->bindings_version.n > 0)
		x->state.version = was->bindings_version;
	next->bindings_version = x->state.version;
	/* A manifest that another program changed is right, too. */
	x->state.root = was->filesystem_root;
	x->state.address = was->address;
	x->state.change = (struct session_change){ .is = true,
		.before = was->bindings_version,
		.principal = was->principal_id };
	return session_file_write(folder, &x->state, s->a, e);
}

int
session_rebind(struct sessions *s, struct session *x, struct binding *next,
    struct session_rebound *out, struct err *e)
{
	CLEANUP(path_close) int folder = -1;

	*out = (struct session_rebound){ 0 };
	if (x->is == SESSION_IS_DAMAGED)
		return err_set(e, ERR_CONFIG, "the session is damaged: %.*s",
		    STR_ARG(str_first(x->why, 90)));
	if (x->manifest.mailbox.transport == TRANSPORT_STALWART)
		return err_set(e, ERR_UNSUPPORTED,
		    "a mailbox on a server is not taken away from a session");
	folder = session_folder(s, x, false, e);
	if (folder < 0 || rebind_begin(s, x, folder, next, e) < 0)
		return -1;
	if (rebind_steps(s, x, folder, next, e) < 0)
		return rebind_fail(s, x, folder);
	return rebind_end_or_undo(s, x, folder, out, e) < 0 ? -1 : 0;
}

int
session_rebind_settle(struct sessions *s, struct session *x, struct err *e)
{
	CLEANUP(path_close) int folder = session_folder(s, x, false, e);
	struct session_rebound unused = { 0 };

	return folder < 0 ? -1 : rebind_end_or_undo(s, x, folder, &unused, e);
}
