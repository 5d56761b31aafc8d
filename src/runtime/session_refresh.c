/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/session.h"

int
session_refresh(struct sessions *s, struct session *x, struct str root,
    struct session_rebound *out, struct err *e)
{
	struct binding next = x->manifest.mailbox;

	if (x->is != SESSION_IS_DAMAGED && next.transport == TRANSPORT_NONE)
		return err_set(e, ERR_CONFIG,
		    "the session has no mailbox: give it one with emcli agents "
		    "mailbox register");
	if (next.transport == TRANSPORT_STALWART)
		return err_set(e, ERR_UNSUPPORTED,
		    "only a mailbox in a root on the filesystem can get "
		    "another root");
	next.filesystem_root = root;
	return session_rebind(s, x, &next, out, e);
}
