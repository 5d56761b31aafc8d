/*
 * What a start is given goes before what is declared, that before the
 * environment, and that before the defaults; each member for itself.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "runtime/runtime.h"

#define ENV_ROOT "HOUMAO_GLOBAL_MAILBOX_DIR"
#define ENV_BASE "HOUMAO_STALWART_BASE_URL"

/* A member, and who said it. */
struct effective_value {
	struct str s;
	const char *name; /* as it is called there */
	enum err_kind kind;
};

/* How a value that is wrong is called, and what it would have to be. */
static int
effective_refuse(const struct effective_value *v, const char *what,
    struct err *e)
{
	return err_set(e, v->kind, "%s %s", v->name, what);
}

/* As it was given or declared; s.p is NULL where it was neither, and then the
 * name is the option's. */
static struct effective_value
effective_said(const struct effective_in *in, size_t at)
{
	const struct declaration_field *f = declaration_fields;
	struct effective_value v = { .kind = ERR_USAGE };

	while (f->at != at)
		f++;
	v.name = f->option;
	v.s = declaration_get(in->given, f);
	if (v.s.p != NULL || f->key == NULL ||
	    declaration_get(in->declared, f).p == NULL)
		return v;
	v.kind = ERR_CONFIG;
	v.name = f->key;
	v.s = declaration_get(in->declared, f);
	return v;
}

#define SAID(in, name) effective_said(in, offsetof(struct declaration, name))

static struct effective_value
effective_env(const struct effective_in *in, const char *name)
{
	return (
	    struct effective_value){ str_of(in->env(name)), name, ERR_CONFIG };
}

/* What is given must be of the transport that is used, and not blank. */
static int
effective_check_given(const struct effective_in *in, enum transport t,
    struct err *e)
{
	for (const struct declaration_field *f = declaration_fields;
	     f->option != NULL; f++) {
		struct str s = declaration_get(in->given, f);

		if (s.p == NULL)
			continue;
		if (str_trim(s).n == 0)
			return err_set(e, ERR_USAGE, "%s is blank", f->option);
		if (t == TRANSPORT_NONE)
			return err_set(e, ERR_USAGE,
			    "%s is given, but no mailbox: give "
			    "--mailbox-transport filesystem or stalwart",
			    f->option);
		if (f->of != TRANSPORT_NONE && f->of != t)
			return err_set(e, ERR_USAGE,
			    "%s has no effect on transport %s: leave it out",
			    f->option, transport_name(t));
	}
	return 0;
}

static int
effective_identity(const struct effective_in *in, struct arena *a,
    struct binding *b, struct err *e)
{
	struct effective_value who = SAID(in, principal_id);
	struct effective_value where = SAID(in, address);

	if (who.s.p == NULL) {
		who.s = name_principal(a, in->agent, in->tool, in->role);
		who.name = "the name of the agent";
	}
	if (!name_is_principal(who.s))
		return effective_refuse(&who,
		    "is no principal: it has letters, digits and \"._-\"; give "
		    "--mailbox-principal-id",
		    e);
	if (str_eq(who.s, S(NAME_OPERATOR)))
		return effective_refuse(&who,
		    "is the operator's own: give another "
		    "--mailbox-principal-id",
		    e);
	if (where.s.p == NULL) {
		where.s = name_address(a, who.s);
		where.name = "the address made of the principal";
	}
	if (!name_is_address(where.s))
		return effective_refuse(&where,
		    "is no address: it is LOCAL@DOMAIN, of letters, digits and "
		    "\"._+-\"; give --mailbox-address",
		    e);
	if (name_is_reserved(where.s))
		return effective_refuse(&where,
		    "is reserved: at " NAME_DOMAIN " no address begins with "
		    "\"" NAME_PREFIX "\"; give --mailbox-address",
		    e);
	b->principal_id = str_dup(a, who.s);
	b->address = str_dup(a, where.s);
	return 0;
}

/* Adds the segments of a path; ".." takes one away, and never the root. */
static void
effective_add_path(struct buf *b, struct str path)
{
	struct str one;

	while (path.n > 0) {
		str_cut(path, '/', &one, &path);
		if (one.n == 0 || str_eq(one, S(".")))
			continue;
		if (str_eq(one, S(".."))) {
			while (b->n > 0 && b->p[--b->n] != '/')
				;
			continue;
		}
		buf_char(b, '/');
		buf_str(b, one);
	}
}

/* An absolute path without "." and ".."; `below` is for a relative one. */
static int
effective_path(const struct effective_value *v, struct str below,
    struct arena *a, struct str *out, struct err *e)
{
	struct buf b;

	for (size_t i = 0; i < v->s.n; i++)
		if ((unsigned char)v->s.p[i] < ' ' || v->s.p[i] == 0x7f)
			return effective_refuse(v,
			    "has a control character in its path", e);
	if (!utf8_valid(v->s))
		return effective_refuse(v, "is a path that is not UTF-8", e);
	buf_init(&b, a, LIMIT_PATH - 1);
	if (!str_starts(v->s, S("/")))
		effective_add_path(&b, below);
	effective_add_path(&b, v->s);
	if (b.over)
		return effective_refuse(v, "is a path that is too long", e);
	if (b.n == 0)
		return effective_refuse(v, "is no folder for a mailbox", e);
	*out = buf_view(&b);
	return 0;
}

