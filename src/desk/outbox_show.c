/* SPDX-License-Identifier: Apache-2.0 */
/* emcli outbox show: one outgoing message. */
#include "base/clock.h"
#include "desk/account_name.h"
#include "desk/desk.h"
#include "desk/outbox_shown.h"
#include "gate/outbox.h"

static const struct arg_spec args[] = {
	OUTBOX_SHOWN_ID,
	{ 0 },
};

static const struct field rows[] = {
	OUTBOX_SHOWN_FIELDS,
	{ "head", FIELD_TEXTS, .optional = true, .help = "the header lines" },
	{ "text", FIELD_TEXT, .optional = true, .help = "the body" },
	{ "unseen", FIELD_INT, .optional = true,
	    .help = "number of invisible characters in it" },
	{ "files", FIELD_TEXTS, .optional = true, .help = "its attachments" },
	{ 0 },
};

static const struct field result[] = {
	{ "outbox", FIELD_OBJECTS, .help = "the one message", .sub = rows },
	{ 0 },
};

static void
outbox_show_say_line(struct call *c, const char *name, struct str value)
{
	if (value.n > 0)
		gate_say_line(c,
		    str_fmt(c->arena, "%-16s %.*s", name, STR_ARG(value)));
}

static void
outbox_show_say_message(struct call *c, const struct store_outbox *row)
{
	struct outbox_reading m;

	gate_tell(c, "%s", "");
	if (row->message.n == 0) {
		gate_tell(c, "(its bytes are no longer kept)");
		return;
	}
	outbox_read(c->arena, row->message, &m);
	for (size_t i = 0; i < m.head.n; i++)
		gate_say_line(c, m.head.v[i]);
	gate_tell(c, "%s", "");
	gate_say_text(c, m.text);
	if (m.unseen > 0)
		gate_tell(c, "(%zu invisible characters in it)", m.unseen);
	for (size_t i = 0; i < m.files.n; i++)
		gate_say_line(c,
		    str_fmt(c->arena, "[file: %.*s]", STR_ARG(m.files.v[i])));
}

static void
outbox_show_say(struct call *c, const struct store_outbox *row,
    struct str account)
{
	struct arena *a = c->arena;

	outbox_show_say_line(c, "id", str_fmt(a, "%lld", (long long)row->id));
	outbox_show_say_line(c, "account", account);
	outbox_show_say_line(c, "principal", row->principal);
	outbox_show_say_line(c, "state", str_of(store_outbox_word(row->state)));
	outbox_show_say_line(c, "reason", row->reason);
	outbox_show_say_line(c, "idempotency_key", row->key);
	outbox_show_say_line(c, "created", clock_rfc3339(a, row->created_s));
	outbox_show_say_line(c, "changed", clock_rfc3339(a, row->changed_s));
	outbox_show_say_line(c, "expires", outbox_shown_expires(a, row));
	outbox_show_say_line(c, "message_id", row->message_id);
	outbox_show_say_line(c, "copy", str_of(outbox_shown_copy(row)));
	outbox_show_say_line(c, "bytes",
	    str_fmt(a, "%llu", (unsigned long long)row->bytes));
	outbox_show_say_line(c, "digest", row->digest);
	outbox_show_say_line(c, "sender", row->sender);
	for (size_t i = 0; i < row->n; i++)
		outbox_show_say_line(c, "recipient",
		    str_fmt(a, "%.*s%s%.*s", STR_ARG(row->rcpt[i].address),
			row->rcpt[i].status.n > 0 ? ": " : "",
			STR_ARG(row->rcpt[i].status)));
	outbox_show_say_message(c, row);
}

static void
outbox_show_put_message(struct json *j, struct arena *a,
    const struct store_outbox *row)
{
	struct outbox_reading m;

	if (row->message.n == 0)
		return;
	outbox_read(a, row->message, &m);
	json_put_strs(j, "head", &m.head);
	json_put_str(j, "text", m.text);
	json_put_int(j, "unseen", (int64_t)m.unseen);
	json_put_strs(j, "files", &m.files);
}

static int
outbox_show_run(struct call *c, struct json *out, struct err *e)
{
	struct store_outbox row = { 0 };
	struct account_names names;
	struct str account;

	if (store_outbox_get(operate_store(c), c->arena,
		args_count(c->args, "id", 0), &row, e) < 0 ||
	    account_name_load(c, &names, e) < 0)
		return -1;
	account = account_name(&names, row.account);
	json_open_array(out, "outbox");
	json_open_object(out, NULL);
	outbox_shown_put(out, c->arena, &row, account);
	outbox_show_put_message(out, c->arena, &row);
	json_close_object(out);
	json_close_array(out);
	outbox_show_say(c, &row, account);
	return 0;
}

const struct op desk_outbox_show = {
	.name = "outbox show",
	.shows = "emcli outbox list",
	.summary = "Show one message of the outbox",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.run = outbox_show_run,
};
