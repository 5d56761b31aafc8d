/* SPDX-License-Identifier: Apache-2.0 */
/* Are the settings of an account consistent? */
#include "base/base64.h"
#include "base/limits.h"
#include "base/near.h"
#include "gate/rules.h"
#include "gate/setting.h"

enum {
	NAME_MAX_BYTES = 64,
	HOST_MAX_BYTES = 253,
	PIN_BYTES = 32,
	PINS = 4
};

static const struct str letters =
    SI("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");

static bool
setting_check_has_others(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(letters, s.p[i]))
			return true;
	return false;
}

int
setting_check_name(struct str name, struct err *e)
{
	if (name.n == 0 || name.n > NAME_MAX_BYTES || name.p[0] == '-')
		return err_set(e, ERR_USAGE,
		    "a name has 1 to 64 characters and does not begin with -");
	if (setting_check_has_others(name))
		return err_set(e, ERR_USAGE,
		    "a name has only letters, digits, . _ and -, such as work");
	return 0;
}

int
setting_check_new(struct store *s, struct arena *a, struct str name,
    struct err *e)
{
	struct store_account old;
	struct err none = { 0 };

	if (setting_check_name(name, e) < 0)
		return -1;
	if (s != NULL && store_account_get(s, a, name, &old, &none) == 0)
		return err_set(e, ERR_USAGE, "there is an account %.*s already",
		    STR_ARG(name));
	return 0;
}

static bool
setting_check_is_among(struct arena *a, const char *names, struct str backend)
{
	return names != NULL &&
	    str_find(str_fmt(a, " %s ", names),
		str_fmt(a, " %.*s ", STR_ARG(backend))) >= 0;
}

/* A setting that does not apply to this backend is a mistake. */
static int
setting_check_misplaced(struct arena *a, const struct args *given,
    const struct store_account *v, const struct setting *s, struct err *e)
{
	struct str option = setting_option(a, s);
	bool kept = setting_text(a, s, v).n > 0;

	if (kept && !args_has(given, s->name))
		return err_set(e, ERR_USAGE,
		    "%.*s does not go with --backend %.*s: clear it with "
		    "%.*s \"\"",
		    STR_ARG(option), STR_ARG(v->backend), STR_ARG(option));
	if (kept ||
	    (args_has(given, s->name) && args_text(given, s->name).n > 0))
		return err_set(e, ERR_USAGE,
		    "%.*s does not go with --backend %.*s", STR_ARG(option),
		    STR_ARG(v->backend));
	return 0;
}

static int
setting_check_backend(struct arena *a, const struct args *given,
    const struct store_account *v, const struct setting *s, struct err *e)
{
	bool needed = setting_check_is_among(a, s->needed_by, v->backend);

	if (s->needed_by == NULL && s->taken_by == NULL)
		return 0;
	if (!needed && !setting_check_is_among(a, s->taken_by, v->backend))
		return setting_check_misplaced(a, given, v, s, e);
	if (needed && setting_text(a, s, v).n == 0)
		return err_set(e, ERR_USAGE, "%.*s is missing",
		    STR_ARG(setting_option(a, s)));
	return 0;
}

static int
setting_check_unknown_backend(struct arena *a, struct str name, struct err *e)
{
	struct strs known = { 0 };
	const char *one;

	for (size_t i = 0; (one = rules_backend_at(i)) != NULL; i++)
		str_push(a, &known, str_of(one));
	return err_set(e, ERR_USAGE,
	    "unknown backend %.*s: --backend is one of %.*s",
	    STR_ARG(setting_quote(a, name)), STR_ARG(near_names(a, &known)));
}

/* The parts of an address for a person, and their required form. */
static int
setting_check_url(struct str url, struct str option, struct err *e)
{
	bool bad = url.n > LIMIT_URL ||
	    (!str_starts(url, S("https://")) && !str_starts(url, S("http://")));

	for (size_t i = 0; i < url.n; i++)
		bad = bad || (unsigned char)url.p[i] <= ' ' ||
		    (unsigned char)url.p[i] >= 0x7f;
	if (url.n > 0 && bad)
		return err_set(e, ERR_USAGE, "%.*s is not an https address",
		    STR_ARG(option));
	return 0;
}

