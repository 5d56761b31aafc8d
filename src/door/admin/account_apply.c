/*
 * The options of account add and account edit, put into an account.  Paths are
 * made absolute, so that what is in the store can be used from any folder.
 */
#include <limits.h>
#include <sys/stat.h>

#include "door/admin/account.h"
#include "door/argv.h"
#include "gate/rules.h"

static bool
given(const struct admin_call *c, const char *name)
{
	return args_has(c->args, name);
}

static bool
is_on(const struct admin_call *c, const char *name)
{
	struct str s = args_text(c->args, name);

	/* A flag's value is "true". */
	return str_eq(s, S("on")) || str_eq(s, S("true"));
}

static void
apply_texts(const struct admin_call *c, struct store_account *v)
{
	const struct {
		const char *name;
		struct str *to;
	} texts[] = {
		{ "backend", &v->backend },
		{ "username", &v->username },
		{ "auth", &v->auth_type },
		{ "imap_host", &v->imap_host },
		{ "imap_security", &v->imap_security },
		{ "smtp_host", &v->smtp_host },
		{ "smtp_security", &v->smtp_security },
		{ "pin", &v->tls_pin },
		{ "subject_regex", &v->subject_regex },
		{ "authserv_id", &v->authserv_id },
		{ "url", &v->url },
		{ "list_folder", &v->list_folder },
		{ "drafts_folder", &v->drafts_folder },
		{ "sent_folder", &v->sent_folder },
		{ "thread_url", &v->thread_url },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (given(c, texts[i].name))
			*texts[i].to = args_text(c->args, texts[i].name);
}

/* RFC 8314 section 3.2 and 3.3, RFC 9051 section 2.1, RFC 6409. */
struct str
account_apply_port_kind(uint16_t port)
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

/* A port brings its kind of TLS along, unless that is said as well. */
static void
apply_port(const struct admin_call *c, const char *port, const char *security,
    uint16_t *to_port, struct str *to_security)
{
	struct str kind;

	*to_port = (uint16_t)args_count(c->args, port, *to_port);
	kind = account_apply_port_kind(*to_port);
	if (given(c, port) && !given(c, security) && kind.n > 0)
		*to_security = kind;
}

static void
apply_switches(const struct admin_call *c, struct store_account *v)
{
	if (given(c, "mode"))
		v->mode = str_eq(args_text(c->args, "mode"), S("RW")) ? MODE_RW
								      : MODE_RO;
	if (given(c, "whitelist_in"))
		v->in_on = is_on(c, "whitelist_in");
	if (given(c, "whitelist_auth"))
		v->in_dmarc =
		    str_eq(args_text(c->args, "whitelist_auth"), S("dmarc"));
	if (given(c, "whitelist_out"))
		v->out_on = is_on(c, "whitelist_out");
	if (given(c, "process_backlog"))
		v->process_backlog = is_on(c, "process_backlog");
	if (given(c, "quirk_sasl_ir"))
		v->quirk_no_sasl_ir = !is_on(c, "quirk_sasl_ir");
	if (given(c, "sent_copy"))
		v->no_sent_copy = !is_on(c, "sent_copy");
	if (given(c, "quirk_id")) {
		v->quirk_id = is_on(c, "quirk_id") ? STORE_ID_ON : STORE_ID_OFF;
		if (str_eq(args_text(c->args, "quirk_id"), S("auto")))
			v->quirk_id = STORE_ID_AUTO;
	}
}

static int
apply_address(const struct admin_call *c, const char *name, struct str *out,
    struct err *e)
{
	struct str text = args_text(c->args, name);

	if (!given(c, name))
		return 0;
	*out = S("");
	if (text.n > 0 && rules_address(c->arena, text, out, e) < 0)
		return err_because(e, "--%s", name);
	return 0;
}

enum path_kind {
	PATH_FILE,
	PATH_FOLDER,
	PATH_EITHER,
};

static bool
is_kind(const struct stat *st, enum path_kind kind)
{
	return (kind != PATH_FILE && S_ISDIR(st->st_mode)) ||
	    (kind != PATH_FOLDER && S_ISREG(st->st_mode));
}

/* The absolute path of something that is there and is of that kind. */
static int
apply_path(const struct admin_call *c, const char *name, enum path_kind kind,
    struct str *out, struct err *e)
{
	struct str text = args_text(c->args, name);
	struct str option = argv_spell(c->arena, name);
	char real[PATH_MAX];
	struct stat st;

	if (!given(c, name))
		return 0;
	*out = S("");
	if (text.n == 0)
		return 0;
	if (realpath(str_c(c->arena, text), real) == NULL ||
	    stat(real, &st) < 0 || access(real, R_OK) < 0) {
		(void)err_set(e, ERR_USAGE, "--%.*s cannot be read",
		    STR_ARG(option));
		return err_errno(e, "realpath");
	}
	if (!is_kind(&st, kind))
		return err_set(e, ERR_USAGE, "--%.*s is no %s", STR_ARG(option),
		    kind == PATH_FOLDER ? "folder" : "file");
	*out = str_dup(c->arena, str_of(real));
	return 0;
}

int
account_apply(const struct admin_call *c, struct store_account *v,
    struct err *e)
{
	enum path_kind mail;

	apply_texts(c, v);
	apply_port(c, "imap_port", "imap_security", &v->imap_port,
	    &v->imap_security);
	apply_port(c, "smtp_port", "smtp_security", &v->smtp_port,
	    &v->smtp_security);
	apply_switches(c, v);
	mail = str_eq(v->backend, S("mbox")) ? PATH_EITHER : PATH_FOLDER;
	if (apply_address(c, "from", &v->from_addr, e) < 0 ||
	    apply_address(c, "list", &v->list, e) < 0 ||
	    account_reach_apply(c, v, e) < 0 ||
	    apply_path(c, "ca", PATH_FILE, &v->ca_file, e) < 0 ||
	    apply_path(c, "path", mail, &v->path, e) < 0 ||
	    apply_path(c, "attach_dir", PATH_FOLDER, &v->attach_dir, e) < 0)
		return -1;
	return 0;
}

/* A server's port and TLS; without a server there is neither. */
static void
server_defaults(struct str host, struct str *security, uint16_t *port,
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
account_apply_defaults(struct store_account *v)
{
	/* As account_apply_port_kind() has it. */
	server_defaults(v->imap_host, &v->imap_security, &v->imap_port, 993,
	    143);
	server_defaults(v->smtp_host, &v->smtp_security, &v->smtp_port, 465,
	    587);
}
