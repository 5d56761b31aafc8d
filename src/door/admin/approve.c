/*
 * emcli approve: what waits for the operator, shown as it would leave, let go
 * by the digest of what was shown, or denied.
 */
#include "door/admin/approve.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "door/out.h"
#include "door/prompt.h"
#include "gate/outbox.h"
#include "store/outbox.h"

enum {
	COLUMNS = 7,
	ROWS_MAX = 10000
};

#define ID                                                                     \
	.name = "id", .type = ARG_COUNT,                                       \
	.flags = ARG_REQUIRED | ARG_POSITIONAL,                                \
	.help = "its number, as emcli approve list shows it", .min = 1,        \
	.max = UINT32_MAX

const struct arg_spec approve_list_args[] = {
	{ .name = "account", .type = ARG_ACCOUNT, .help = "only this account" },
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

const struct arg_spec approve_show_args[] = {
	{ ID },
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of text" },
	{ 0 },
};

const struct arg_spec approve_release_args[] = {
	{ ID },
	{ .name = "digest",
	    .type = ARG_TEXT,
	    .help = "of what was looked at; needed without a terminal" },
	{ .name = "yes",
	    .type = ARG_FLAG,
	    .help = "at a terminal: show it and do not ask" },
	{ 0 },
};

const struct arg_spec approve_deny_args[] = {
	{ ID },
	{ 0 },
};

static int64_t
id_of(const struct admin_call *c)
{
	return args_count(c->args, "id", 0);
}

static struct str
name_of(const struct store_account *v, size_t n, int64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].id == id)
			return v[i].name;
	return S("");
}

struct waiting {
	struct store_outbox *v;
	size_t n;
	struct store_account *acct;
	size_t accts;
};

static void
list_json(struct admin_call *c, const struct waiting *r)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_open_array(j, "held");
	for (size_t i = 0; i < r->n; i++) {
		const struct store_outbox *v = &r->v[i];

		json_open_object(j, NULL);
		json_put_int(j, "id", v->id);
		json_put_str(j, "account",
		    name_of(r->acct, r->accts, v->account));
		json_put_str(j, "agent", v->principal);
		json_put_str(j, "reason", v->reason);
		json_open_array(j, "recipients");
		for (size_t k = 0; k < v->n; k++)
			json_put_str(j, NULL, v->rcpt[k].address);
		json_close_array(j);
		json_put_int(j, "bytes", (int64_t)v->bytes);
		json_put_str(j, "created",
		    clock_rfc3339(c->arena, v->created_s));
		json_put_str(j, "expires",
		    clock_rfc3339(c->arena, v->expires_s + v->frozen_s));
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
}

static struct str
first_recipient(struct arena *a, const struct store_outbox *v)
{
	if (v->n == 0)
		return S("-");
	if (v->n == 1)
		return v->rcpt[0].address;
	return str_fmt(a, "%.*s and %zu more", STR_ARG(v->rcpt[0].address),
	    v->n - 1);
}

static void
list_table(struct admin_call *c, const struct waiting *r)
{
	static const struct str head[COLUMNS] = { SI("ID"), SI("ACCOUNT"),
		SI("AGENT"), SI("REASON"), SI("TO"), SI("BYTES"),
		SI("EXPIRES") };
	struct out_row *rows = arena_array(c->arena, r->n + 1, sizeof(*rows));
	struct arena *a = c->arena;

	rows[0].cell = head;
	for (size_t i = 0; i < r->n; i++) {
		const struct store_outbox *v = &r->v[i];
		struct str *cell = arena_array(a, COLUMNS, sizeof(*cell));

		cell[0] = str_fmt(a, "%lld", (long long)v->id);
		cell[1] = name_of(r->acct, r->accts, v->account);
		cell[2] = v->principal;
		cell[3] = v->reason;
		cell[4] = first_recipient(a, v);
		cell[5] = str_fmt(a, "%llu", (unsigned long long)v->bytes);
		cell[6] = clock_rfc3339(a, v->expires_s + v->frozen_s);
		for (int k = 0; k < COLUMNS; k++)
			cell[k] = picture_text(a, cell[k], false);
		rows[i + 1].cell = cell;
	}
	out_table(c->out, rows, r->n + 1, COLUMNS);
}