/*
 * Host names are passed to the resolver and to TLS; nothing else may be in
 * them.
 */
int
setting_check_host(struct str host, struct str option, struct err *e)
{
	bool bad = host.n > HOST_MAX_BYTES || (host.n > 0 && host.p[0] == '-');

	for (size_t i = 0; i < host.n; i++)
		bad = bad || (unsigned char)host.p[i] <= ' ' ||
		    host.p[i] == 0x7f || host.p[i] == '/' || host.p[i] == '@';
	if (bad)
		return err_set(e, ERR_USAGE, "%.*s is not a host name",
		    STR_ARG(option));
	return 0;
}

static int
setting_check_pin(struct str rest, struct str option, struct err *e)
{
	unsigned char raw[3 * 64 / 4 + 3];
	struct str pin;
	size_t n = 0;

	while (rest.n > 0) {
		bool more = str_cut(rest, ',', &pin, &rest);

		if (n++ == PINS || pin.n > 64 || (more && rest.n == 0) ||
		    base64_decode(raw, pin) != PIN_BYTES)
			return err_set(e, ERR_USAGE,
			    "%.*s takes the base64 of 32 bytes, or up to 4 "
			    "of them separated by commas: emcli doctor "
			    "shows it",
			    STR_ARG(option));
	}
	return 0;
}

/*
 * RFC 8601 allows any word; servers write a host name or a domain, and the
 * surrounding Received fields are compared with it.
 */
static int
setting_check_authserv(struct str id, struct str option, struct err *e)
{
	if (id.n > HOST_MAX_BYTES || str_starts(id, S(".")) ||
	    str_ends(id, S(".")) || setting_check_has_others(id))
		return err_set(e, ERR_USAGE,
		    "%.*s is the name before the first \";\" of "
		    "Authentication-Results",
		    STR_ARG(option));
	return 0;
}

static int
setting_check_value(struct arena *a, const struct store_account *v,
    const struct setting *s, struct err *e)
{
	struct str text = setting_text(a, s, v);
	struct str option = setting_option(a, s);

	if (s->type == SETTING_HOST)
		return setting_check_host(text, option, e);
	if (s->type == SETTING_URL)
		return setting_check_url(text, option, e);
	if (s->type == SETTING_PIN)
		return setting_check_pin(text, option, e);
	if (s->type == SETTING_AUTHSERV)
		return setting_check_authserv(text, option, e);
	if (s->type == SETTING_REGEX && text.n > 0)
		return rules_regex(text, e);
	return 0;
}

/* Checks that involve several settings. */
static int
setting_check_whole(const struct args *given, const struct store_account *v,
    struct err *e)
{
	if (v->smtp_host.n == 0 &&
	    (args_has(given, "smtp_port") || args_has(given, "smtp_security")))
		return err_set(e, ERR_USAGE, "--smtp-host is missing");
	/* Without it the backend cannot open. */
	if (str_eq(v->backend, S("maildir")) && v->from_addr.n == 0)
		return err_set(e, ERR_USAGE,
		    "--from is missing: a Maildir needs an address");
	if (v->imap_host.n > 0 && v->username.n == 0)
		return err_set(e, ERR_USAGE, "--username is missing");
	if (v->mode == MODE_RW && v->from_addr.n == 0)
		return err_set(e, ERR_USAGE,
		    "--from is missing: an RW account needs an address");
	return 0;
}

int
setting_check(struct arena *a, const struct args *given,
    const struct store_account *v, struct err *e)
{
	if (setting_check_name(v->name, e) < 0)
		return -1;
	if (!rules_backend(v->backend))
		return setting_check_unknown_backend(a, v->backend, e);
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];

		if (setting_check_backend(a, given, v, s, e) < 0 ||
		    setting_check_value(a, v, s, e) < 0)
			return -1;
	}
	if (setting_check_whole(given, v, e) < 0)
		return -1;
	/*
	 * A place that is temporarily missing does not prevent other changes.
	 */
	if (args_has(given, "path") || args_has(given, "backend"))
		return setting_place(a, v, e);
	return 0;
}
