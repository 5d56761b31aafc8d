/* SPDX-License-Identifier: Apache-2.0 */
#include "desk/mailbox_args.h"

int
mailbox_args_open(struct call *c, bool make, struct root *r, struct err *e)
{
	return root_open(r, args_text(c->args, "root"), make, operate_store(c),
	    c->arena, e);
}

void
mailbox_args_close(struct call *c, struct root *r)
{
	const struct strs *notes = root_notes(r);

	for (size_t i = 0; i < notes->n; i++)
		operate_note(c, "emcli: note: %.*s", STR_ARG(notes->v[i]));
	root_close(r);
}

static const char *const mailbox_status[] = {
	[AGENTBOX_INACTIVE] = "inactive",
	[AGENTBOX_ACTIVE] = "active",
	[AGENTBOX_STASHED] = "stashed",
};

void
mailbox_args_put_reg(struct json *out, const struct agentbox_reg *reg)
{
	json_put_str(out, "address", reg->address);
	json_put_str(out, "principal_id", reg->owner);
	json_put_text(out, "status", mailbox_status[reg->status]);
	json_put_text(out, "kind", reg->is_private ? "symlink" : "in_root");
	json_put_str(out, "mailbox_path", reg->path);
	json_put_str(out, "registration_id", reg->id);
	json_put_str_or_null(out, "role", reg->role);
	json_put_str(out, "created_at", reg->created);
	json_put_str_or_null(out, "deactivated_at", reg->deactivated);
}

struct str
mailbox_args_count(struct call *c, size_t n, const char *one)
{
	return str_fmt(c->arena, "%zu %s%s", n, one, n == 1 ? "" : "s");
}

void
mailbox_args_tell_ported(struct call *c, struct json *out,
    const struct agentbox_ported *p)
{
	json_put_int(out, "protocol", p->protocol);
	json_put_int(out, "registrations", (int64_t)p->registrations);
	json_put_int(out, "messages", (int64_t)p->messages);
	json_put_int(out, "known", (int64_t)p->known);
	json_put_strs(out, "damaged", &p->damaged);
	c->note = str_fmt(c->arena, "%zu messages", p->messages);
	gate_say(c, GATE_GOOD, "%.*s and %.*s copied",
	    STR_ARG(mailbox_args_count(c, p->messages, "message")),
	    STR_ARG(mailbox_args_count(c, p->registrations, "registration")));
	if (p->known > 0)
		gate_tell(c, "%.*s already there",
		    STR_ARG(mailbox_args_count(c, p->known, "message")));
	for (size_t i = 0; i < p->damaged.n; i++)
		gate_say(c, GATE_BAD, "skipped, since it cannot be read: %.*s",
		    STR_ARG(p->damaged.v[i]));
}
