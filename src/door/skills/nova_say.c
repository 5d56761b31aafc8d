/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of profile nova: sentences for mail, fixed bytes for the skills. */
#include "base/limits.h"
#include "base/utf8.h"
#include "door/skills/nova.h"

enum {
	PREVIEW = 500, /* characters */
	SAID_MAX = 1 << 20
};

static struct str
nova_say_text_of(const struct json_value *v, const char *key)
{
	struct str s = { 0 };

	(void)json_parse_str(json_parse_member(v, key), &s);
	return s;
}

static int64_t
nova_say_number_of(const struct json_value *v, const char *key)
{
	int64_t n = 0;

	(void)json_parse_int(json_parse_member(v, key), &n);
	return n;
}

static struct str
nova_say_people(struct arena *a, const struct json_value *list)
{
	const struct json_value *one;
	struct buf b;

	buf_init(&b, a, SAID_MAX);
	for (size_t i = 0; (one = json_parse_item(list, i)) != NULL; i++) {
		struct str name = nova_say_text_of(one, "name");

		buf_fmt(&b, "%s%.*s%s%.*s%s", i > 0 ? ", " : "", STR_ARG(name),
		    name.n > 0 ? " <" : "",
		    STR_ARG(nova_say_text_of(one, "address")),
		    name.n > 0 ? ">" : "");
	}
	return buf_view(&b);
}

static void
nova_say_put_row(struct buf *b, const struct json_value *v, struct strs *rows)
{
	struct str row = str_fmt(b->a,
	    "ID: %lld | From: %.*s | Subject: %.*s | Date: %.*s\n",
	    (long long)nova_say_number_of(v, "uid"),
	    STR_ARG(nova_say_people(b->a, json_parse_member(v, "from"))),
	    STR_ARG(nova_say_text_of(v, "subject")),
	    STR_ARG(nova_say_text_of(v, "date")));

	if (str_among(rows, row))
		return;
	str_push(b->a, rows, row);
	buf_str(b, row);
}

static void
nova_say_put_files(struct buf *b, const struct json_value *list, bool ids)
{
	const struct json_value *f;

	if (json_parse_count(list) == 0)
		buf_text(b, "Attachments: none\n");
	for (size_t i = 0; (f = json_parse_item(list, i)) != NULL; i++)
		if (ids)
			buf_fmt(b, "attachment_id=%zu | %.*s | %.*s | %lld\n",
			    i + 1, STR_ARG(nova_say_text_of(f, "name")),
			    STR_ARG(nova_say_text_of(f, "mime")),
			    (long long)nova_say_number_of(f, "size"));
		else
			buf_fmt(b, "%s%.*s%s", i > 0 ? ", " : "Attachments: ",
			    STR_ARG(nova_say_text_of(f, "name")),
			    json_parse_item(list, i + 1) == NULL ? "\n" : "");
}

/* `send` takes the files' places. */
static void
nova_say_put_saved(struct buf *b, const struct json_value *list, struct str id)
{
	const struct json_value *f;

	buf_fmt(b, "Imported %zu attachments of email %.*s:\n",
	    json_parse_count(list), STR_ARG(id));
	for (size_t i = 0; (f = json_parse_item(list, i)) != NULL; i++)
		buf_fmt(b, "attachment_id=%zu | %.*s | %.*s | %lld | %.*s\n",
		    i + 1, STR_ARG(nova_say_text_of(f, "name")),
		    STR_ARG(nova_say_text_of(f, "mime")),
		    (long long)nova_say_number_of(f, "size"),
		    STR_ARG(nova_say_text_of(f, "saved")));
}

static struct str
nova_say_beginning(struct str text)
{
	size_t i = 0, n = 0;
	bool ok = true;

	while (i < text.n && n++ < PREVIEW)
		(void)utf8_next(text, &i, &ok);
	return str_first(text, i);
}

