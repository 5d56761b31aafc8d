/* emcli account show: every setting, and which secrets are there. */
#include "base/clock.h"
#include "base/json.h"
#include "door/admin/account.h"
#include "door/out.h"
#include "store/oauth.h"

enum {
	OAUTH_FIELDS = 5,
	ROWS = 1 + SETTINGS + STORE_SEALED + OAUTH_FIELDS
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
account_show_when(struct arena *a, int64_t unix_s)
{
	return unix_s > 0 ? clock_rfc3339(a, unix_s) : S("");
}

/* Where its tokens come from; all empty for an account without a consent. */
struct account_show_oauth {
	const char *name;
	struct str value;
};

static void
account_show_oauth_fields(struct arena *a, const struct store_oauth *x,
    struct account_show_oauth out[OAUTH_FIELDS])
{
	const struct account_show_oauth all[OAUTH_FIELDS] = {
		{ "oauth_provider", x->provider },
		{ "oauth_issuer", x->issuer },
		{ "oauth_scope", x->scope },
		{ "oauth_consented", account_show_when(a, x->consent_s) },
		{ "oauth_refreshed", account_show_when(a, x->refresh_s) },
	};

	memcpy(out, all, sizeof(all));
}

static void
account_show_put_json(struct admin_call *c, const struct store_account *v,
    const struct account_show_oauth *oauth, const bool *set)
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
account_show_put_table(struct admin_call *c, const struct store_account *v,
    const struct account_show_oauth *oauth, const bool *set)
{
	struct out_row rows[ROWS];
	struct str cells[ROWS][2];
	size_t n = 0;

	cells[n][0] = S("name");
	cells[n++][1] = out_line(c->arena, v->name);
	for (int i = 0; i < SETTINGS; i++) {
		struct str is = setting_text(c->arena, &account_setting[i], v);

		cells[n][0] = str_of(account_setting[i].name);
		cells[n++][1] = is.n > 0 ? out_line(c->arena, is) : S("-");
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
	struct account_show_oauth oauth[OAUTH_FIELDS];
	struct store_account v = { 0 };
	bool set[STORE_SEALED];
	struct store_oauth from;

	if (store_account_get(c->store, c->arena, args_text(c->args, "name"),
		&v, e) < 0 ||
	    store_oauth_get(c->store, c->arena, v.id, &from, e) < 0 ||
	    store_account_sealed(c->store, v.id, set, e) < 0)
		return -1;
	account_show_oauth_fields(c->arena, &from, oauth);
	if (args_has(c->args, "json"))
		account_show_put_json(c, &v, oauth, set);
	else
		account_show_put_table(c, &v, oauth, set);
	return 0;
}
