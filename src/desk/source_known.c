/* SPDX-License-Identifier: Apache-2.0 */
/* The accounts as sources: the part each one plays, and what it can do. */
#include "desk/source_known.h"

#include "base/buf.h"
#include "gate/operate.h"

const struct field source_known_fields[] = {
	{ "name", FIELD_TEXT, .help = "the account" },
	{ "backend", FIELD_TEXT, .help = "kind of source" },
	{ "role", FIELD_TEXT,
	    .help = "primary, preferred, fallback, optional or none" },
	{ "mandatory", FIELD_BOOL,
	    .help = "nothing runs while it is not available" },
	{ "preferred_for", FIELD_TEXTS,
	    .help = "operations for which it is the first choice" },
	{ "thread_id_kind", FIELD_TEXT, .nullable = true,
	    .help = "of its thread ids" },
	{ "supports", FIELD_OBJECT, .help = "what it supports, as deployed",
	    .sub = sources_fields_supports },
	{ "why_not", FIELD_OBJECT, .help = "why it does not support it",
	    .sub = sources_fields_why_not },
	{ "cannot", FIELD_TEXT,
	    .help =
		"the same in one line; with ?: it could not be determined" },
	{ 0 },
};

const struct field source_known_result[] = {
	{ "sources", FIELD_OBJECTS, .help = "the accounts, in their order",
	    .sub = source_known_fields },
	{ 0 },
};

int
source_known_load(struct store *s, struct arena *a, struct role_source **out,
    size_t *n, struct err *e)
{
	struct roster r = { .store = s, .a = a };
	bool declared;

	if (store_setting_timeout(s, &r.timeout_ms, e) < 0 ||
	    sources_roster(s, a, out, n, e) < 0)
		return -1;
	declared = roster_declared(*out, *n);
	for (size_t i = 0; i < *n; i++)
		if (!declared || (*out)[i].role != ROLE_NONE)
			roster_settle(&r, &(*out)[i]);
	return 0;
}

struct str
source_known_cannot(struct arena *a, const struct role_source *s)
{
	struct buf b;

	buf_init(&b, a, 512);
	for (enum role_op op = 0; op < ROLE_OPS; op++) {
		bool open = roster_is_open(s, op);

		if (open || roster_why(s, op) != NULL)
			buf_fmt(&b, "%s%s%s", b.n > 0 ? ", " : "",
			    role_op_name(op), open ? "?" : "");
	}
	return buf_view(&b);
}

int
source_known_put(struct call *c, struct json *out, struct err *e)
{
	struct role_source *v;
	size_t n;

	if (source_known_load(operate_store(c), c->arena, &v, &n, e) < 0)
		return -1;
	json_open_array(out, "sources");
	for (size_t i = 0; i < n; i++) {
		json_open_object(out, NULL);
		roster_put(out, &v[i]);
		roster_put_can(out, &v[i]);
		json_put_str(out, "cannot",
		    source_known_cannot(c->arena, &v[i]));
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}
