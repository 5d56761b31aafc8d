/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of an account, as text. */
#include "gate/setting.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"
#include "gate/rules.h"

/* More than a week later, it is not an answer to mail that was just read. */
#define TAINT_MAX 10080

enum {
	QUOTE_MAX = 40 /* bytes of a word that is repeated */
};

struct store_account
setting_new(struct str name)
{
	struct store_account v = { .name = name };

	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		struct err e = { 0 };

		/* TLS belongs to a server, if there is one. */
		if (s->def != NULL && s->type != SETTING_SECURITY &&
		    setting_put(NULL, s, str_of(s->def), &v, &e) < 0)
			err_bug("%s: %s", s->name, e.say);
	}
	return v;
}

struct str
setting_text(struct arena *a, const struct setting *s,
    const struct store_account *v)
{
	uint64_t n;

	if (s->type < SETTING_CHOICE)
		return account_value_text(s, v);
	if (s->choices != NULL)
		return account_value_word(s, v);
	n = account_value_number(s, v);
	return n > 0 ? str_fmt(a, "%llu", (unsigned long long)n) : S("");
}

struct str
setting_option(struct arena *a, const struct setting *s)
{
	char *option = str_c(a, str_fmt(a, "--%s", s->name));

	for (char *p = option; *p != '\0'; p++)
		if (*p == '_')
			*p = '-';
	return str_of(option);
}

struct str
setting_quote(struct arena *a, struct str s)
{
	struct str shown = utf8_first(s, QUOTE_MAX);

	return str_fmt(a, "\"%.*s%s\"", STR_ARG(shown),
	    shown.n < s.n ? "..." : "");
}

static bool
setting_is_kind(const struct stat *st, const struct setting *s,
    const struct store_account *v)
{
	bool either = s->type == SETTING_MAIL && str_eq(v->backend, S("mbox"));

	return (S_ISDIR(st->st_mode) && (either || s->type != SETTING_FILE)) ||
	    (S_ISREG(st->st_mode) && (either || s->type == SETTING_FILE));
}

/* The absolute path of an existing file or folder. */
static int
setting_find_path(struct arena *a, const struct setting *s, struct str text,
    const struct store_account *v, struct str *out, struct err *e)
{
	struct str option = setting_option(a, s);
	char real[PATH_MAX];
	struct stat st;

	if (realpath(str_c(a, text), real) == NULL || stat(real, &st) < 0 ||
	    access(real, R_OK) < 0) {
		(void)err_set(e, ERR_USAGE, "%.*s cannot be read",
		    STR_ARG(option));
		return err_errno(e, "realpath");
	}
	if (!setting_is_kind(&st, s, v))
		return err_set(e, ERR_USAGE, "%.*s is not a %s",
		    STR_ARG(option),
		    s->type == SETTING_FILE ? "file" : "folder");
	*out = str_dup(a, str_of(real));
	return 0;
}

static int
setting_put_path(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e)
{
	struct str path = S("");

	account_value_put(s, S(""), v);
	if (text.n > 0 && setting_find_path(a, s, text, v, &path, e) < 0)
		return -1;
	account_value_put(s, path, v);
	return 0;
}

/* Each of them, after those that it has. */
static int
setting_add_folders(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e)
{
	struct strs l = path_among_list(a, text);
	struct str all = account_value_text(s, v), path = S("");

	for (size_t i = 0; i < l.n; i++)
		if (setting_find_path(a, s, l.v[i], v, &path, e) < 0 ||
		    path_among_add(a, &all, path, e) < 0)
			return -1;
	account_value_put(s, all, v);
	return 0;
}

static bool
setting_is_folder_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.p[i] < ' ' || name.p[i] == 0x7f)
			return false;
	return name.n > 0 && utf8_valid(name);
}

/* Each of them, after those that it has, once. */
static int
setting_add_names(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e)
{
	struct strs l = rules_folders(a, account_value_text(s, v));
	struct strs more = rules_folders(a, text);
	struct str all = S("");

	for (size_t i = 0; i < more.n; i++)
		if (!str_among(&l, more.v[i]))
			str_push(a, &l, more.v[i]);
	for (size_t i = 0; i < l.n; i++) {
		if (!setting_is_folder_name(l.v[i]))
			return err_set(e, ERR_USAGE,
			    "%.*s takes names of folders, with commas between "
			    "them",
			    STR_ARG(setting_option(a, s)));
		all = str_fmt(a, "%.*s%s%.*s", STR_ARG(all), i > 0 ? "," : "",
		    STR_ARG(l.v[i]));
	}
	if (l.n > LIMIT_ORGANISE_FOLDERS || all.n > LIMIT_FOLDERS_TEXT)
		return err_set(e, ERR_LIMIT,
		    "at most %d folders, with %d bytes of names together",
		    LIMIT_ORGANISE_FOLDERS, LIMIT_FOLDERS_TEXT);
	account_value_put(s, all, v);
	return 0;
}

