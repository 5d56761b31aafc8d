/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An agent's own mailbox in a mailbox root on this machine.  The account's path
 * is the root and its address one that is registered there.  Mail goes only to
 * addresses of the same root, and the sender is always the account.
 */
#include "backend/agentbox/contract.h"
#include "base/clock.h"

static int
agentbox_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	struct agentbox *b = arena_new(a, struct agentbox);

	if (acct->path.n == 0 || str_has_char(acct->path, '\0'))
		return err_set(e, ERR_CONFIG, "the account has no usable path");
	b->conn.be = &agentbox_backend;
	b->conn.acct = acct;
	b->a = a;
	*out = &b->conn;
	return 0;
}

static void
agentbox_close(struct conn *c)
{
	struct agentbox *b = (struct agentbox *)c;

	if (b == NULL)
		return;
	agentbox_kept_drop(b);
	agentbox_root_close(&b->root);
}

static const char look_at_root[] =
    "look at the folder --path names, and at the addresses registered in it: "
    "--from must be one";

static int
agentbox_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	int64_t start = clock_mono_ms();
	struct folders boxes;
	struct conn *c = NULL;
	const struct strs *notes;

	if (agentbox_open(acct, a, &c, e) < 0 || c == NULL ||
	    agentbox_folder_list(c, a, &boxes, e) < 0) {
		if (e->hint == NULL)
			(void)err_hint(e, look_at_root);
		backend_probe_fail(a, out, "agentbox.root", start, e);
		agentbox_close(c);
		return 0;
	}
	backend_probe_add(a, out, "agentbox.root", true, start,
	    S("the mailbox root is readable and the address is registered"));
	notes = agentbox_root_notes(((struct agentbox *)c)->root);
	for (size_t i = 0; i < notes->n; i++)
		backend_probe_note(a, out, "agentbox.root", start,
		    str_dup(a, notes->v[i]), NULL);
	agentbox_close(c);
	return 0;
}

const struct backend agentbox_backend = {
	.name = "agentbox",
	.caps = CAP_READ | CAP_SUBMIT | CAP_THREADS | CAP_MARK | CAP_MOVE |
	    CAP_VOUCH | CAP_CHANGES | CAP_WATCH,
	.flags = FLAG_READ | FLAG_ANSWERED | FLAG_ARCHIVED,
	.open = agentbox_open,
	.close = agentbox_close,
	.folders = agentbox_folder_list,
	.find = agentbox_find,
	.headers = agentbox_read_headers,
	.body = agentbox_read_body,
	.scan = agentbox_changes_scan,
	.changes = agentbox_changes,
	.submit = agentbox_submit,
	.message_id = agentbox_submit_id,
	.mark = agentbox_mark,
	.move = agentbox_move,
	.watch = agentbox_watch,
	.probe = agentbox_probe,
};
