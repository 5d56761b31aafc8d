/* SPDX-License-Identifier: Apache-2.0 */
/* Resume and stop: the mailbox, the account and the manifest stay. */
#include "base/limits.h"
#include "base/path.h"
#include "runtime/session_credential.h"

static int
session_again_check(const struct session *x, struct err *e)
{
	if (x->is == SESSION_IS_DAMAGED)
		return err_set(e, ERR_CONFIG, "the session is damaged: %.*s",
		    STR_ARG(str_first(x->why, 90)));
	return 0;
}

/* One of the program that has ended is for an earlier launch. */
static int
session_again_gateway(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	if (session_gateway_stop(s, x, folder, e) < 0)
		return -1;
	return session_gateway_is_wanted(s, folder)
	    ? session_gateway_do(s, x, folder, e)
	    : 0;
}

int
session_again(struct sessions *s, struct session *x, struct err *e)
{
	CLEANUP(path_close) int folder = -1;
	struct session_state was = x->state;
	struct err why = { 0 };
	struct str program;

	if (session_again_check(x, e) < 0)
		return -1;
	if (x->is == SESSION_IS_RUNNING)
		return 1;
	if (x->foreground && x->manifest.tmux.n > 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the session is one of tmux: resume it there, or start "
		    "another with --foreground");
	folder = session_folder(s, x, false, e);
	if (folder < 0 ||
	    process_find(x->manifest.executable, x->manifest.workdir, s->a,
		&program, e) < 0 ||
	    session_mailbox_check(s, &x->manifest.mailbox, e) < 0)
		return -1;
	x->state.root = x->manifest.mailbox.transport == TRANSPORT_STALWART
	    ? x->manifest.mailbox.jmap_url
	    : x->manifest.mailbox.filesystem_root;
	x->state.address = x->manifest.mailbox.address;
	x->state.tmux = x->manifest.tmux;
	if (session_account_do(s, x, folder, e) < 0)
		return -1;
	if (session_again_gateway(s, x, folder, e) == 0) {
		if (session_launch(s, x, folder, program, e) == 0)
			return 0;
		(void)session_gateway_stop(s, x, folder, &why);
	}
	was.account = x->state.account;
	x->state = was;
	(void)session_file_write(folder, &x->state, s->a, &why);
	return -1;
}

int
session_again_stop(struct sessions *s, struct session *x, struct err *e)
{
	CLEANUP(path_close) int folder = -1;

	if (session_again_check(x, e) < 0)
		return -1;
	folder = session_folder(s, x, false, e);
	if (folder < 0 || session_gateway_stop(s, x, folder, e) < 0 ||
	    process_stop(&x->state.process, LIMIT_SESSION_STOP_MS, e) < 0 ||
	    session_pane_end(s, x, e) < 0)
		return -1;
	x->state.step = SESSION_STOPPED;
	x->state.process = (struct process){ .boot = S("") };
	x->is = SESSION_IS_STOPPED;
	if (session_file_write(folder, &x->state, s->a, e) < 0)
		return -1;
	return credential_copy_drop(folder, s->a, e);
}
