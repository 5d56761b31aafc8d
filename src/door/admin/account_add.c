/*
 * emcli account add.  Everything is checked here, and paths made absolute, so
 * that what is in the store can be used from any folder.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/base64.h"
#include "base/path.h"
#include "door/admin/internal.h"
#include "door/argv.h"
#include "door/out.h"
#include "gate/rules.h"

enum {
	NAME_MAX_BYTES = 64,
	HOST_MAX_BYTES = 253,
	PIN_BYTES = 32
};

const struct arg_spec account_add_args[] = {
	{ .name = "name",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "what agents call the account: letters, digits, . _ -" },
	{ .name = "backend",
	    .type = ARG_TEXT,
	    .help = "where the mail is: imap or maildir",
	    .def = "imap" },
	{ .name = "mode",
	    .type = ARG_CHOICE,
	    .help = "RO: read only; RW: may also send",
	    .choices = "RO|RW",
	    .def = "RO" },
	{ .name = "from",
	    .type = ARG_ADDRESS,
	    .help = "address mail is sent from; --username when that is one" },
	{ .name = "username", .type = ARG_TEXT, .help = "who logs in" },
	{ .name = "auth",
	    .type = ARG_CHOICE,
	    .help = "oauth2: the secret is an access token; a token given "
		    "this way is not refreshed",
	    .choices = "password|oauth2",
	    .def = "password" },
	{ .name = "password_file",
	    .type = ARG_PATH,
	    .help = "file the password or token is read from, once" },
	{ .name = "password_stdin",
	    .type = ARG_FLAG,
	    .help = "read it from standard input" },
	{ .name = "imap_host", .type = ARG_TEXT, .help = "IMAP server" },
	{ .name = "imap_port",
	    .type = ARG_COUNT,
	    .help = "its port; 993 with tls, 143 with starttls",
	    .min = 1,
	    .max = 65535 },
	{ .name = "imap_security",
	    .type = ARG_CHOICE,
	    .help = "TLS from the start, or by STARTTLS",
	    .choices = "tls|starttls",
	    .def = "tls" },
	{ .name = "smtp_host",
	    .type = ARG_TEXT,
	    .help = "submission server; none: the account cannot send" },
	{ .name = "smtp_port",
	    .type = ARG_COUNT,
	    .help = "its port; 465 with tls, 587 with starttls",
	    .min = 1,
	    .max = 65535 },
	{ .name = "smtp_security",
	    .type = ARG_CHOICE,
	    .help = "TLS from the start, or by STARTTLS",
	    .choices = "tls|starttls",
	    .def = "tls" },
	{ .name = "ca",
	    .type = ARG_PATH,
	    .help = "PEM file of a private CA, in place of the system's" },
	{ .name = "pin",
	    .type = ARG_TEXT,
	    .help = "base64 of the SHA-256 of the server's public key (SPKI)" },
	{ .name = "path",
	    .type = ARG_PATH,
	    .help = "the Maildir, with --backend maildir" },
	{ .name = "whitelist_in",
	    .type = ARG_CHOICE,
	    .help = "on: only listed senders are visible",
	    .choices = "on|off",
	    .def = "off" },
	{ .name = "whitelist_out",
	    .type = ARG_CHOICE,
	    .help = "on: only listed recipients may be written to",
	    .choices = "on|off",
	    .def = "off" },
	{ .name = "subject_regex",
	    .type = ARG_TEXT,
	    .help =
		"only mail with a subject that matches is visible (PCRE2)" },
	{ .name = "process_backlog",
	    .type = ARG_FLAG,
	    .help = "mail that is there already counts as new" },
	{ .name = "attach_dir",
	    .type = ARG_PATH,
	    .help = "the only folder attachments may be sent from" },
	{ 0 },
};

static struct str
text(const struct admin_call *c, const char *name)
{
	return args_text(c->args, name);
}

static int
set_name(const struct admin_call *c, struct store_account *v, struct err *e)
{
	static const struct str allowed =
	    SI("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	       "0123456789._-");

	v->name = text(c, "name");
	if (v->name.n == 0 || v->name.n > NAME_MAX_BYTES || v->name.p[0] == '-')
		return err_set(e, ERR_USAGE,
		    "a name has 1 to 64 characters and begins with no -");
	for (size_t i = 0; i < v->name.n; i++)
		if (!str_has_char(allowed, v->name.p[i]))
			return err_set(e, ERR_USAGE,
			    "a name is made of letters, digits, . _ and -");
	return 0;
}

/* An option that means nothing to this backend is a mistake, not a whim. */
static int
set_backend(const struct admin_call *c, struct store_account *v, struct err *e)
{
	static const char *const imap[] = { "imap_host", "imap_port",
		"imap_security" };
	bool is_imap;

	v->backend = text(c, "backend");
	if (!rules_backend(v->backend))
		return err_set(e, ERR_USAGE, "unknown backend %.*s",
		    STR_ARG(out_quote(c->arena, v->backend)));
	is_imap = str_eq(v->backend, S("imap"));
	if (is_imap && args_has(c->args, "path"))
		return err_set(e, ERR_USAGE,
		    "--path does not go with --backend imap");
	if (is_imap && !args_has(c->args, "imap_host"))
		return err_set(e, ERR_USAGE, "--imap-host is missing");
	for (int i = 0; i < 3 && !is_imap; i++)
		if (args_has(c->args, imap[i]))
			return err_set(e, ERR_USAGE,
			    "--%.*s does not go with --backend %.*s",
			    STR_ARG(argv_spell(c->arena, imap[i])),
			    STR_ARG(v->backend));
	if (!is_imap && !args_has(c->args, "path"))
		return err_set(e, ERR_USAGE, "--path is missing");
	return 0;
}

