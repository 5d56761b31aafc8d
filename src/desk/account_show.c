/* SPDX-License-Identifier: Apache-2.0 */
/* emcli account show: every setting, and which secrets are there. */
#include "base/clock.h"
#include "desk/account_fields.h"
#include "desk/desk.h"
#include "gate/setting.h"
#include "store/oauth.h"

enum {
	OAUTH_FIELDS = 5
};

static const struct arg_spec args[] = {
	{ "name", ARG_ACCOUNT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to show" },
	{ 0 },
};

static const struct field secrets[STORE_SEALED + 1] = {
	[STORE_PASSWORD] = { "password", FIELD_BOOL,
	    .help = "its password or token" },
	[STORE_OAUTH_CLIENT_ID] = { "oauth_client_id", FIELD_BOOL,
	    .help = "the client that asks for consent" },
	[STORE_OAUTH_CLIENT_SECRET] = { "oauth_client_secret", FIELD_BOOL,
	    .help = "that client's secret" },
	[STORE_OAUTH_REFRESH_TOKEN] = { "oauth_refresh_token", FIELD_BOOL,
	    .help = "what a consent brought" },
};

static const struct field result[] = {
#include "desk/account_fields_list.h"
	{ "oauth_provider", FIELD_TEXT,
	    .help = "who gives its tokens, or empty" },
	{ "oauth_issuer", FIELD_TEXT,
	    .help = "address of any other provider, or empty" },
	{ "oauth_scope", FIELD_TEXT,
	    .help = "what was asked for, or empty: the least it needs" },
	{ "oauth_consented", FIELD_TEXT,
	    .help = "when a person said yes, or empty" },
	{ "oauth_refreshed", FIELD_TEXT,
	    .help = "when it last got a token, or empty" },
	{ "secrets", FIELD_OBJECT, .help = "which are there, sealed",
	    .sub = secrets },
	{ 0 },
};

/* Where its tokens come from; all empty for an account without consent. */
struct account_show_oauth {
	const char *name;
	struct str value;
};

static struct str
account_show_when(struct arena *a, int64_t unix_s)
{
	return unix_s > 0 ? clock_rfc3339(a, unix_s) : S("");
}

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
account_show_put(struct json *j, struct arena *a, const struct store_account *v,
    const struct account_show_oauth *oauth, const bool *set)
{
	account_fields_put(j, a, v);
	for (int i = 0; i < OAUTH_FIELDS; i++)
		json_put_str(j, oauth[i].name, oauth[i].value);
	json_open_object(j, "secrets");
	for (int i = 0; i < STORE_SEALED; i++)
		json_put_bool(j, secrets[i].name, set[i]);
	json_close_object(j);
}

static void
account_show_say(struct call *c, const struct store_account *v,
    const struct account_show_oauth *oauth, const bool *set)
{
	gate_say_pair(c, "name", v->name);
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		struct str is = setting_text(c->arena, s, v);

		gate_say_pair(c, s->name, is.n > 0 ? is : S("-"));
	}
	for (int i = 0; i < OAUTH_FIELDS; i++)
		if (oauth[i].value.n > 0)
			gate_say_pair(c, oauth[i].name, oauth[i].value);
	for (int i = 0; i < STORE_SEALED; i++)
		gate_say_pair(c, secrets[i].name,
		    set[i] ? S("set, sealed") : S("not set"));
}

static int
account_show_run(struct call *c, struct json *out, struct err *e)
{
	struct account_show_oauth oauth[OAUTH_FIELDS];
	struct store *s = operate_store(c);
	struct store_account v = { 0 };
	bool set[STORE_SEALED];
	struct store_oauth from;

	if (store_account_get(s, c->arena, args_text(c->args, "name"), &v, e) <
		0 ||
	    store_oauth_get(s, c->arena, v.id, &from, e) < 0 ||
	    store_account_sealed(s, v.id, set, e) < 0)
		return -1;
	account_show_oauth_fields(c->arena, &from, oauth);
	account_show_put(out, c->arena, &v, oauth, set);
	account_show_say(c, &v, oauth, set);
	return 0;
}

const struct op desk_account_show = {
	.name = "account show",
	.shows = "emcli account list",
	.summary = "Show an account, never its secrets",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.run = account_show_run,
};
