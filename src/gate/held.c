/* SPDX-License-Identifier: Apache-2.0 */
/* A change that waits: which messages, as bytes, and its row. */
#include "gate/held.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"

enum {
	SUBJECTS = 10,      /* that the operator is shown, */
	SUBJECT_SHOWN = 200 /* and so many bytes of each */
};

static struct str
held_bytes(struct arena *a, const struct mailbox_set *set)
{
	struct json *j = json_new(a);
	unsigned char digest[STORE_JOURNAL_DIGEST];

	json_open_object(j, NULL);
	json_open_array(j, "uids");
	for (size_t i = 0; i < set->mails.n; i++)
		json_put_int(j, NULL, set->refs.v[i].uid);
	json_close_array(j);
	json_open_array(j, "digests");
	for (size_t i = 0; i < set->mails.n; i++) {
		journal_message_digest(&set->mails.v[i], digest);
		json_put_str(j, NULL, str_hex_dup(a, digest, sizeof(digest)));
	}
	json_close_array(j);
	json_open_array(j, "subjects");
	for (size_t i = 0; i < set->mails.n && i < SUBJECTS; i++)
		json_put_str(j, NULL, set->mails.v[i].env.subject);
	json_close_array(j);
	json_close_object(j);
	return json_text(j, a);
}

void
held_tell(struct call *c, const struct store_outbox *row)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_put_int(j, "id", row->id);
	json_put_text(j, "state", store_outbox_change_word(row));
	if (row->change->id != 0)
		json_put_int(j, "change", row->change->id);
	if (row->state == STORE_OUTBOX_HELD)
		json_put_str(j, "expires",
		    clock_rfc3339(c->arena, row->expires_s + row->frozen_s));
	json_close_object(j);
	c->detail = j;
}

int
held_put(struct mailbox *m, const struct mailbox_set *set,
    const struct store_journal *what, struct err *e)
{
	const struct store_outbox_limits none = { 0 };
	struct store_journal change = *what;
	struct store_outbox row = {
		.account = m->src->acct.id,
		.principal = m->gate->principal,
		.request = S(""),
		.message_id = S(""),
		.sender = S(""),
		.policy = S(""),
		.message = held_bytes(m->arena, set),
		.state = STORE_OUTBOX_HELD,
		.reason = S("approval"),
		.change = &change,
	};
	bool found;

	change.folder = set->folder;
	change.uidvalidity = set->uidvalidity;
	change.n = set->mails.n;
	row.bytes = row.message.n;
	if (outbox_check_until(m->gate->store, m->arena, &row.expires_s, e) < 0)
		return -1;
	row.digest = outbox_digest_row(m->arena, m->src->acct.name, &row);
	if (store_outbox_add(m->gate->store, m->arena, &row, &none, &found, e) <
	    0)
		return -1;
	m->call->held = row.id;
	held_tell(m->call, &row);
	return outbox_state_error(&row, e);
}

static bool
held_read_messages(struct arena *a, const struct json_value *root, size_t n,
    struct held_messages *out)
{
	const struct json_value *uids = json_parse_member(root, "uids");
	const struct json_value *digests = json_parse_member(root, "digests");

	if (n == 0 || n > LIMIT_ORGANISE || json_parse_count(uids) != n ||
	    json_parse_count(digests) != n)
		return false;
	out->uid = arena_array(a, n, sizeof(*out->uid));
	out->digest = arena_array(a, n, sizeof(*out->digest));
	for (; out->n < n; out->n++) {
		size_t i = out->n;
		struct str digest;
		int64_t uid;

		if (!json_parse_int(json_parse_item(uids, i), &uid) ||
		    uid <= (i > 0 ? out->uid[i - 1] : 0) || uid > UINT32_MAX ||
		    !json_parse_str(json_parse_item(digests, i), &digest))
			return false;
		out->uid[i] = (uint32_t)uid;
		out->digest[i] = str_dup(a, digest);
	}
	return true;
}

int
held_read(struct arena *a, const struct store_outbox *row,
    struct held_messages *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *root, *subjects;
	struct err none = { 0 };
	struct str one;

	*out = (struct held_messages){ 0 };
	if (json_parse_open(row->message, LIMIT_MESSAGE, &doc, &none) < 0)
		return outbox_release_changed(e, "not readable");
	root = json_parse_root(doc);
	if (!held_read_messages(a, root, row->change->n, out))
		return outbox_release_changed(e, "messages");
	subjects = json_parse_member(root, "subjects");
	for (size_t i = 0;
	     i < SUBJECTS && json_parse_str(json_parse_item(subjects, i), &one);
	     i++)
		str_push(a, &out->subjects,
		    str_dup(a, utf8_first(one, SUBJECT_SHOWN)));
	return 0;
}