static void
nova_say_put_message(struct buf *b, const struct json_value *v, bool preview)
{
	struct str text = nova_say_text_of(v, "text");

	buf_fmt(b, "From: %.*s\nTo: %.*s\nSubject: %.*s\nDate: %.*s\n",
	    STR_ARG(nova_say_people(b->a, json_parse_member(v, "from"))),
	    STR_ARG(nova_say_people(b->a, json_parse_member(v, "to"))),
	    STR_ARG(nova_say_text_of(v, "subject")),
	    STR_ARG(nova_say_text_of(v, "date")));
	nova_say_put_files(b, json_parse_member(v, "attachments"), false);
	buf_fmt(b, "\n%s", preview ? "Preview:\n" : "");
	buf_str(b, preview ? nova_say_beginning(text) : text);
	buf_char(b, '\n');
}

/* One message was changed, or left as it was. */
static void
nova_say_put_change(struct buf *b, const struct nova_tool *t, struct str id,
    const struct json_value *v)
{
	struct str to = nova_say_text_of(v, "to");
	int64_t uid = 0;

	if (nova_say_number_of(v, "count") == 0) {
		buf_fmt(b, "Email %.*s was left as it was by the server.",
		    STR_ARG(id));
		return;
	}
	buf_fmt(b, "Email %.*s %s.", STR_ARG(id), t->done);
	(void)json_parse_int(json_parse_item(json_parse_member(v, "new_uids"),
				 0),
	    &uid);
	if (to.n > 0)
		buf_fmt(b, " It is in %.*s", STR_ARG(to));
	if (uid > 0)
		buf_fmt(b, ", with ID %lld", (long long)uid);
	if (to.n > 0)
		buf_char(b, '.');
}

/* What doctor was told in that check, or "". */
static struct str
nova_say_check(const struct json_value *v, const char *name)
{
	const struct json_value *list = json_parse_member(v, "checks"), *one;

	for (size_t i = 0; (one = json_parse_item(list, i)) != NULL; i++)
		if (str_eq(nova_say_text_of(one, "check"), str_of(name)))
			return nova_say_text_of(one, "message");
	return S("");
}

/* The capabilities, and three that the platform names; nothing: no IMAP. */
static void
nova_say_put_server(struct buf *b, const struct json_value *v)
{
	static const char *const named[] = { "MOVE", "QUOTA", "UIDPLUS" };
	struct str list = nova_say_check(v, "imap.offers");
	struct str quota = nova_say_check(v, "imap.quota"), one;
	struct strs words = { 0 };
	bool more = list.n > 0;

	if (list.n == 0)
		return;
	buf_fmt(b, "Capabilities: %.*s\n", STR_ARG(list));
	while (more) {
		more = str_cut(list, ',', &one, &list);
		str_push(b->a, &words, str_trim(one));
	}
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		buf_fmt(b, "%s: %s\n", named[i],
		    str_among(&words, str_of(named[i])) ? "supported"
							: "unsupported");
	if (quota.n > 0)
		buf_fmt(b, "Quota: %.*s\n", STR_ARG(quota));
}

int
nova_say(struct buf *b, const struct nova_tool *t, const struct args *given,
    bool preview, struct str data, struct strs *rows, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *v, *list, *one;
	struct str does = str_of(t->does);

	if (json_parse_open(data, LIMIT_MESSAGE, &d, e) < 0)
		return -1;
	v = json_parse_root(d);
	list = json_parse_member(v,
	    str_eq(does, S("folders")) ? "folders" : "messages");
	for (size_t i = 0; (one = json_parse_item(list, i)) != NULL; i++)
		if (str_eq(does, S("folders")))
			buf_fmt(b, "%.*s\n",
			    STR_ARG(nova_say_text_of(one, "name")));
		else
			nova_say_put_row(b, one, rows);
	if (str_eq(str_of(t->op.name), S("read_email")))
		nova_say_put_message(b, v, preview);
	else if (t->attachments[1] != NULL)
		nova_say_put_saved(b, json_parse_member(v, "attachments"),
		    args_text(given, "message_id"));
	else if (str_eq(does, S("get")))
		nova_say_put_files(b, json_parse_member(v, "attachments"),
		    true);
	else if (str_eq(does, S("send")))
		buf_fmt(b, "Email sent successfully to %.*s",
		    STR_ARG(args_text(given, "to")));
	else if (str_eq(does, S("doctor")))
		nova_say_put_server(b, v);
	else if (t->done != NULL)
		nova_say_put_change(b, t, args_text(given, "message_id"), v);
	else if (str_eq(does, S("create_draft")))
		buf_fmt(b, "Draft saved successfully in %.*s",
		    STR_ARG(nova_say_text_of(v, "folder")));
	return 0;
}

