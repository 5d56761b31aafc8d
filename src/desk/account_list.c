/* SPDX-License-Identifier: Apache-2.0 */
/* emcli account list. */
#include "desk/account_fields.h"
#include "desk/desk.h"

static const struct field accounts[] = {
#include "desk/account_fields_list.h"
	{ "mail", FIELD_TEXT,
	    .help = "its path, or its IMAP server and port, or empty" },
	{ "smtp", FIELD_TEXT,
	    .help = "its submission server and port, or empty" },
	{ 0 },
};

static const struct field result[] = {
	{ "accounts", FIELD_OBJECTS, .help = "the accounts", .sub = accounts },
	{ 0 },
};

static struct str
account_list_server(struct arena *a, struct str host, uint16_t port)
{
	if (host.n == 0)
		return S("");
	return str_fmt(a, "%.*s:%u", STR_ARG(host), (unsigned)port);
}

static void
account_list_put(struct json *j, struct arena *a, const struct store_account *v)
{
	json_open_object(j, NULL);
	account_fields_put(j, a, v);
	json_put_str(j, "mail",
	    v->path.n > 0 ? v->path
			  : account_list_server(a, v->imap_host, v->imap_port));
	json_put_str(j, "smtp",
	    account_list_server(a, v->smtp_host, v->smtp_port));
	json_close_object(j);
}

static int
account_list_run(struct call *c, struct json *out, struct err *e)
{
	struct store_account *v;
	size_t n;

	if (store_account_list(operate_store(c), c->arena, &v, &n, e) < 0)
		return -1;
	json_open_array(out, "accounts");
	for (size_t i = 0; i < n; i++)
		account_list_put(out, c->arena, &v[i]);
	json_close_array(out);
	return 0;
}

const struct op desk_account_list = {
	.name = "account list",
	.shows = "emcli account list",
	.summary = "List the accounts, never their secrets",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args_none,
	.result = result,
	.columns = "name backend mode from mail smtp whitelist_in! "
		   "whitelist_out!",
	.run = account_list_run,
};
