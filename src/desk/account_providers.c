/* SPDX-License-Identifier: Apache-2.0 */
/* emcli account providers: the table of known mail providers. */
#include "desk/desk.h"
#include "source/provider.h"

static const struct field providers[] = {
	{ "name", FIELD_TEXT, .help = "its name for account add --provider" },
	{ "title", FIELD_TEXT, .help = "its own name" },
	{ "checked", FIELD_TEXT, .help = "the day this was checked" },
	{ "domains", FIELD_TEXTS, .help = "domains of its addresses" },
	{ "imap", FIELD_TEXT, .help = "host, port and security in one" },
	{ "imap_host", FIELD_TEXT, .help = "host for reading mail" },
	{ "imap_port", FIELD_INT, .help = "its port" },
	{ "imap_security", FIELD_TEXT, .help = "tls or starttls" },
	{ "smtp", FIELD_TEXT, .help = "host, port and security in one" },
	{ "smtp_host", FIELD_TEXT, .help = "host for sending mail" },
	{ "smtp_port", FIELD_INT, .help = "its port" },
	{ "smtp_security", FIELD_TEXT, .help = "tls or starttls" },
	{ "login", FIELD_TEXTS,
	    .help = "its logins: password, app_password, oauth2" },
	{ "quirk_id", FIELD_TEXT, .help = "value of quirk-id" },
	{ "quirk_sasl_ir", FIELD_BOOL, .help = "value of quirk-sasl-ir" },
	{ "sent_copy", FIELD_BOOL, .help = "must emcli file sent mail?" },
	{ "note", FIELD_TEXT, .help = "a remark, or empty" },
	{ 0 },
};

static const struct field result[] = {
	{ "providers", FIELD_OBJECTS, .help = "the providers known by name",
	    .sub = providers },
	{ 0 },
};

/* The table for a person. */
static void
account_providers_put_server(struct call *c, struct json *j, const char *key,
    const char *host, uint16_t port, bool starttls)
{
	json_put_str(j, key,
	    str_fmt(c->arena, "%s:%u%s", host, (unsigned)port,
		starttls ? " (STARTTLS)" : ""));
}

static void
account_providers_put_words(struct json *j, const char *key, const char *words)
{
	struct str rest = str_of(words), one;

	json_open_array(j, key);
	while (rest.n > 0) {
		(void)str_cut(rest, ' ', &one, &rest);
		json_put_str(j, NULL, one);
	}
	json_close_array(j);
}

static void
account_providers_put_logins(struct json *j, unsigned login)
{
	json_open_array(j, "login");
	if (login & PROVIDER_PASSWORD)
		json_put_text(j, NULL, "password");
	if (login & PROVIDER_APP_PASSWORD)
		json_put_text(j, NULL, "app_password");
	if (login & PROVIDER_OAUTH2)
		json_put_text(j, NULL, "oauth2");
	json_close_array(j);
}

static void
account_providers_put(struct call *c, struct json *j, const struct provider *p)
{
	json_open_object(j, NULL);
	json_put_text(j, "name", p->name);
	json_put_text(j, "title", p->title);
	json_put_text(j, "checked", p->checked);
	account_providers_put_words(j, "domains", p->domains);
	account_providers_put_server(c, j, "imap", p->imap_host, p->imap_port,
	    p->imap_starttls);
	json_put_text(j, "imap_host", p->imap_host);
	json_put_int(j, "imap_port", p->imap_port);
	json_put_text(j, "imap_security",
	    p->imap_starttls ? "starttls" : "tls");
	account_providers_put_server(c, j, "smtp", p->smtp_host, p->smtp_port,
	    p->smtp_starttls);
	json_put_text(j, "smtp_host", p->smtp_host);
	json_put_int(j, "smtp_port", p->smtp_port);
	json_put_text(j, "smtp_security",
	    p->smtp_starttls ? "starttls" : "tls");
	account_providers_put_logins(j, p->login);
	json_put_text(j, "quirk_id", p->id_on ? "on" : "auto");
	json_put_bool(j, "quirk_sasl_ir", !p->no_sasl_ir);
	json_put_bool(j, "sent_copy", !p->no_sent_copy);
	json_put_text(j, "note", p->note != NULL ? p->note : "");
	json_close_object(j);
}

static int
account_providers_run(struct call *c, struct json *out, struct err *e)
{
	(void)e;
	json_open_array(out, "providers");
	for (const struct provider *p = provider_table; p->name != NULL; p++)
		account_providers_put(c, out, p);
	json_close_array(out);
	return 0;
}

const struct op desk_account_providers = {
	.name = "account providers",
	.summary = "List the mail providers known by name",
	.effect = EFFECT_OPERATE,
	.args = args_none,
	.result = result,
	.columns = "name title=PROVIDER imap smtp login checked",
	.run = account_providers_run,
};