struct str
nova_say_failed(struct arena *a, const struct nova_tool *t,
    const struct args *given, struct str address, const struct err *why)
{
	const struct arg *id = args_find(given, S("message_id"));
	bool sends = t->op.effect == EFFECT_SEND;
	struct str reason = why->reason != NULL ? str_of(why->reason) : S("");

	if (str_eq(reason, S("source_folder_not_found")))
		return str_fmt(a, "Source folder '%.*s' does not exist.",
		    STR_ARG(args_text(given, "source_folder")));
	if (str_eq(reason, S("target_folder_not_found")))
		return str_fmt(a,
		    "Target folder '%.*s' does not exist. Use list_mailboxes() "
		    "to see available folders.",
		    STR_ARG(args_text(given, "target_folder")));
	if (why->kind == ERR_NOT_FOUND && id != NULL && id->text.n > 0)
		return str_fmt(a, "Email with ID %.*s not found.",
		    STR_ARG(id->text.v[0]));
	if (why->kind == ERR_POLICY && sends &&
	    (str_eq(reason, S("ro_mode")) || str_eq(reason, S("draft_only"))))
		return str_fmt(a,
		    "Sending is disabled for mailbox '%.*s'. Enable sending in "
		    "this mailbox configuration.",
		    STR_ARG(address));
	if (why->kind == ERR_UNSUPPORTED && sends)
		return S("SMTP server not configured. Please add SMTP settings "
			 "to your email tool configuration.");
	return str_fmt(a, "Error (%s): %s", err_code(why->kind), why->say);
}

/* As the original writes it: only ASCII (RFC 8259 section 7). */
static void
nova_say_put_ascii(struct buf *b, struct str s)
{
	static const char plain[] = "\b\f\n\r\t\"\\", letter[] = "bfnrt\"\\";
	size_t i = 0;
	bool ok = true;

	buf_char(b, '"');
	while (i < s.n) {
		uint32_t cp = utf8_next(s, &i, &ok);
		const char *at =
		    cp > 0 && cp < 0x80 ? strchr(plain, (int)cp) : NULL;

		if (at != NULL)
			buf_fmt(b, "\\%c", letter[at - plain]);
		else if (cp >= 0x20 && cp < 0x7f)
			buf_char(b, (char)cp);
		else if (cp < 0x10000)
			buf_fmt(b, "\\u%04x", cp);
		else
			buf_fmt(b, "\\u%04x\\u%04x",
			    0xd800 + ((cp - 0x10000) >> 10),
			    0xdc00 + ((cp - 0x10000) & 0x3ff));
	}
	buf_char(b, '"');
}

struct str
nova_say_skills(struct arena *a)
{
	(void)a;
	return S("{\"scope\": \"current_turn\", \"skills\": [{\"id\": "
		 "\"mail\", \"label\": \"Mail\"}], \"status\": \"ok\", "
		 "\"usage\": \"Call load_skill with a skill id before using "
		 "skill-specific tools.\"}");
}

struct str
nova_say_loaded(struct arena *a)
{
	(void)a;
	return S("{\"label\": \"Mail\", \"scope\": \"current_turn\", "
		 "\"skill\": \"mail\", \"status\": \"loaded\"}");
}

struct str
nova_say_refused(struct arena *a, bool any, const char *error, struct str asked)
{
	struct buf b;

	buf_init(&b, a, SAID_MAX);
	buf_fmt(&b,
	    "{\"available_skills\": [%s], \"error\": \"%s\", "
	    "\"requested_skill\": ",
	    any ? "\"mail\"" : "", error);
	nova_say_put_ascii(&b, asked);
	buf_text(&b, ", \"status\": \"error\"}");
	return buf_view(&b);
}