/* Host names go to the resolver and into TLS; nothing else may ride along. */
static int
read_host(const struct admin_call *c, const char *name, struct str *out,
    struct err *e)
{
	struct str host = text(c, name);

	for (size_t i = 0; i < host.n; i++)
		if ((unsigned char)host.p[i] <= ' ' || host.p[i] == 0x7f ||
		    host.p[i] == '/' || host.p[i] == '@')
			host.n = 0;
	if (host.n == 0 || host.n > HOST_MAX_BYTES || host.p[0] == '-')
		return err_set(e, ERR_USAGE, "--%.*s is no host name",
		    STR_ARG(argv_spell(c->arena, name)));
	*out = host;
	return 0;
}

static uint16_t
port(const struct admin_call *c, const char *name, struct str security,
    uint16_t tls, uint16_t starttls)
{
	bool later = str_eq(security, S("starttls"));

	return (uint16_t)args_count(c->args, name, later ? starttls : tls);
}

static int
set_servers(const struct admin_call *c, struct store_account *v, struct err *e)
{
	bool send = args_has(c->args, "smtp_host");

	if (args_has(c->args, "imap_host")) {
		if (read_host(c, "imap_host", &v->imap_host, e) < 0)
			return -1;
		v->imap_security = text(c, "imap_security");
		v->imap_port = port(c, "imap_port", v->imap_security, 993, 143);
	}
	if (!send &&
	    (args_has(c->args, "smtp_port") ||
		args_has(c->args, "smtp_security")))
		return err_set(e, ERR_USAGE, "--smtp-host is missing");
	if (send) {
		if (read_host(c, "smtp_host", &v->smtp_host, e) < 0)
			return -1;
		v->smtp_security = text(c, "smtp_security");
		v->smtp_port = port(c, "smtp_port", v->smtp_security, 465, 587);
	}
	return 0;
}

/* Needs the servers. */
static int
set_identity(const struct admin_call *c, struct store_account *v, struct err *e)
{
	struct err none = { 0 };

	v->username = text(c, "username");
	v->auth_type = text(c, "auth");
	if (v->imap_host.n > 0 && v->username.n == 0)
		return err_set(e, ERR_USAGE, "--username is missing");
	if (args_has(c->args, "from")) {
		if (rules_address(c->arena, text(c, "from"), &v->from_addr, e) <
		    0)
			return err_because(e, "--from");
	} else if (v->username.n > 0) {
		(void)rules_address(c->arena, v->username, &v->from_addr,
		    &none);
	}
	if (v->mode == MODE_RW && v->from_addr.n == 0)
		return err_set(e, ERR_USAGE,
		    "--from is missing: an RW account needs an address");
	return 0;
}

/* The absolute path of something that is there and is of that kind. */
static int
read_path(const struct admin_call *c, const char *name, bool folder,
    struct str *out, struct err *e)
{
	struct str option = argv_spell(c->arena, name);
	char real[PATH_MAX];
	struct stat st;

	if (!args_has(c->args, name))
		return 0;
	if (realpath(str_c(c->arena, text(c, name)), real) == NULL ||
	    stat(real, &st) < 0 || access(real, R_OK) < 0) {
		(void)err_set(e, ERR_USAGE, "--%.*s cannot be read",
		    STR_ARG(option));
		return err_errno(e, "realpath");
	}
	if (folder ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode))
		return err_set(e, ERR_USAGE, "--%.*s is no %s", STR_ARG(option),
		    folder ? "folder" : "file");
	*out = str_dup(c->arena, str_of(real));
	return 0;
}

