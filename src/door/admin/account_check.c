/*
 * Does an account hold together?  Asked of the whole, whatever part of it was
 * given just now.
 */
#include "base/base64.h"
#include "base/limits.h"
#include "base/near.h"
#include "door/admin/account.h"
#include "door/argv.h"
#include "door/out.h"
#include "gate/rules.h"

enum {
	NAME_MAX_BYTES = 64,
	HOST_MAX_BYTES = 253,
	PIN_BYTES = 32,
	PINS = 4
};

int
account_check_name(struct str name, struct err *e)
{
	static const struct str allowed =
	    SI("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	       "0123456789._-");

	if (name.n == 0 || name.n > NAME_MAX_BYTES || name.p[0] == '-')
		return err_set(e, ERR_USAGE,
		    "a name has 1 to 64 characters and begins with no -");
	for (size_t i = 0; i < name.n; i++)
		if (!str_has_char(allowed, name.p[i]))
			return err_set(e, ERR_USAGE,
			    "a name is made of letters, digits, . _ and -, as "
			    "work");
	return 0;
}

int
account_check_new(const struct admin_call *c, struct store *s, struct str name,
    struct err *e)
{
	struct store_account old;
	struct err none = { 0 };

	if (account_check_name(name, e) < 0)
		return -1;
	if (s != NULL && store_account_get(s, c->arena, name, &old, &none) == 0)
		return err_set(e, ERR_USAGE, "there is an account %.*s already",
		    STR_ARG(name));
	return 0;
}

/* An option that means nothing to this backend is a mistake, not a whim. */
static int
misplaced(const struct admin_call *c, const struct store_account *v,
    const char *name, struct str kept, struct err *e)
{
	struct str option = argv_spell(c->arena, name);

	if (kept.n > 0 && !args_has(c->args, name))
		return err_set(e, ERR_USAGE,
		    "--%.*s does not go with --backend %.*s: clear it with "
		    "--%.*s \"\"",
		    STR_ARG(option), STR_ARG(v->backend), STR_ARG(option));
	if (kept.n > 0 || args_text(c->args, name).n > 0)
		return err_set(e, ERR_USAGE,
		    "--%.*s does not go with --backend %.*s", STR_ARG(option),
		    STR_ARG(v->backend));
	return 0;
}

/* Where an account's mail is and goes: which option says it for which backends.
 */
struct place {
	const char *option;
	struct str kept;
	const char *needed, *allowed; /* names with spaces between */
};

static bool
is_among(struct arena *a, const char *names, struct str backend)
{
	return str_find(str_fmt(a, " %s ", names),
		   str_fmt(a, " %.*s ", STR_ARG(backend))) >= 0;
}

static int
check_place(const struct admin_call *c, const struct store_account *v,
    const struct place *p, struct err *e)
{
	bool needed = is_among(c->arena, p->needed, v->backend);
	struct str option = argv_spell(c->arena, p->option);

	if (!needed && !is_among(c->arena, p->allowed, v->backend))
		return misplaced(c, v, p->option, p->kept, e);
	if (needed && p->kept.n == 0)
		return err_set(e, ERR_USAGE, "--%.*s is missing",
		    STR_ARG(option));
	return 0;
}

static int
unknown_backend(const struct admin_call *c, struct str name, struct err *e)
{
	struct strs known = { 0 };
	const char *one;

	for (size_t i = 0; (one = rules_backend_at(i)) != NULL; i++)
		str_push(c->arena, &known, str_of(one));
	return err_set(e, ERR_USAGE,
	    "unknown backend %.*s: --backend is one of %.*s",
	    STR_ARG(out_quote(c->arena, name)),
	    STR_ARG(near_names(c->arena, &known)));
}

static int
check_backend(const struct admin_call *c, const struct store_account *v,
    struct err *e)
{
	static const char *const imap[] = { "imap_port", "imap_security" };
	const struct place all[] = {
		{ "imap_host", v->imap_host, "imap", "" },
		{ "path", v->path, "maildir mbox", "" },
		{ "url", v->url, "jmap ponymail", "gmail" },
		{ "drafts_folder", v->drafts_folder, "", "imap jmap maildir" },
	};

	if (!rules_backend(v->backend))
		return unknown_backend(c, v->backend, e);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (check_place(c, v, &all[i], e) < 0)
			return -1;
	for (int i = 0; i < 2; i++)
		if (!str_eq(v->backend, S("imap")) &&
		    args_has(c->args, imap[i]))
			return misplaced(c, v, imap[i], S("x"), e);
	return 0;
}

/* What goes into an address that a person is given, and what it has to be. */
static int
check_url(const char *option, struct str url, struct err *e)
{
	bool bad = url.n > LIMIT_URL ||
	    (!str_starts(url, S("https://")) && !str_starts(url, S("http://")));

	for (size_t i = 0; i < url.n; i++)
		bad = bad || (unsigned char)url.p[i] <= ' ' ||
		    (unsigned char)url.p[i] >= 0x7f;
	if (url.n > 0 && bad)
		return err_set(e, ERR_USAGE, "%s is no https address", option);
	return 0;
}

/* Host names go to the resolver and into TLS; nothing else may ride along. */
int
account_check_host(struct str host, const char *option, struct err *e)
{
	bool bad = host.n > HOST_MAX_BYTES || (host.n > 0 && host.p[0] == '-');

	for (size_t i = 0; i < host.n; i++)
		bad = bad || (unsigned char)host.p[i] <= ' ' ||
		    host.p[i] == 0x7f || host.p[i] == '/' || host.p[i] == '@';
	if (bad)
		return err_set(e, ERR_USAGE, "%s is no host name", option);
	return 0;
}

static int
check_servers(const struct admin_call *c, const struct store_account *v,
    struct err *e)
{
	if (v->smtp_host.n == 0 &&
	    (args_has(c->args, "smtp_port") ||
		args_has(c->args, "smtp_security")))
		return err_set(e, ERR_USAGE, "--smtp-host is missing");
	if (account_check_host(v->imap_host, "--imap-host", e) < 0)
		return -1;
	return account_check_host(v->smtp_host, "--smtp-host", e);
}

static int
check_pin(const struct admin_call *c, const struct store_account *v,
    struct err *e)
{
	unsigned char raw[3 * 64 / 4 + 3];
	struct str rest = v->tls_pin, pin;
	size_t n = 0;

	while (rest.n > 0) {
		bool more = str_cut(rest, ',', &pin, &rest);

		if (n++ == PINS || pin.n > 64 || (more && rest.n == 0) ||
		    base64_decode(raw, pin) != PIN_BYTES)
			return err_set(e, ERR_USAGE,
			    "--pin is the base64 of 32 bytes, or up to 4 of "
			    "them with commas between: emcli doctor shows it");
	}
	/* What is asked over HTTPS would not be held to it. */
	if (v->tls_pin.n > 0 &&
	    is_among(c->arena, "jmap gmail ponymail", v->backend))
		return misplaced(c, v, "pin", v->tls_pin, e);
	return 0;
}

/*
 * RFC 8601 lets it be any word; servers write a host name or a domain, and the
 * Received fields around are held to it.
 */
static int
check_authserv(struct str id, struct err *e)
{
	bool bad = id.n > HOST_MAX_BYTES || str_starts(id, S(".")) ||
	    str_ends(id, S("."));

	for (size_t i = 0; i < id.n; i++) {
		char c = id.p[i];

		bad = bad ||
		    !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '.' || c == '-' ||
			c == '_');
	}
	if (bad)
		return err_set(e, ERR_USAGE,
		    "--authserv-id is the name before the first \";\" of "
		    "Authentication-Results");
	return 0;
}

int
account_check(const struct admin_call *c, const struct store_account *v,
    struct err *e)
{
	if (account_check_name(v->name, e) < 0 || check_backend(c, v, e) < 0 ||
	    check_servers(c, v, e) < 0 || check_pin(c, v, e) < 0 ||
	    check_authserv(v->authserv_id, e) < 0 ||
	    check_url("--url", v->url, e) < 0 ||
	    check_url("--thread-url", v->thread_url, e) < 0)
		return -1;
	if (v->subject_regex.n > 0 && rules_regex(v->subject_regex, e) < 0)
		return -1;
	/* Without it the backend does not even open. */
	if (str_eq(v->backend, S("maildir")) && v->from_addr.n == 0)
		return err_set(e, ERR_USAGE,
		    "--from is missing: a Maildir is that of an address");
	if (v->imap_host.n > 0 && v->username.n == 0)
		return err_set(e, ERR_USAGE, "--username is missing");
	if (v->mode == MODE_RW && v->from_addr.n == 0)
		return err_set(e, ERR_USAGE,
		    "--from is missing: an RW account needs an address");
	return account_place_check(c, v, e);
}
