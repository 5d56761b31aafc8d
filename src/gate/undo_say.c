/* SPDX-License-Identifier: Apache-2.0 */
/* Changes and undos, as replies tell of them. */
#include "base/clean.h"
#include "gate/mailbox.h"
#include "gate/undo.h"

void
undo_say_left(struct json *out, const struct undone *u, bool ids)
{
	json_open_array(out, "not_restored");
	for (size_t i = 0; i < u->lefts; i++) {
		json_open_object(out, NULL);
		if (u->left[i].uid != 0)
			json_put_int(out, "uid", u->left[i].uid);
		else
			json_put_null(out, "uid");
		if (ids)
			json_put_str(out, "message_id", u->left[i].message_id);
		json_put_text(out, "reason", u->left[i].why);
		json_close_object(out);
	}
	json_close_array(out);
}

void
undo_say_marks(struct json *out, struct arena *a, const char *key,
    unsigned flags, const struct strs *labels)
{
	struct strs words = changes_text_flags(a, flags);

	json_open_array(out, key);
	for (size_t i = 0; i < words.n; i++)
		json_put_str(out, NULL, words.v[i]);
	for (size_t i = 0; i < labels->n; i++)
		json_put_str(out, NULL, clean_text(a, labels->v[i], NULL));
	json_close_array(out);
}