int
approve_list(struct admin_call *c, struct err *e)
{
	struct store_account acct = { 0 };
	struct waiting r = { 0 };

	if (args_has(c->args, "account") &&
	    store_account_get(c->store, c->arena, args_text(c->args, "account"),
		&acct, e) < 0)
		return -1;
	if (store_outbox_list(c->store, c->arena, acct.id, STORE_OUTBOX_HELD,
		ROWS_MAX, &r.v, &r.n, e) < 0 ||
	    store_account_list(c->store, c->arena, &r.acct, &r.accts, e) < 0)
		return -1;
	if (args_has(c->args, "json"))
		list_json(c, &r);
	else
		list_table(c, &r);
	return 0;
}

int
approve_show(struct admin_call *c, struct err *e)
{
	struct outbox_held h;

	if (outbox_held(c->store, c->env, c->arena, id_of(c), &h, e) < 0)
		return -1;
	if (args_has(c->args, "json"))
		approve_put_json(c->out, c->arena, &h);
	else
		approve_put_text(c->out, c->arena, &h);
	return 0;
}

/* What is let go is what was looked at: here and now, or by its digest. */
static int
agree(struct admin_call *c, const struct outbox_held *h, struct str *digest,
    struct err *e)
{
	struct buf b;

	*digest = args_text(c->args, "digest");
	if (args_has(c->args, "digest"))
		return 0;
	if (!prompt_possible())
		return err_set(e, ERR_USAGE,
		    "without a terminal --digest is needed: see emcli approve "
		    "show");
	if (h->why != NULL)
		return err_set(e, ERR_POLICY,
		    "it is not what was held any more: deny it");
	*digest = h->digest;
	buf_init(&b, c->arena, LIMIT_MESSAGE);
	approve_put_text(&b, c->arena, h);
	/* Again, so that no body is long enough to scroll them away. */
	buf_char(&b, '\n');
	approve_put_recipients(&b, c->arena, h);
	if (b.over)
		return err_set(e, ERR_LIMIT,
		    "it is too long to be shown here: give --digest");
	prompt_say(buf_view(&b));
	if (args_has(c->args, "yes") || prompt_word("send it", c->arena))
		return 0;
	return err_set(e, ERR_USAGE, "nothing was sent: it waits as before");
}

int
approve_release(struct admin_call *c, struct err *e)
{
	struct outbox_held h;
	struct str digest;
	struct sent sent;

	if (outbox_held(c->store, c->env, c->arena, id_of(c), &h, e) < 0 ||
	    agree(c, &h, &digest, e) < 0 ||
	    outbox_release(c->store, c->arena, h.id, digest, &sent, e) < 0)
		return -1;
	buf_fmt(c->out, "sent %lld: %.*s, recipients: %zu\n", (long long)h.id,
	    STR_ARG(out_line(c->arena, sent.message_id)), sent.n);
	if (str_eq(str_of(sent.copy), S("failed")))
		buf_text(c->out, "note: no copy could be put into Sent\n");
	c->done = str_fmt(c->arena, "%.*s, %.*s, digest %.*s",
	    STR_ARG(h.account), STR_ARG(sent.message_id), STR_ARG(digest));
	return 0;
}

int
approve_deny(struct admin_call *c, struct err *e)
{
	if (store_outbox_move(c->store, id_of(c), STORE_OUTBOX_HELD,
		STORE_OUTBOX_DENIED, e) < 0)
		return -1;
	buf_fmt(c->out, "denied %lld\n", (long long)id_of(c));
	return 0;
}
