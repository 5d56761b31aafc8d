/* SPDX-License-Identifier: Apache-2.0 */
/* A home as it is shown. */
#include "desk/home_args.h"

#define WARNED 5 /* as many of a manifest's warnings are shown */

static void
home_args_put_text(struct json *out, const char *key, struct str s)
{
	if (s.n > 0)
		json_put_str(out, key, s);
	else
		json_put_null(out, key);
}

struct str
home_args_transport(const struct brain *b)
{
	return b->mailbox.said ? str_of(transport_name(b->mailbox.transport))
			       : S("");
}

void
home_args_warn(struct call *c, const struct home_entry *h)
{
	const struct strs *w = &h->brain.warnings;

	for (size_t i = 0; i < w->n && i < WARNED; i++)
		operate_note(c, "emcli: warning: home %.*s: %.*s",
		    STR_ARG(h->id), STR_ARG(w->v[i]));
	if (w->n > WARNED)
		operate_note(c, "emcli: warning: home %.*s: %zu more",
		    STR_ARG(h->id), w->n - WARNED);
}

void
home_args_put(struct json *out, const struct home_entry *h)
{
	static const char *const states[] = {
		[HOME_READY] = "ready",
		[HOME_MISSING] = "missing",
		[HOME_DAMAGED] = "damaged",
	};
	const struct brain *b = &h->brain;

	json_put_str(out, "home_id", h->id);
	json_put_text(out, "state", states[h->state]);
	home_args_put_text(out, "why", h->why);
	home_args_put_text(out, "tool", b->tool);
	home_args_put_text(out, "agent", b->agent);
	home_args_put_text(out, "role", b->role);
	home_args_put_text(out, "built_at", b->built_at);
	home_args_put_text(out, "transport", home_args_transport(b));
	home_args_put_text(out, "address", b->mailbox.address);
	json_put_str(out, "home_path", h->path);
	json_put_str(out, "manifest_path", h->manifest);
}
