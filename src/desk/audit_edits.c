/* SPDX-License-Identifier: Apache-2.0 */
/* Changes by others, for the commands that report them. */
#include "desk/audit_edits.h"

#include "store/signed.h"

const struct field audit_edits_fields[] = {
	{ "where", FIELD_TEXT, .help = "the table and row" },
	{ "what", FIELD_TEXT, .help = "how it differs from what emcli wrote" },
	{ 0 },
};

void
audit_edits_say(struct call *c, const struct store_signed *v)
{
	for (size_t i = 0; i < v->n; i++)
		gate_tell(c, "%.*s: %.*s", STR_ARG(v->v[i].where),
		    STR_ARG(v->v[i].what));
	if (v->more)
		gate_tell(c, "and others");
}

void
audit_edits_put(struct json *j, const struct store_signed *v)
{
	json_open_array(j, "edits");
	for (size_t i = 0; i < v->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "where", v->v[i].where);
		json_put_str(j, "what", v->v[i].what);
		json_close_object(j);
	}
	json_close_array(j);
}
