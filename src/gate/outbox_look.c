/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a message with an unknown outcome in Sent?  Its Message-ID has 128 random
 * bits and is in no other message of ours.
 */
#include "base/clock.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"

enum {
	LOOKED_AT = 20 /* results of a search that may find too much */
};

static bool
outbox_look_is_it(struct arena *a, const struct row *row, struct str message_id)
{
	struct mime_envelope env;

	mime_envelope_parse(a, row->head, &env);
	return str_eq(env.message_id, message_id);
}

static int
outbox_look_look(struct source *src, struct arena *a, struct str message_id,
    struct err *e)
{
	struct query q = { .message_id = message_id };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };
	struct conn *c = NULL;
	int r = -1;

	if (src->be->open(&src->view, a, &c, e) < 0)
		return -1;
	if (outbox_copy_folder(c, a, &q.folder, e) == 0)
		r = src->be->find(c, a, &q, LOOKED_AT, &st, &rows, e);
	for (size_t i = 0; r == 0 && i < rows.n; i++)
		if (outbox_look_is_it(a, &rows.v[i], message_id))
			r = 1;
	src->be->close(c);
	return r;
}

int
outbox_look(struct store *s, struct arena *a, int64_t id, struct err *e)
{
	struct store_account acct = { 0 };
	struct store_outbox row = { 0 };
	struct source src = { 0 };
	int64_t time;
	int r = -1;

	if (store_outbox_get(s, a, id, &row, e) < 0 ||
	    store_account_of(s, a, row.account, &acct, e) < 0 ||
	    store_setting_timeout(s, &time, e) < 0 ||
	    source_resolve_given(&acct, clock_mono_ms() + time, &src, e) < 0)
		return -1;
	if (source_unseal(s, &src, e) == 0)
		r = outbox_look_look(&src, a, row.message_id, e);
	source_done(&src);
	return r;
}