static int
set_tls(const struct admin_call *c, struct store_account *v, struct err *e)
{
	unsigned char raw[3 * 64 / 4 + 3];

	v->tls_pin = text(c, "pin");
	if (v->tls_pin.n > 0 &&
	    (v->tls_pin.n > 64 || base64_decode(raw, v->tls_pin) != PIN_BYTES))
		return err_set(e, ERR_USAGE,
		    "--pin is the base64 of 32 bytes: emcli doctor shows it");
	return read_path(c, "ca", false, &v->ca_file, e);
}

static int
set_policy(const struct admin_call *c, struct store_account *v, struct err *e)
{
	v->mode = str_eq(text(c, "mode"), S("RW")) ? MODE_RW : MODE_RO;
	v->outbound = OUTBOUND_SEND;
	v->in_on = str_eq(text(c, "whitelist_in"), S("on"));
	v->out_on = str_eq(text(c, "whitelist_out"), S("on"));
	v->process_backlog = args_has(c->args, "process_backlog");
	v->subject_regex = text(c, "subject_regex");
	if (v->subject_regex.n > 0 && rules_regex(v->subject_regex, e) < 0)
		return -1;
	return read_path(c, "attach_dir", true, &v->attach_dir, e);
}

static int
read_file(const struct admin_call *c, struct secret **out, struct err *e)
{
	struct str path = text(c, "password_file");
	CLEANUP(path_close)
	int fd = open(str_c(c->arena, path), O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0) {
		(void)err_set(e, ERR_USAGE, "--password-file cannot be read");
		return err_errno(e, "open");
	}
	return secret_read(fd, out, e);
}

/* From a file, a pipe or the keyboard; never from argv, which all can see. */
static int
read_secret(const struct admin_call *c, const struct store_account *v,
    struct secret **out, struct err *e)
{
	bool file = args_has(c->args, "password_file");
	bool in = args_has(c->args, "password_stdin");
	bool oauth = str_eq(v->auth_type, S("oauth2"));
	bool needed =
	    v->imap_host.n > 0 || (v->smtp_host.n > 0 && v->username.n > 0);
	int r;

	if (file && in)
		return err_set(e, ERR_USAGE,
		    "--password-file and --password-stdin exclude each other");
	if (!file && !in && !needed)
		return 0;
	if (file)
		r = read_file(c, out, e);
	else if (in)
		r = secret_read(STDIN_FILENO, out, e);
	else if (prompt_possible())
		r = prompt_secret(oauth ? "Access token: " : "Password: ", out,
		    e);
	else
		r = err_set(e, ERR_USAGE,
		    "give --password-file or --password-stdin");
	return r;
}

static void
tell(struct admin_call *c, const struct store_account *v)
{
	struct buf *b = c->out;

	buf_fmt(b, "added %.*s: %.*s, %s\n", STR_ARG(v->name),
	    STR_ARG(v->backend), account_mode(v->mode));
	if (v->in_on)
		buf_fmt(b,
		    "note: agents see no mail until emcli whitelist in add "
		    "--account %.*s\n",
		    STR_ARG(v->name));
	else
		buf_text(b,
		    "note: whitelist in is off: agents see mail from "
		    "anybody\n");
	if (v->mode == MODE_RW && v->imap_host.n > 0 && v->smtp_host.n == 0)
		buf_text(b, "note: no --smtp-host: it cannot send\n");
	else if (v->mode == MODE_RW && !v->out_on)
		buf_text(b,
		    "note: whitelist out is off: agents may write to "
		    "anybody\n");
	if (str_eq(v->auth_type, S("oauth2")) && v->username.n > 0)
		buf_text(b, "note: the access token is not refreshed\n");
	buf_fmt(b, "Next: emcli doctor --account %.*s\n", STR_ARG(v->name));
}

int
account_add_run(struct admin_call *c, struct err *e)
{
	CLEANUP(secret_close) struct secret *password = NULL;
	struct store_account v = { 0 }, old;
	struct err none = { 0 };

	if (set_name(c, &v, e) < 0 || set_backend(c, &v, e) < 0 ||
	    set_servers(c, &v, e) < 0 || set_policy(c, &v, e) < 0 ||
	    set_identity(c, &v, e) < 0 || set_tls(c, &v, e) < 0 ||
	    read_path(c, "path", true, &v.path, e) < 0)
		return -1;
	/* Before a password is asked for; store_account_add() says it again. */
	if (store_account_get(c->store, c->arena, v.name, &old, &none) == 0)
		return err_set(e, ERR_USAGE, "there is an account %.*s already",
		    STR_ARG(v.name));
	if (read_secret(c, &v, &password, e) < 0 ||
	    store_account_add(c->store, &v, password, e) < 0)
		return -1;
	tell(c, &v);
	return 0;
}
