/* emcli account providers: the table, for who wants to look first. */
#include "base/json.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "source/provider.h"

enum {
	COLUMNS = 6
};

const struct arg_spec providers_args[] = {
	{ .name = "json",
	    .type = ARG_FLAG,
	    .help = "JSON instead of a table, with domains and notes" },
	{ 0 },
};

static struct str
server(struct arena *a, const char *host, uint16_t port, bool starttls)
{
	return str_fmt(a, "%s:%u%s", host, (unsigned)port,
	    starttls ? " (STARTTLS)" : "");
}

static const char *
logins(unsigned login)
{
	switch (login) {
	case PROVIDER_PASSWORD:
		return "password";
	case PROVIDER_APP_PASSWORD:
		return "app password";
	case PROVIDER_OAUTH2:
		return "oauth2";
	case PROVIDER_APP_PASSWORD | PROVIDER_OAUTH2:
		return "app password, oauth2";
	default:
		return "password, app password";
	}
}

static void
put_words(struct json *j, const char *key, const char *words)
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
put_json(struct json *j, const struct provider *p)
{
	json_open_object(j, NULL);
	json_put_text(j, "name", p->name);
	json_put_text(j, "title", p->title);
	json_put_text(j, "checked", p->checked);
	put_words(j, "domains", p->domains);
	json_put_text(j, "imap_host", p->imap_host);
	json_put_int(j, "imap_port", p->imap_port);
	json_put_text(j, "imap_security",
	    p->imap_starttls ? "starttls" : "tls");
	json_put_text(j, "smtp_host", p->smtp_host);
	json_put_int(j, "smtp_port", p->smtp_port);
	json_put_text(j, "smtp_security",
	    p->smtp_starttls ? "starttls" : "tls");
	json_open_array(j, "login");
	if (p->login & PROVIDER_PASSWORD)
		json_put_text(j, NULL, "password");
	if (p->login & PROVIDER_APP_PASSWORD)
		json_put_text(j, NULL, "app_password");
	if (p->login & PROVIDER_OAUTH2)
		json_put_text(j, NULL, "oauth2");
	json_close_array(j);
	json_put_text(j, "quirk_id", p->id_on ? "on" : "auto");
	json_put_bool(j, "quirk_sasl_ir", !p->no_sasl_ir);
	json_put_bool(j, "sent_copy", !p->no_sent_copy);
	json_put_text(j, "note", p->note != NULL ? p->note : "");
	json_close_object(j);
}

static void
put_table(struct admin_call *c, size_t n)
{
	static const struct str head[COLUMNS] = { SI("NAME"), SI("PROVIDER"),
		SI("IMAP"), SI("SMTP"), SI("LOGIN"), SI("CHECKED") };
	struct out_row *rows = arena_array(c->arena, n + 1, sizeof(*rows));

	rows[0].cell = head;
	for (size_t i = 0; i < n; i++) {
		const struct provider *p = &provider_table[i];
		struct str *cell =
		    arena_array(c->arena, COLUMNS, sizeof(*cell));

		cell[0] = str_of(p->name);
		cell[1] = str_of(p->title);
		cell[2] = server(c->arena, p->imap_host, p->imap_port,
		    p->imap_starttls);
		cell[3] = server(c->arena, p->smtp_host, p->smtp_port,
		    p->smtp_starttls);
		cell[4] = str_of(logins(p->login));
		cell[5] = str_of(p->checked);
		rows[i + 1].cell = cell;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
}

int
providers_list(struct admin_call *c, struct err *e)
{
	struct json *j = json_new(c->arena);
	size_t n = 0;

	(void)e;
	while (provider_table[n].name != NULL)
		n++;
	if (!args_has(c->args, "json")) {
		put_table(c, n);
		return 0;
	}
	json_open_object(j, NULL);
	json_open_array(j, "providers");
	for (size_t i = 0; i < n; i++)
		put_json(j, &provider_table[i]);
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
	return 0;
}