/* The folder of settings, as the XDG Base Directory Specification has it. */
static int
effective_default_root(const struct effective_in *in, struct arena *a,
    struct str *out, struct err *e)
{
	struct effective_value v = effective_env(in, "XDG_CONFIG_HOME");

	if (!str_starts(v.s, S("/"))) {
		v = effective_env(in, "HOME");
		if (!str_starts(v.s, S("/")))
			return err_set(e, ERR_CONFIG,
			    "HOME names no folder: give --mailbox-root");
		v.s = str_fmt(a, "%.*s/.config", STR_ARG(v.s));
	}
	v.s = str_fmt(a, "%.*s/houmao/mailbox", STR_ARG(v.s));
	return effective_path(&v, S("/"), a, out, e);
}

static int
effective_root(const struct effective_in *in, struct arena *a, struct str *out,
    struct err *e)
{
	struct effective_value v = SAID(in, filesystem_root);

	if (v.s.p != NULL)
		return effective_path(&v,
		    v.kind == ERR_USAGE ? in->workdir : in->runtime_root, a,
		    out, e);
	v = effective_env(in, ENV_ROOT);
	if (v.s.n == 0)
		return effective_default_root(in, a, out, e);
	if (!str_starts(v.s, S("/")))
		return effective_refuse(&v, "is not an absolute path", e);
	return effective_path(&v, S("/"), a, out, e);
}

/* Is the path the folder, or below it? */
static bool
effective_is_below(struct str path, struct str folder)
{
	return str_starts(path, folder) &&
	    (path.n == folder.n ||
		str_starts(str_from(path, folder.n), S("/")));
}

static int
effective_filesystem(const struct effective_in *in, struct arena *a,
    struct binding *b, struct err *e)
{
	struct effective_value own = SAID(in, account_dir);

	if (effective_root(in, a, &b->filesystem_root, e) < 0)
		return -1;
	if (own.s.p == NULL) {
		b->mailbox_path = str_fmt(a, "%.*s/mailboxes/%.*s",
		    STR_ARG(b->filesystem_root), STR_ARG(b->address));
		return 0;
	}
	b->kind = BINDING_SYMLINK;
	if (effective_path(&own, in->workdir, a, &b->mailbox_path, e) < 0)
		return -1;
	if (effective_is_below(b->mailbox_path, b->filesystem_root) ||
	    effective_is_below(b->filesystem_root, b->mailbox_path))
		return effective_refuse(&own,
		    "and the root must not be in one another", e);
	return 0;
}

/* The URL that was said, or the base with `end` behind it. */
static int
effective_url(const struct effective_in *in, struct effective_value v,
    const char *end, struct arena *a, struct str *out, struct err *e)
{
	const char *option = v.name;

	if (v.s.p == NULL) {
		v = SAID(in, base_url);
		if (v.s.p == NULL)
			v = effective_env(in, ENV_BASE);
		if (v.s.n == 0)
			return err_set(e, ERR_USAGE,
			    "%s is not known: give "
			    "--mailbox-stalwart-base-url or set " ENV_BASE,
			    option);
		while (str_ends(v.s, S("/")))
			v.s.n--;
		if (str_has_char(v.s, '?'))
			return effective_refuse(&v,
			    "has a query, behind which nothing can be added",
			    e);
		v.s = str_fmt(a, "%.*s%s", STR_ARG(v.s), end);
	}
	if (!name_is_url(v.s))
		return effective_refuse(&v,
		    "is no address of a server: it is https://HOST/PATH, "
		    "without user name and password",
		    e);
	*out = str_dup(a, v.s);
	return 0;
}

static int
effective_stalwart(const struct effective_in *in, struct arena *a,
    struct binding *b, struct err *e)
{
	struct effective_value login = SAID(in, login_identity);

	if (effective_url(in, SAID(in, jmap_url), "/jmap", a, &b->jmap_url, e) <
		0 ||
	    effective_url(in, SAID(in, management_url), "/api", a,
		&b->management_url, e) < 0)
		return -1;
	if (login.s.p == NULL)
		login.s = b->address;
	if (login.s.n > LIMIT_AGENT_ADDRESS || str_has_char(login.s, ':'))
		return effective_refuse(&login, "is no login", e);
	for (size_t i = 0; i < login.s.n; i++)
		if ((unsigned char)login.s.p[i] <= ' ' ||
		    (unsigned char)login.s.p[i] >= 0x7f)
			return effective_refuse(&login, "is no login", e);
	b->login_identity = str_dup(a, login.s);
	b->credential_ref = credential_ref(a, b->jmap_url, b->address);
	return 0;
}

int
effective_binding(const struct effective_in *in, struct arena *a,
    struct binding *out, struct err *e)
{
	const struct declaration *d =
	    in->given->said ? in->given : in->declared;
	struct binding b = { .transport = d->transport };

	if (effective_check_given(in, b.transport, e) < 0)
		return -1;
	if (b.transport != TRANSPORT_NONE &&
	    effective_identity(in, a, &b, e) < 0)
		return -1;
	if (b.transport == TRANSPORT_FILESYSTEM &&
	    effective_filesystem(in, a, &b, e) < 0)
		return -1;
	if (b.transport == TRANSPORT_STALWART &&
	    effective_stalwart(in, a, &b, e) < 0)
		return -1;
	*out = b;
	return 0;
}
