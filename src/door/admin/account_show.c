/* emcli account show: every setting, and which secrets are there. */
#include "base/clock.h"
#include "base/json.h"
#include "door/admin/account.h"
#include "door/out.h"
#include "store/oauth.h"

enum {
	OAUTH_FIELDS = 5,
	ROWS = ACCOUNT_FIELDS + STORE_SEALED + OAUTH_FIELDS
};

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

static struct str
when(struct arena *a, int64_t unix_s)
{
	return unix_s > 0 ? clock_rfc3339(a, unix_s) : S("");
}

/* Where its tokens come from; all empty for an account without a consent. */
static void
oauth_fields(struct arena *a, const struct store_oauth *x,
    struct account_field out[OAUTH_FIELDS])
{
	const struct account_field all[OAUTH_FIELDS] = {
		{ "oauth_provider", x->provider, ACCOUNT_TEXT },
		{ "oauth_issuer", x->issuer, ACCOUNT_TEXT },
		{ "oauth_scope", x->scope, ACCOUNT_TEXT },
		{ "oauth_consented", when(a, x->consent_s), ACCOUNT_TEXT },
		{ "oauth_refreshed", when(a, x->refresh_s), ACCOUNT_TEXT },
	};

	memcpy(out, all, sizeof(all));
}

static void
put_json(struct admin_call *c, const struct store_account *v,
    const struct account_field *oauth, const bool *set)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	account_fields_json(j, c->arena, v);
	for (int i = 0; i < OAUTH_FIELDS; i++)
		json_put_str(j, oauth[i].name, oauth[i].value);
	json_open_object(j, "secrets");
	for (int i = 0; i < STORE_SEALED; i++)
		json_put_bool(j, secrets[i], set[i]);
	json_close_object(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
}

static void
put_table(struct admin_call *c, const struct store_account *v,
    const struct account_field *oauth, const bool *set)
{
	struct account_field f[ACCOUNT_FIELDS];
	struct out_row rows[ROWS];
	struct str cells[ROWS][2];
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
	for (int i = 0; i < OAUTH_FIELDS; i++) {
		if (oauth[i].value.n == 0)
			continue;
		cells[n][0] = str_of(oauth[i].name);
		cells[n++][1] = out_line(c->arena, oauth[i].value);
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
	struct account_field oauth[OAUTH_FIELDS];
	struct store_account v = { 0 };
	bool set[STORE_SEALED];
	struct store_oauth from;

	if (store_account_get(c->store, c->arena, args_text(c->args, "name"),
		&v, e) < 0 ||
	    store_oauth_get(c->store, c->arena, v.id, &from, e) < 0 ||
	    store_account_sealed(c->store, v.id, set, e) < 0)
		return -1;
	oauth_fields(c->arena, &from, oauth);
	if (args_has(c->args, "json"))
		put_json(c, &v, oauth, set);
	else
		put_table(c, &v, oauth, set);
	return 0;
}
