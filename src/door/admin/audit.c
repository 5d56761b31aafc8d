/* emcli audit list: what was asked, and what became of it. */
#include "store/audit.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "source/since.h"

enum {
	COLUMNS = 8,
	TARGET_SHOWN = 60,
	ROWS_DEFAULT = 50
};

const struct arg_spec audit_list_args[] = {
	{ .name = "account", .type = ARG_ACCOUNT, .help = "only this account" },
	{ .name = "principal",
	    .type = ARG_TEXT,
	    .help = "only what this agent did, or operator" },
	{ .name = "action",
	    .type = ARG_TEXT,
	    .help = "only this action, as send or account.edit" },
	{ .name = "result",
	    .type = ARG_CHOICE,
	    .help = "only what ended so",
	    .choices = "allowed|blocked" },
	{ .name = "since",
	    .type = ARG_TEXT,
	    .help = "asked on this day (UTC), at this time, or later; 1h, 2d "
		    "or 3w: so long ago or later" },
	{ .name = "until",
	    .type = ARG_TEXT,
	    .help = "asked on this day (UTC), at this time, or earlier; 1h, "
		    "2d or 3w: so long ago or earlier" },
	{ .name = "limit",
	    .type = ARG_COUNT,
	    .help = "how many rows at the most",
	    .min = 1,
	    .max = 100000,
	    .def = "50" },
	{ .name = "json",
	    .type = ARG_FLAG,
	    .help = "JSON instead of a table, with all that is recorded" },
	{ 0 },
};

/* A cell of what an agent or a server may have written. */
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

static void
put_table(struct admin_call *c, const struct store_audit *v, size_t n)
{
	static const struct str head[COLUMNS] = { SI("TIME"), SI("PRINCIPAL"),
		SI("ACCOUNT"), SI("ACTION"), SI("TARGET"), SI("RESULT"),
		SI("REASON"), SI("OUTCOME") };
	struct out_row *rows = arena_array(c->arena, n + 1, sizeof(*rows));

	rows[0].cell = head;
	for (size_t i = 0; i < n; i++) {
		const struct str from[COLUMNS] = { v[i].ts, v[i].principal,
			v[i].account, v[i].action, v[i].target, v[i].result,
			v[i].reason, v[i].outcome };
		struct str *to = arena_array(c->arena, COLUMNS, sizeof(*to));

		for (int k = 0; k < COLUMNS; k++)
			to[k] = cell(c->arena, from[k], TARGET_SHOWN);
		rows[i + 1].cell = to;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
}

static void
put_json(struct admin_call *c, const struct store_audit *v, size_t n)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_open_array(j, "audit");
	for (size_t i = 0; i < n; i++) {
		json_open_object(j, NULL);
		json_put_int(j, "id", v[i].id);
		json_put_str(j, "time", v[i].ts);
		json_put_str(j, "principal", v[i].principal);
		json_put_str(j, "account", v[i].account);
		json_put_str(j, "action", v[i].action);
		json_put_str(j, "target", v[i].target);
		json_put_str(j, "result", v[i].result);
		json_put_str(j, "reason", v[i].reason);
		json_put_str(j, "outcome", v[i].outcome);
		json_put_str(j, "detail", v[i].detail);
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
}

int
audit_time(const struct admin_call *c, const char *name, bool end,
    struct str *out, struct err *e)
{
	struct str text = args_text(c->args, name);
	bool day = text.n == sizeof("2026-06-21") - 1;
	int64_t at;

	*out = S("");
	if (!args_has(c->args, name))
		return 0;
	if (!since_parse(text, clock_now(), &at))
		return err_set(e, ERR_USAGE,
		    "--%s is a day, a time, or how long ago: 2026-06-21, "
		    "2026-06-21T10:00:00Z, or 1h, 2d, 3w",
		    name);
	*out = clock_rfc3339(c->arena, at + (!end ? 0 : day ? 86400 : 1));
	return 0;
}

/* No rows, and no such account: it was meant for another. */
static int
must_be_known(struct admin_call *c, struct str account, struct err *e)
{
	struct store_audit_query q = { .account = account, .limit = 1 };
	struct store_account acct;
	struct store_audit *v;
	size_t n;

	if (account.n == 0 ||
	    store_account_get(c->store, c->arena, account, &acct, e) == 0)
		return 0;
	if (e->kind != ERR_NOT_FOUND)
		return -1;
	*e = (struct err){ 0 };
	if (store_audit_list(c->store, c->arena, &q, &v, &n, e) < 0)
		return -1;
	if (n > 0)
		return 0;
	return err_set(e, ERR_NOT_FOUND, "there is no such account");
}

int
audit_list(struct admin_call *c, struct err *e)
{
	struct store_audit_query q = {
		.account = args_text(c->args, "account"),
		.principal = args_text(c->args, "principal"),
		.action = args_text(c->args, "action"),
		.result = args_text(c->args, "result"),
		.limit = args_count(c->args, "limit", ROWS_DEFAULT),
	};
	struct store_audit *v;
	size_t n;

	if (audit_time(c, "since", false, &q.since, e) < 0 ||
	    audit_time(c, "until", true, &q.before, e) < 0 ||
	    must_be_known(c, q.account, e) < 0 ||
	    store_audit_list(c->store, c->arena, &q, &v, &n, e) < 0)
		return -1;
	if (args_has(c->args, "json"))
		put_json(c, v, n);
	else
		put_table(c, v, n);
	return 0;
}
