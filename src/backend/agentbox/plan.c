/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON of journal rows.  They are ours, but are read as strictly as
 * untrusted ones: whoever can write to the root can write here too.
 */
#include "backend/agentbox/internal.h"

static void
plan_put(struct json *j, const char *key, struct str s)
{
	if (s.n > 0)
		json_put_str(j, key, s);
}

void
agentbox_plan_put_reg(struct json *j, const char *key,
    const struct agentbox_reg *reg)
{
	json_open_object(j, key);
	plan_put(j, "id", reg->id);
	plan_put(j, "address", reg->address);
	plan_put(j, "owner", reg->owner);
	json_put_int(j, "status", reg->status);
	json_put_bool(j, "private", reg->is_private);
	plan_put(j, "path", reg->path);
	plan_put(j, "entry", reg->entry);
	plan_put(j, "display_name", reg->display_name);
	plan_put(j, "manifest_hint", reg->manifest_hint);
	plan_put(j, "role", reg->role);
	plan_put(j, "created", reg->created);
	plan_put(j, "deactivated", reg->deactivated);
	plan_put(j, "replaced_by", reg->replaced_by);
	json_close_object(j);
}

struct str
agentbox_plan_text(const struct json_value *v, const char *key, struct arena *a)
{
	struct str s;

	if (!json_parse_str(json_parse_member(v, key), &s))
		return (struct str){ "", 0 };
	return str_dup(a, s);
}

bool
agentbox_plan_flag(const struct json_value *v, const char *key)
{
	bool b = false;

	(void)json_parse_bool(json_parse_member(v, key), &b);
	return b;
}

bool
agentbox_plan_reg(const struct json_value *v, const char *key, struct arena *a,
    struct agentbox_reg *out)
{
	const struct json_value *o = json_parse_member(v, key);
	int64_t status;

	if (!json_parse_is_object(o) ||
	    !json_parse_int(json_parse_member(o, "status"), &status) ||
	    status < AGENTBOX_INACTIVE || status > AGENTBOX_STASHED)
		return false;
	*out = (struct agentbox_reg){
		.id = agentbox_plan_text(o, "id", a),
		.address = agentbox_plan_text(o, "address", a),
		.owner = agentbox_plan_text(o, "owner", a),
		.status = (enum agentbox_status)status,
		.is_private = agentbox_plan_flag(o, "private"),
		.path = agentbox_plan_text(o, "path", a),
		.entry = agentbox_plan_text(o, "entry", a),
		.display_name = agentbox_plan_text(o, "display_name", a),
		.manifest_hint = agentbox_plan_text(o, "manifest_hint", a),
		.role = agentbox_plan_text(o, "role", a),
		.created = agentbox_plan_text(o, "created", a),
		.deactivated = agentbox_plan_text(o, "deactivated", a),
		.replaced_by = agentbox_plan_text(o, "replaced_by", a),
	};
	return out->id.n > 0 && agentbox_name_address(out->address);
}

int
agentbox_plan_broken(struct err *e, const char *what)
{
	(void)err_set(e, ERR_DB,
	    "the journal of the mailbox root is damaged; run mailbox repair");
	e->reason = "damaged";
	return err_because(e, "%s", what);
}
