/* emcli account list. */
#include "door/admin/account.h"
#include "base/json.h"
#include "door/out.h"

enum {
	COLUMNS = 8
};

const struct arg_spec account_list_args[] = {
	{ .name = "json",
	    .type = ARG_FLAG,
	    .help = "JSON instead of a table, with all settings" },
	{ 0 },
};

const char *
account_mode(enum mode m)
{
	return m == MODE_RW ? "RW" : "RO";
}

static struct str
account_server(struct arena *a, struct str host, uint16_t port)
{
	if (host.n == 0)
		return S("-");
	return str_fmt(a, "%.*s:%u", STR_ARG(host), (unsigned)port);
}

static struct str
account_or_dash(struct str s)
{
	return s.n > 0 ? s : S("-");
}

static void
account_fill_row(struct arena *a, const struct store_account *v,
    struct str *cell)
{
	cell[0] = v->name;
	cell[1] = v->backend;
	cell[2] = str_of(account_mode(v->mode));
	cell[3] = account_or_dash(v->from_addr);
	cell[4] = v->path.n > 0 ? v->path
				: account_server(a, v->imap_host, v->imap_port);
	cell[5] = account_server(a, v->smtp_host, v->smtp_port);
	cell[6] = v->in_on ? S("on") : S("off");
	cell[7] = v->out_on ? S("on") : S("off");
	for (int i = 0; i < COLUMNS; i++)
		cell[i] = out_line(a, cell[i]);
}

static void
account_put_table(struct admin_call *c, const struct store_account *v, size_t n)
{
	static const struct str head[COLUMNS] = { SI("NAME"), SI("BACKEND"),
		SI("MODE"), SI("FROM"), SI("MAIL"), SI("SMTP"),
		SI("WHITELIST-IN"), SI("WHITELIST-OUT") };
	struct out_row *rows = arena_array(c->arena, n + 1, sizeof(*rows));

	rows[0].cell = head;
	for (size_t i = 0; i < n; i++) {
		struct str *cell =
		    arena_array(c->arena, COLUMNS, sizeof(*cell));

		account_fill_row(c->arena, &v[i], cell);
		rows[i + 1].cell = cell;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
}

int
account_list(struct admin_call *c, struct err *e)
{
	struct store_account *v;
	struct json *j;
	size_t n;

	if (store_account_list(c->store, c->arena, &v, &n, e) < 0)
		return -1;
	if (!args_has(c->args, "json")) {
		account_put_table(c, v, n);
		return 0;
	}
	j = json_new(c->arena);
	json_open_object(j, NULL);
	json_open_array(j, "accounts");
	for (size_t i = 0; i < n; i++) {
		json_open_object(j, NULL);
		account_fields_json(j, c->arena, &v[i]);
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
	return 0;
}
