/* SPDX-License-Identifier: Apache-2.0 */
/* A source in the lists of sources, for agents and the operator. */
#include "source/roster.h"

void
roster_put(struct json *j, const struct role_source *s)
{
	json_put_str(j, "name", s->name);
	json_put_str(j, "backend", s->backend);
	json_put_text(j, "role", role_name(s->role));
	json_put_bool(j, "mandatory", s->mandatory);
	json_open_array(j, "preferred_for");
	for (enum role_op op = 0; op < ROLE_OPS; op++)
		if (s->prefers & 1U << op)
			json_put_text(j, NULL, role_op_name(op));
	json_close_array(j);
}

void
roster_put_can(struct json *j, const struct role_source *s)
{
	const char *kind = matrix_id_kind(s->backend);

	json_put_text(j, "thread_id_kind", kind);
	json_open_object(j, "supports");
	for (enum role_op op = 0; op < ROLE_OPS; op++) {
		if (roster_is_open(s, op))
			json_put_null(j, role_op_name(op));
		else
			json_put_bool(j, role_op_name(op),
			    roster_why(s, op) == NULL);
	}
	json_close_object(j);
	json_open_object(j, "why_not");
	for (enum role_op op = 0; op < ROLE_OPS; op++) {
		if (roster_is_open(s, op))
			json_put_text(j, role_op_name(op),
			    "unknown: the source could not be asked");
		else if (roster_why(s, op) != NULL)
			json_put_text(j, role_op_name(op), roster_why(s, op));
	}
	json_close_object(j);
}
