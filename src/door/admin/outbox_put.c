/*
 * Rows of the outbox for the operator.  What agents and servers wrote passes
 * out_line() or out_safe() on its way to a terminal.
 */
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "gate/outbox.h"
#include "store/outbox.h"

enum {
	COLUMNS = 8,
	TO_SHOWN = 60,
	TO_MAX = 240
};

static const char *const copies[] = {
	[STORE_COPY_NONE] = "none",
	[STORE_COPY_SAVED] = "saved",
	[STORE_COPY_FAILED] = "failed",
};

int
admin_outbox_put_names(struct admin_call *c, const struct store_outbox *v,
    size_t n, struct strs *out, struct err *e)
{
	struct store_account *acct;
	size_t accts;

	*out = (struct strs){ 0 };
	if (store_account_list(c->store, c->arena, &acct, &accts, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct str name = S("");

		for (size_t k = 0; k < accts; k++)
			if (acct[k].id == v[i].account)
				name = acct[k].name;
		str_push(c->arena, out, name);
	}
	return 0;
}

static struct str
cell(struct arena *a, struct str s, size_t max)
{
	struct str cut = utf8_first(s, max);

	if (s.n == 0)
		return S("-");
	if (cut.n == s.n)
		return out_line(a, s);
	return out_line(a, str_fmt(a, "%.*s...", STR_ARG(cut)));
}

static struct str
recipients(struct arena *a, const struct store_outbox *row)
{
	struct buf b;

	buf_init(&b, a, TO_MAX);
	for (size_t i = 0; i < row->n; i++) {
		buf_text(&b, i > 0 ? "," : "");
		buf_str(&b, row->rcpt[i].address);
	}
	return buf_view(&b);
}

void
admin_outbox_put_table(struct admin_call *c, const struct store_outbox *v,
    size_t n, const struct strs *accounts)
{
	static const struct str head[COLUMNS] = { SI("ID"), SI("TIME"),
		SI("PRINCIPAL"), SI("ACCOUNT"), SI("STATE"), SI("REASON"),
		SI("COPY"), SI("TO") };
	struct out_row *rows = arena_array(c->arena, n + 1, sizeof(*rows));

	rows[0].cell = head;
	for (size_t i = 0; i < n; i++) {
		const struct str from[COLUMNS] = {
			str_fmt(c->arena, "%lld", (long long)v[i].id),
			clock_rfc3339(c->arena, v[i].created_s),
			v[i].principal,
			accounts->v[i],
			str_of(store_outbox_word(v[i].state)),
			v[i].reason,
			str_of(copies[v[i].copy]),
			recipients(c->arena, &v[i]),
		};
		struct str *to = arena_array(c->arena, COLUMNS, sizeof(*to));

		for (int k = 0; k < COLUMNS; k++)
			to[k] = cell(c->arena, from[k], TO_SHOWN);
		rows[i + 1].cell = to;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
}

static void
line(struct admin_call *c, const char *name, struct str value)
{
	if (value.n > 0)
		buf_fmt(c->out, "%-16s %.*s\n", name,
		    STR_ARG(out_line(c->arena, value)));
}

static void
put_message(struct admin_call *c, const struct store_outbox *row)
{
	struct outbox_reading m;

	if (row->message.n == 0) {
		buf_text(c->out, "\n(its bytes are no longer kept)\n");
		return;
	}
	outbox_read(c->arena, row->message, &m);
	buf_char(c->out, '\n');
	for (size_t i = 0; i < m.head.n; i++) {
		buf_str(c->out, out_line(c->arena, m.head.v[i]));
		buf_char(c->out, '\n');
	}
	buf_char(c->out, '\n');
	buf_str(c->out, out_safe(c->arena, m.text));
	if (!str_ends(m.text, S("\n")))
		buf_char(c->out, '\n');
	if (m.unseen > 0)
		buf_fmt(c->out, "(%zu characters of it nobody would see)\n",
		    m.unseen);
	for (size_t i = 0; i < m.files.n; i++)
		buf_fmt(c->out, "[file: %.*s]\n",
		    STR_ARG(out_line(c->arena, m.files.v[i])));
}

void
admin_outbox_put_row(struct admin_call *c, const struct store_outbox *row,
    struct str account)
{
	struct arena *a = c->arena;

	line(c, "id", str_fmt(a, "%lld", (long long)row->id));
	line(c, "account", account);
	line(c, "principal", row->principal);
	line(c, "state", str_of(store_outbox_word(row->state)));
	line(c, "reason", row->reason);
	line(c, "idempotency_key", row->key);
	line(c, "created", clock_rfc3339(a, row->created_s));
	line(c, "changed", clock_rfc3339(a, row->changed_s));
	if (row->expires_s > 0)
		line(c, "expires",
		    clock_rfc3339(a, row->expires_s + row->frozen_s));
	line(c, "message_id", row->message_id);
	line(c, "copy", str_of(copies[row->copy]));
	line(c, "bytes", str_fmt(a, "%llu", (unsigned long long)row->bytes));
	line(c, "digest", row->digest);
	line(c, "sender", row->sender);
	for (size_t i = 0; i < row->n; i++)
		line(c, "recipient",
		    str_fmt(a, "%.*s%s%.*s", STR_ARG(row->rcpt[i].address),
			row->rcpt[i].status.n > 0 ? ": " : "",
			STR_ARG(row->rcpt[i].status)));
	put_message(c, row);
}

static void
put_whole(struct admin_call *c, struct json *j, const struct store_outbox *row)
{
	struct outbox_reading m;

	if (row->message.n == 0)
		return;
	outbox_read(c->arena, row->message, &m);
	json_open_array(j, "head");
	for (size_t i = 0; i < m.head.n; i++)
		json_put_str(j, NULL, m.head.v[i]);
	json_close_array(j);
	json_put_str(j, "text", m.text);
	json_put_int(j, "unseen", (int64_t)m.unseen);
	json_open_array(j, "files");
	for (size_t i = 0; i < m.files.n; i++)
		json_put_str(j, NULL, m.files.v[i]);
	json_close_array(j);
}

static void
put_object(struct admin_call *c, struct json *j, const struct store_outbox *row,
    struct str account, bool whole)
{
	json_open_object(j, NULL);
	json_put_int(j, "id", row->id);
	json_put_str(j, "account", account);
	json_put_str(j, "principal", row->principal);
	json_put_text(j, "state", store_outbox_word(row->state));
	json_put_str(j, "reason", row->reason);
	json_put_str(j, "idempotency_key", row->key);
	json_put_str(j, "created", clock_rfc3339(c->arena, row->created_s));
	json_put_str(j, "changed", clock_rfc3339(c->arena, row->changed_s));
	json_put_str(j, "expires",
	    row->expires_s > 0
		? clock_rfc3339(c->arena, row->expires_s + row->frozen_s)
		: S(""));
	json_put_str(j, "message_id", row->message_id);
	json_put_text(j, "copy", copies[row->copy]);
	json_put_int(j, "bytes", (int64_t)row->bytes);
	json_put_str(j, "digest", row->digest);
	json_put_str(j, "sender", row->sender);
	json_open_array(j, "recipients");
	for (size_t i = 0; i < row->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "address", row->rcpt[i].address);
		json_put_int(j, "code", row->rcpt[i].code);
		json_put_str(j, "status", row->rcpt[i].status);
		json_close_object(j);
	}
	json_close_array(j);
	if (whole)
		put_whole(c, j, row);
	json_close_object(j);
}

void
admin_outbox_put_json(struct admin_call *c, const struct store_outbox *v,
    size_t n, const struct strs *accounts, bool whole)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_open_array(j, "outbox");
	for (size_t i = 0; i < n; i++)
		put_object(c, j, &v[i], accounts->v[i], whole);
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
}
