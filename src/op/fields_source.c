/* What the operations of the contract of mail sources have in common. */
#include "op/fields_source.h"
#include "base/clock.h"
#include "mime/date.h"
#include "source/since.h"

static const struct field skipped[] = {
	{ "backend", FIELD_TEXT, false, false, "account", NULL },
	{ "step", FIELD_INT, false, true, "of the rule; null: of none", NULL },
	{ "cause", FIELD_TEXT, false, false,
	    "unsupported, unavailable, declined, not_in_chain, other_kind (its "
	    "threads have ids or addresses of another kind) or one_of_many (it "
	    "could)",
	    NULL },
	{ "reason", FIELD_TEXT, false, true,
	    "why it is unavailable: auth_missing, auth_expired, "
	    "list_not_visible, unreachable, path_missing, misconfigured, "
	    "server_down",
	    NULL },
	{ 0 },
};

const struct field fields_source_resolution[] = {
	{ "schema_version", FIELD_INT, false, false, "1", NULL },
	{ "op", FIELD_TEXT, false, false, "operation", NULL },
	{ "outcome", FIELD_TEXT, false, false,
	    "chosen, skipped, aborted or ambiguous", NULL },
	{ "backend", FIELD_TEXT, false, true, "account that served it", NULL },
	{ "rule", FIELD_TEXT, false, false,
	    "preferred, primary, fallback, override, sole (no role is "
	    "declared, "
	    "and this account alone can) or none",
	    NULL },
	{ "step", FIELD_INT, false, true, "of the rule, 1 to 4", NULL },
	{ "thread_id_kind", FIELD_TEXT, false, true, "of that account's ids",
	    NULL },
	{ "override_reason", FIELD_TEXT, false, true, "why it was named",
	    NULL },
	{ "skipped", FIELD_OBJECTS, false, false, "who was skipped", skipped },
	{ "note", FIELD_TEXT, false, true, "why nobody serves it", NULL },
	{ 0 },
};

const struct field fields_source_thread_id[] = {
	{ "kind", FIELD_TEXT, false, false,
	    "rfc5322-message-id, sha256-raw, gmail-thread-id, jmap-thread-id "
	    "or ponymail-mid",
	    NULL },
	{ "id", FIELD_TEXT, false, false, "opaque", NULL },
	{ 0 },
};

#define ROW_WHERE                                                              \
	{ "folder", FIELD_TEXT, false, true,                                   \
		"where it lies; null: the source has threads across folders",  \
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
	{ "sender_auth", FIELD_TEXT, false, false,
	    "does anybody vouch for the domain in from: pass, fail, none, or "
	    "unchecked",
	    NULL },
	{ 0 },
};

const struct field fields_source_draft[] = {
	{ "draft_id", FIELD_TEXT, false, false, "as create_draft told it",
	    NULL },
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
	json_put_str(j, "id", mime_clean_address(a, name->id, NULL));
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

static void
put_id(struct json *j, struct arena *a, const char *key, struct str id)
{
	if (id.n > 0)
		json_put_str(j, key, mime_clean_address(a, id, NULL));
	else
		json_put_null(j, key);
}

static void
put_head(struct json *j, struct arena *a,
    const struct mailbox_thread_message *msg)
{
	const struct mime_envelope *v = &msg->mail.env;

	put_id(j, a, "message_id", v->message_id);
	fields_put_addresses(j, a, "from", &v->from);
	fields_put_addresses(j, a, "to", &v->to);
	fields_put_addresses(j, a, "cc", &v->cc);
	if (v->has_date)
		json_put_str(j, "date",
		    date_rfc3339(a, v->date_s, v->date_offset_min));
	else
		json_put_null(j, "date");
	json_put_str(j, "subject", mime_clean(a, v->subject, NULL));
	put_id(j, a, "in_reply_to",
	    v->in_reply_to.n > 0 ? v->in_reply_to.v[0] : S(""));
	fields_put_list(j, a, "references", &v->references);
	if (msg->folder.n > 0)
		json_put_str(j, "folder", msg->folder);
	else
		json_put_null(j, "folder");
	if (msg->uids)
		json_put_int(j, "uid", msg->mail.uid);
	else
		json_put_null(j, "uid");
}

void
fields_source_put_row(struct json *j, struct arena *a,
    const struct mailbox_thread_message *msg)
{
	put_head(j, a, msg);
	json_put_text(j, "sender_auth", fields_auth(msg->mail.auth));
}

void
fields_source_put_draft(struct json *j, struct arena *a,
    const struct mailbox_thread_message *msg)
{
	json_put_str(j, "draft_id", mailbox_thread_drafts_id(a, msg));
	put_head(j, a, msg);
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
