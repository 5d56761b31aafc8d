/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the operations of the contract of mail sources. */
#include "op/fields_source.h"
#include "base/clean.h"
#include "base/clock.h"
#include "mime/date.h"
#include "source/since.h"

const struct field fields_source_thread_id[] = {
	{ "kind", FIELD_TEXT,
	    .help = "rfc5322-message-id, sha256-raw, agentbox-thread-id, "
		    "gmail-thread-id, jmap-thread-id or ponymail-mid" },
	{ "id", FIELD_TEXT, .help = "opaque" },
	{ 0 },
};

#define ROW_WHERE                                                              \
	{ "folder", FIELD_TEXT, false, true,                                   \
		"where it is; null: the source has threads across folders",    \
		NULL },                                                        \
	{                                                                      \
		"uid", FIELD_INT, false, true, "for get, in that folder", NULL \
	}

#define ROW_HEAD                                                               \
	{ "message_id", FIELD_TEXT, false, true,                               \
		"with angle brackets; null when there is none", NULL },        \
	    { "from", FIELD_OBJECTS, false, false, "who wrote it",             \
		    fields_address },                                          \
	    { "to", FIELD_OBJECTS, false, false, "to whom", fields_address },  \
	    { "cc", FIELD_OBJECTS, false, false, "copies to",                  \
		    fields_address },                                          \
	    { "date", FIELD_TEXT, false, true,                                 \
		    "RFC 3339; null when there is none", NULL },               \
	    { "subject", FIELD_TEXT, false, false, "decoded subject", NULL },  \
	    { "in_reply_to", FIELD_TEXT, false, true,                          \
		    "Message-ID this answers", NULL },                         \
	{                                                                      \
		"references", FIELD_TEXTS, false, false,                       \
		    "Message-IDs, oldest first", NULL                          \
	}

const struct field fields_source_row[] = {
	ROW_HEAD,
	ROW_WHERE,
	{ "sender_auth", FIELD_TEXT,
	    .help = "is the domain in from authenticated: pass, fail, none, or "
		    "unchecked" },
	{ 0 },
};

const struct field fields_source_draft[] = {
	{ "draft_id", FIELD_TEXT, .help = "as create_draft gave it" },
	ROW_HEAD,
	ROW_WHERE,
	{ 0 },
};

void
fields_source_put_id(struct json *j, struct arena *a, const char *key,
    const struct mailbox_thread_name *name)
{
	json_open_object(j, key);
	json_put_text(j, "kind", name->kind);
	json_put_str(j, "id", clean_address(a, name->id, NULL));
	json_close_object(j);
}

void
fields_source_put_moment(struct json *j, struct arena *a, const char *key,
    int64_t unix_s, bool known)
{
	if (known)
		json_put_str(j, key, clock_rfc3339(a, unix_s));
	else
		json_put_null(j, key);
}

void
fields_source_put_msgid(struct json *j, struct arena *a, const char *key,
    struct str id)
{
	if (id.n > 0)
		json_put_str(j, key, clean_address(a, id, NULL));
	else
		json_put_null(j, key);
}

void
fields_source_put_thread(struct json *j, struct arena *a,
    const struct mailbox_thread *t, struct str list)
{
	fields_source_put_id(j, a, "thread_id", &t->name);
	json_put_str_or_null(j, "list", list);
	json_put_str(j, "subject", clean_text(a, t->subject, NULL));
}

void
fields_source_put_page(struct json *j, const struct mailbox_threads *l)
{
	json_put_bool(j, "truncated", l->next.n > 0 || l->over);
	json_put_str_or_null(j, "next_cursor", l->next);
}

static void
fields_source_put_head(struct json *j, struct arena *a,
    const struct mailbox_thread_message *msg)
{
	const struct mime_envelope *v = &msg->mail.env;

	fields_source_put_msgid(j, a, "message_id", v->message_id);
	fields_put_addresses(j, a, "from", &v->from);
	fields_put_addresses(j, a, "to", &v->to);
	fields_put_addresses(j, a, "cc", &v->cc);
	if (v->has_date)
		json_put_str(j, "date",
		    date_rfc3339(a, v->date_s, v->date_offset_min));
	else
		json_put_null(j, "date");
	json_put_str(j, "subject", clean_text(a, v->subject, NULL));
	fields_source_put_msgid(j, a, "in_reply_to",
	    v->in_reply_to.n > 0 ? v->in_reply_to.v[0] : S(""));
	fields_put_list(j, a, "references", &v->references);
	json_put_str_or_null(j, "folder", msg->folder);
	if (msg->uids)
		json_put_int(j, "uid", msg->mail.uid);
	else
		json_put_null(j, "uid");
}

void
fields_source_put_row(struct json *j, struct arena *a,
    const struct mailbox_thread_message *msg)
{
	fields_source_put_head(j, a, msg);
	json_put_text(j, "sender_auth", fields_auth(msg->mail.auth));
}

void
fields_source_put_draft(struct json *j, struct arena *a,
    const struct mailbox_thread_message *msg)
{
	json_put_str(j, "draft_id", mailbox_thread_drafts_id(a, msg));
	fields_source_put_head(j, a, msg);
}

int
fields_source_since(const struct args *args, int64_t *out, struct err *e)
{
	if (since_parse(str_trim(args_text(args, "since")), clock_now(), out))
		return 0;
	return err_set(e, ERR_USAGE,
	    "since is a moment, as 14d, 2w, 6h, 2026-06-21 or "
	    "2026-06-21T10:00:00Z");
}
