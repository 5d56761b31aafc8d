/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of a start override the declaration, that overrides the
 * environment, and that overrides the defaults; each member on its own.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "runtime/runtime.h"

#define ENV_ROOT "HOUMAO_GLOBAL_MAILBOX_DIR"
#define ENV_BASE "HOUMAO_STALWART_BASE_URL"

/* A member, and its source. */
struct effective_value {
	struct str s;
	const char *name; /* its name in that source */
	enum err_kind kind;
	const struct declaration_field *of;
};

/* The error for a wrong value: names it, and says what it must be. */
static int
effective_refuse(const struct effective_value *v, const char *what,
    struct err *e)
{
	return err_set(e, v->kind, "%s %s", v->name, what);
}

/*
 * As given or declared; s.p is NULL if neither, and then the name is the
 * option's.
 */
static struct effective_value
effective_said(const struct effective_in *in, size_t at)
{
	const struct declaration_field *f = declaration_fields;
	struct effective_value v = { .kind = ERR_USAGE };

	while (f->at != at)
		f++;
	v.of = f;
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
effective_env(const struct effective_in *in, const char *name,
    const struct declaration_field *of)
{
	return (struct effective_value){ str_of(in->env(name)), name,
		ERR_CONFIG, of };
}

/* Given values must be for the transport in use, and not blank. */
static int
effective_check(const struct effective_value *v, struct err *e)
{
	const char *wrong = v->of->wrong(v->s);

	if (wrong == NULL)
		return 0;
	return err_set(e, v->kind, "%s %s; give %s", v->name, wrong,
	    v->of->option);
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
	if (effective_check(&who, e) < 0)
		return -1;
	if (where.s.p == NULL) {
		where.s = name_address(a, who.s);
		where.name = "the address made of the principal";
	}
	if (effective_check(&where, e) < 0)
		return -1;
	b->principal_id = str_dup(a, who.s);
	b->address = str_dup(a, where.s);
	return 0;
}

/* Adds the segments of a path; ".." removes one, but never the root. */
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

	if (effective_check(v, e) < 0)
		return -1;
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

/* The folder of settings, as in the XDG Base Directory Specification. */
static int
effective_default_root(const struct effective_in *in,
    const struct declaration_field *of, struct arena *a, struct str *out,
    struct err *e)
{
	struct effective_value v = effective_env(in, "XDG_CONFIG_HOME", of);

	if (!str_starts(v.s, S("/"))) {
		v = effective_env(in, "HOME", of);
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
	v = effective_env(in, ENV_ROOT, v.of);
	if (v.s.n == 0)
		return effective_default_root(in, v.of, a, out, e);
	if (!str_starts(v.s, S("/")))
		return effective_refuse(&v, "is not an absolute path", e);
	return effective_path(&v, S("/"), a, out, e);
}

/* Is the path equal to the folder, or below it? */
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

/* The given URL, or the base with `end` appended. */
static int
effective_url(const struct effective_in *in, struct effective_value v,
    const char *end, struct arena *a, struct str *out, struct err *e)
{
	const char *option = v.name;

	if (v.s.p == NULL) {
		v = SAID(in, base_url);
		if (v.s.p == NULL)
			v = effective_env(in, ENV_BASE, v.of);
		if (v.s.n == 0)
			return err_set(e, ERR_USAGE,
			    "%s is not known: give "
			    "--mailbox-stalwart-base-url or set " ENV_BASE,
			    option);
		while (str_ends(v.s, S("/")))
			v.s.n--;
		if (effective_check(&v, e) < 0)
			return -1;
		v.s = str_fmt(a, "%.*s%s", STR_ARG(v.s), end);
	}
	if (effective_check(&v, e) < 0)
		return -1;
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
	if (effective_check(&login, e) < 0)
		return -1;
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

	if (declaration_check(in->given, b.transport, e) < 0)
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
