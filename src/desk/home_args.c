/* A home as it is shown. */
#include "desk/home_args.h"

static void
home_args_put_text(struct json *out, const char *key, struct str s)
{
	if (s.n > 0)
		json_put_str(out, key, s);
	else
		json_put_null(out, key);
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
	home_args_put_text(out, "transport", b->mailbox.transport);
	home_args_put_text(out, "address", b->mailbox.address);
	json_put_str(out, "home_path", h->path);
	json_put_str(out, "manifest_path", h->manifest);
}
