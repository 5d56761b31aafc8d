/* emcli account show: every setting, and which secrets are there. */
#include "base/json.h"
#include "door/admin/account.h"
#include "door/out.h"

const struct arg_spec account_show_args[] = {
	{ .name = "name",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to show" },
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

static const char *const secrets[STORE_SEALED] = {
	[STORE_PASSWORD] = "password",
	[STORE_OAUTH_CLIENT_ID] = "oauth_client_id",
	[STORE_OAUTH_CLIENT_SECRET] = "oauth_client_secret",
	[STORE_OAUTH_REFRESH_TOKEN] = "oauth_refresh_token",
};

static void
put_json(struct admin_call *c, const struct store_account *v, const bool *set)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	account_fields_json(j, c->arena, v);
	json_open_object(j, "secrets");
	for (int i = 0; i < STORE_SEALED; i++)
		json_put_bool(j, secrets[i], set[i]);
	json_close_object(j);
	json_close_object(j);
	buf_str(c->out, json_text(j, c->arena));
	buf_char(c->out, '\n');
}

static void
put_table(struct admin_call *c, const struct store_account *v, const bool *set)
{
	struct account_field f[ACCOUNT_FIELDS];
	struct out_row rows[ACCOUNT_FIELDS + STORE_SEALED];
	struct str cells[ACCOUNT_FIELDS + STORE_SEALED][2];
	size_t n = 0;

	account_fields(c->arena, v, f);
	for (int i = 0; i < ACCOUNT_FIELDS; i++) {
		/* The last line of the table says it. */
		if (str_eq(str_of(f[i].name), S("has_password")))
			continue;
		cells[n][0] = str_of(f[i].name);
		cells[n++][1] =
		    f[i].value.n > 0 ? out_line(c->arena, f[i].value) : S("-");
	}
	for (int i = 0; i < STORE_SEALED; i++) {
		cells[n][0] = str_of(secrets[i]);
		cells[n++][1] = set[i] ? S("set, sealed") : S("not set");
	}
	for (size_t i = 0; i < n; i++)
		rows[i].cell = cells[i];
	out_table(c->out, rows, n, 2);
}

int
account_show(struct admin_call *c, struct err *e)
{
	struct store_account v = { 0 };
	bool set[STORE_SEALED];

	if (store_account_get(c->store, c->arena, args_text(c->args, "name"),
		&v, e) < 0 ||
	    store_account_sealed(c->store, v.id, set, e) < 0)
		return -1;
	if (args_has(c->args, "json"))
		put_json(c, &v, set);
	else
		put_table(c, &v, set);
	return 0;
}
