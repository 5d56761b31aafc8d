/* emcli account list, account remove. */
#include "base/json.h"
#include "door/admin/internal.h"
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

const struct arg_spec account_remove_args[] = {
	{ .name = "name",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to remove" },
	{ .name = "yes", .type = ARG_FLAG, .help = "do not ask" },
	{ 0 },
};

const char *
account_mode(enum mode m)
{
	return m == MODE_RW ? "RW" : "RO";
}

static struct str
server(struct arena *a, struct str host, uint16_t port)
{
	if (host.n == 0)
		return S("-");
	return str_fmt(a, "%.*s:%u", STR_ARG(host), (unsigned)port);
}

static struct str
or_dash(struct str s)
{
	return s.n > 0 ? s : S("-");
}

static void
fill_row(struct arena *a, const struct store_account *v, struct str *cell)
{
	cell[0] = v->name;
	cell[1] = v->backend;
	cell[2] = str_of(account_mode(v->mode));
	cell[3] = or_dash(v->from_addr);
	cell[4] =
	    v->path.n > 0 ? v->path : server(a, v->imap_host, v->imap_port);
	cell[5] = server(a, v->smtp_host, v->smtp_port);
	cell[6] = v->in_on ? S("on") : S("off");
	cell[7] = v->out_on ? S("on") : S("off");
	for (int i = 0; i < COLUMNS; i++)
		cell[i] = out_line(a, cell[i]);
}

static void
put_table(struct admin_call *c, const struct store_account *v, size_t n)
{
	static const struct str head[COLUMNS] = { SI("NAME"), SI("BACKEND"),
		SI("MODE"), SI("FROM"), SI("MAIL"), SI("SMTP"),
		SI("WHITELIST-IN"), SI("WHITELIST-OUT") };
	struct out_row *rows = arena_array(c->arena, n + 1, sizeof(*rows));

	rows[0].cell = head;
	for (size_t i = 0; i < n; i++) {
		struct str *cell =
		    arena_array(c->arena, COLUMNS, sizeof(*cell));

		fill_row(c->arena, &v[i], cell);
		rows[i + 1].cell = cell;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
}

static void
put_account(struct json *j, const struct store_account *v)
{
	json_open_object(j, NULL);
	json_put_str(j, "name", v->name);
	json_put_str(j, "backend", v->backend);
	json_put_text(j, "mode", account_mode(v->mode));
	json_put_str(j, "from", v->from_addr);
	json_put_str(j, "username", v->username);
	json_put_str(j, "auth", v->auth_type);
	json_put_str(j, "imap_host", v->imap_host);
	json_put_int(j, "imap_port", v->imap_port);
	json_put_str(j, "imap_security", v->imap_security);
	json_put_str(j, "smtp_host", v->smtp_host);
	json_put_int(j, "smtp_port", v->smtp_port);
	json_put_str(j, "smtp_security", v->smtp_security);
	json_put_str(j, "ca", v->ca_file);
	json_put_str(j, "pin", v->tls_pin);
	json_put_str(j, "path", v->path);
	json_put_str(j, "attach_dir", v->attach_dir);
	json_put_bool(j, "whitelist_in", v->in_on);
	json_put_bool(j, "whitelist_out", v->out_on);
	json_put_str(j, "subject_regex", v->subject_regex);
	json_put_bool(j, "process_backlog", v->process_backlog);
	json_put_bool(j, "has_password", v->has_password);
	json_close_object(j);
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
		put_table(c, v, n);
		return 0;
	}
	j = json_new(c->arena);
	json_open_object(j, NULL);
	json_open_array(j, "accounts");
	for (size_t i = 0; i < n; i++)
		put_account(j, &v[i]);
	json_close_array(j);
	json_close_object(j);
	buf_str(c->out, json_text(j, c->arena));
	buf_char(c->out, '\n');
	return 0;
}

/* What goes with the account, in words. */
static int
tell_loss(struct admin_call *c, const struct store_account *acct,
    struct str *out, struct err *e)
{
	struct strs in = { 0 }, to = { 0 };

	if (store_list_get(c->store, c->arena, acct->id, STORE_LIST_IN, &in,
		e) < 0 ||
	    store_list_get(c->store, c->arena, acct->id, STORE_LIST_OUT, &to,
		e) < 0)
		return -1;
	*out = str_fmt(c->arena,
	    "account %.*s, its %s, its whitelists (%zu and %zu entries) and "
	    "what agents have acked",
	    STR_ARG(acct->name),
	    acct->has_password ? "sealed credentials" : "settings", in.n, to.n);
	return 0;
}

int
account_remove(struct admin_call *c, struct err *e)
{
	struct str name = args_text(c->args, "name"), loss, question;
	struct store_account acct;

	if (store_account_get(c->store, c->arena, name, &acct, e) < 0 ||
	    tell_loss(c, &acct, &loss, e) < 0)
		return -1;
	if (!args_has(c->args, "yes")) {
		if (!prompt_possible())
			return err_set(e, ERR_USAGE,
			    "--yes is needed to remove %.*s", STR_ARG(loss));
		question = str_fmt(c->arena,
		    "Remove %.*s?  Type yes: ", STR_ARG(loss));
		if (!prompt_yes(str_c(c->arena, question)))
			return err_set(e, ERR_USAGE, "nothing was removed");
	}
	if (store_account_remove(c->store, name, e) < 0)
		return -1;
	buf_fmt(c->out, "removed %.*s; the audit log stays\n", STR_ARG(loss));
	return 0;
}
