/* SPDX-License-Identifier: Apache-2.0 */
/* A change of mail, for the commands that show it. */
#include "desk/changes_shown.h"

#include "base/clock.h"
#include "gate/undo.h"
#include "source/since.h"

void
changes_shown_put(struct json *j, struct arena *a,
    const struct store_journal *row, struct str account)
{
	json_put_int(j, "change", row->id);
	json_put_str(j, "at", clock_rfc3339(a, row->created_s));
	json_put_str(j, "agent", row->principal);
	json_put_str(j, "account", account);
	json_put_text(j, "kind", row->move ? "move" : "mark");
	json_put_str(j, "folder", row->folder);
	json_put_str(j, "to", row->target);
	undo_say_marks(j, a, "set", row->set, &row->add);
	undo_say_marks(j, a, "cleared", row->clear, &row->drop);
	json_put_int(j, "messages", (int64_t)row->n);
	json_put_int(j, "done", (int64_t)row->done);
	json_put_int(j, "undone", (int64_t)row->undone);
	json_put_int(j, "undoes", row->undoes);
	json_put_text(j, "state", store_journal_word(row->state));
}

int
changes_shown_since(const struct call *c, int64_t *out, struct err *e)
{
	*out = 0;
	if (!args_has(c->args, "since") ||
	    since_parse(args_text(c->args, "since"), clock_now(), out))
		return 0;
	return err_set(e, ERR_USAGE,
	    "--since takes a day, a time, or how long ago: 2026-06-21, "
	    "2026-06-21T10:00:00Z, or 1h, 2d, 3w");
}