static int
setting_put_address(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e)
{
	struct str address = S("");

	if (text.n > 0 && rules_address(a, text, &address, e) < 0)
		return err_because(e, "--%s", s->name);
	account_value_put(s, address, v);
	return 0;
}

static int
setting_put_number(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e)
{
	uint32_t n = 0;
	uint32_t max = s->type == SETTING_MINUTES ? TAINT_MAX
	    : s->type == SETTING_PORT             ? UINT16_MAX
						  : UINT32_MAX;
	bool off = s->type == SETTING_MINUTES && str_eq(text, S("off"));

	if (!off && !str_to_u32(text, max, &n))
		return err_set(e, ERR_USAGE, "%.*s is %s, at most %u",
		    STR_ARG(setting_option(a, s)),
		    s->type == SETTING_MINUTES ? "off or minutes" : "a number",
		    max);
	account_value_count(s, n, v);
	return 0;
}

static int
setting_put_word(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e)
{
	/* An option without a value means "true". */
	if (s->type == SETTING_FLAG && str_eq(text, S("true")))
		text = S("on");
	if (account_value_take(s, text, v))
		return 0;
	return err_set(e, ERR_USAGE, "%.*s is one of %s",
	    STR_ARG(setting_option(a, s)), s->choices);
}

int
setting_put(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e)
{
	switch (s->type) {
	case SETTING_ADDRESS:
		return setting_put_address(a, s, text, v, e);
	case SETTING_FILE:
	case SETTING_MAIL:
		return setting_put_path(a, s, text, v, e);
	case SETTING_SIGNATURE:
		return setting_signature_put(a, s, text, v, e);
	case SETTING_FOLDERS:
		account_value_put(s, S(""), v);
		return setting_add_folders(a, s, text, v, e);
	case SETTING_NAMES:
		account_value_put(s, S(""), v);
		return setting_add_names(a, s, text, v, e);
	case SETTING_CHOICE:
	case SETTING_SWITCH:
	case SETTING_FLAG:
		return setting_put_word(a, s, text, v, e);
	case SETTING_PORT:
	case SETTING_COUNT:
	case SETTING_MINUTES:
		return setting_put_number(a, s, text, v, e);
	case SETTING_TEXT:
	case SETTING_BACKEND:
	case SETTING_LOGIN:
	case SETTING_HOST:
	case SETTING_URL:
	case SETTING_PIN:
	case SETTING_AUTHSERV:
	case SETTING_REGEX:
	case SETTING_WORD:
	case SETTING_SECURITY:
	case SETTING_MODEL:
	case SETTING_SKILLS:
	case SETTING_TRANSCRIPTS:
	case SETTING_NOTIFY:
		break;
	}
	account_value_put(s, text, v);
	return 0;
}

/* Only folders may be given more than once. */
static int
setting_put_all(struct arena *a, const struct setting *s,
    const struct strs *given, struct store_account *v, struct err *e)
{
	int r = setting_put(a, s, given->v[0], v, e);

	for (size_t i = 1; i < given->n && r == 0; i++)
		r = s->type == SETTING_NAMES
		    ? setting_add_names(a, s, given->v[i], v, e)
		    : setting_add_folders(a, s, given->v[i], v, e);
	return r;
}

/* RFC 8314 section 3.2 and 3.3, RFC 9051 section 2.1, RFC 6409. */
struct str
setting_port_kind(uint16_t port)
{
	switch (port) {
	case 993:
	case 465:
		return S("tls");
	case 143:
	case 587:
		return S("starttls");
	default:
		return S("");
	}
}

int
setting_apply(struct arena *a, const struct args *given,
    struct store_account *v, struct err *e)
{
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		struct str kind;

		if (args_has(given, s->name)) {
			if (setting_put_all(a, s, args_list(given, s->name), v,
				e) < 0)
				return -1;
		} else if (s->type == SETTING_SECURITY &&
		    args_has(given, s[-1].name)) {
			kind = setting_port_kind(
			    (uint16_t)account_value_number(&s[-1], v));
			if (kind.n > 0)
				account_value_put(s, kind, v);
		}
	}
	return 0;
}

/* A server's port and TLS; without a server there is neither. */
static void
setting_server_defaults(struct str host, struct str *security, uint16_t *port,
    uint16_t tls, uint16_t starttls)
{
	if (host.n == 0) {
		*security = S("");
		*port = 0;
		return;
	}
	if (security->n == 0)
		*security = S("tls");
	if (*port == 0)
		*port = str_eq(*security, S("tls")) ? tls : starttls;
}

void
setting_defaults(struct store_account *v)
{
	/* As in setting_port_kind(). */
	setting_server_defaults(v->imap_host, &v->imap_security, &v->imap_port,
	    993, 143);
	setting_server_defaults(v->smtp_host, &v->smtp_security, &v->smtp_port,
	    465, 587);
}
