/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call that is refused before it reaches an operation still leaves an audit
 * row.
 */
#include "base/limits.h"
#include "gate/internal.h"
#include "store/audit.h"

void
gate_refuse(struct gate *g, const char *action, const struct err *e,
    struct arena *a, struct reply *out)
{
	struct str detail = str_of(e->detail);
	struct err late = { 0 };
	int64_t id;

	*out = (struct reply){ .err = *e, .data = json_new(a) };
	json_open_object(out->data, NULL);
	json_close_object(out->data);
	if (g != NULL && g->remote)
		detail = str_fmt(a, "uid %u%s%.*s", g->uid,
		    detail.n > 0 ? "; " : "", STR_ARG(detail));
	if (g != NULL) {
		struct store_audit row = {
			.principal = g->principal,
			.action = record_action(a, action),
		};
		struct str code = str_of(err_code(e->kind));

		store_until(g->store,
		    store_until_begun(g->store) + LIMIT_TIMEOUT_MS);
		if (store_audit_asked(g->store, &row, &id, &late) < 0 ||
		    store_audit_done(g->store, id, code, code, detail, &late) <
			0)
			out->err = late;
		store_until(g->store, 0);
	}
}
