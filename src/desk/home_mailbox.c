/*
 * A declared mailbox, from options.  Each option belongs to one transport or to
 * both, and no option takes a secret.
 */
#include "desk/home_mailbox.h"

#include "base/limits.h"

enum {
	FOR_BOTH,
	FOR_FILESYSTEM,
	FOR_STALWART
};

static const struct {
	const char *name, *shown;
	size_t at;
	int whose;
	bool url;
} rows[] = {
	{ "mailbox_root", "--mailbox-root",
	    offsetof(struct brain_mailbox, filesystem_root), FOR_FILESYSTEM,
	    false },
	{ "mailbox_principal_id", "--mailbox-principal-id",
	    offsetof(struct brain_mailbox, principal_id), FOR_BOTH, false },
	{ "mailbox_address", "--mailbox-address",
	    offsetof(struct brain_mailbox, address), FOR_BOTH, false },
	{ "mailbox_stalwart_base_url", "--mailbox-stalwart-base-url",
	    offsetof(struct brain_mailbox, base_url), FOR_STALWART, true },
	{ "mailbox_stalwart_jmap_url", "--mailbox-stalwart-jmap-url",
	    offsetof(struct brain_mailbox, jmap_url), FOR_STALWART, true },
	{ "mailbox_stalwart_management_url",
	    "--mailbox-stalwart-management-url",
	    offsetof(struct brain_mailbox, management_url), FOR_STALWART,
	    true },
};

static int
home_mailbox_check_text(const char *shown, struct str s, struct err *e)
{
	bool good = str_trim(s).n == s.n && s.n > 0 && s.n <= LIMIT_URL;

	for (size_t i = 0; good && i < s.n; i++)
		good = (unsigned char)s.p[i] >= ' ' && s.p[i] != 0x7f;
	if (good)
		return 0;
	return err_set(e, ERR_USAGE,
	    "%s is empty, too long, or has spaces around it or control "
	    "characters in it",
	    shown);
}

/* A manifest must not contain a password. */
static int
home_mailbox_check_url(const char *shown, struct str s, struct err *e)
{
	struct str scheme, rest, host, path;

	(void)str_cut(s, ':', &scheme, &rest);
	if ((!str_eq(scheme, S("https")) && !str_eq(scheme, S("http"))) ||
	    !str_starts(rest, S("//")))
		return err_set(e, ERR_USAGE,
		    "%s is an address that begins with https:// or http://",
		    shown);
	(void)str_cut(str_from(rest, 2), '/', &host, &path);
	if (host.n == 0 || str_has_char(s, ' ') || str_has_char(s, '#'))
		return err_set(e, ERR_USAGE, "%s is no address of a server",
		    shown);
	if (str_has_char(host, '@') || str_has_char(s, '?'))
		return err_set(e, ERR_USAGE,
		    "%s must not hold a user, a password or a query: the "
		    "manifest keeps no secrets",
		    shown);
	return 0;
}

static int
home_mailbox_check(size_t i, struct str transport, struct str s, struct err *e)
{
	static const struct str names[] = {
		[FOR_FILESYSTEM] = SI("filesystem"),
		[FOR_STALWART] = SI("stalwart"),
	};
	int whose = rows[i].whose;

	if (transport.n == 0)
		return err_set(e, ERR_USAGE, "%s needs --mailbox-transport",
		    rows[i].shown);
	if (str_eq(transport, S("none")) ||
	    (whose != FOR_BOTH && !str_eq(transport, names[whose])))
		return err_set(e, ERR_USAGE,
		    "%s has no meaning with --mailbox-transport %.*s",
		    rows[i].shown, STR_ARG(transport));
	if (home_mailbox_check_text(rows[i].shown, s, e) < 0)
		return -1;
	return rows[i].url ? home_mailbox_check_url(rows[i].shown, s, e) : 0;
}

int
home_mailbox_read(struct call *c, struct brain_mailbox *out, struct err *e)
{
	*out = (struct brain_mailbox){
		.transport = args_text(c->args, "mailbox_transport"),
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct str s = args_text(c->args, rows[i].name);

		if (!args_has(c->args, rows[i].name))
			continue;
		if (home_mailbox_check(i, out->transport, s, e) < 0)
			return -1;
		*(struct str *)(void *)((char *)out + rows[i].at) = s;
	}
	return 0;
}
