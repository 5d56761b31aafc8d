/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "runtime/runtime.h"

/* The environment of the current row: "NAME=value", NULL after the last. */
static const char *const *environment;

static const char *
look_up(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < 4 && environment[i] != NULL; i++)
		if (strncmp(environment[i], name, n) == 0 &&
		    environment[i][n] == '=')
			return environment[i] + n + 1;
	return NULL;
}

#define HOME "HOME=/home/me"
#define REF "stalwart-writer-at-houmao-localhost-"
#define FS TRANSPORT_FILESYSTEM
#define SW TRANSPORT_STALWART

static const struct declaration fs = { .said = true, .transport = FS };
static const struct declaration sw = { .said = true, .transport = SW };

/*
 * The declared, given and environment values, and the resulting binding:
 * principal_id, address, then root and path, or both URLs, and the login.
 */
static struct row {
	const char *why;
	struct declaration declared, given;
	const char *env[4];
	const char *want; /* or the error */
	enum err_kind kind;
} rows[] = {
	{ "nothing is said", { 0 }, { 0 }, { HOME }, "none", ERR_NONE },
	{ "none is declared", { .said = true, .transport = TRANSPORT_NONE },
	    { 0 }, { HOME }, "none", ERR_NONE },
	{ "none is given over what is declared",
	    { .said = true, .transport = FS, .address = SI("a@b") },
	    { .said = true, .transport = TRANSPORT_NONE }, { HOME }, "none",
	    ERR_NONE },

	/* The defaults. */
	{ "filesystem, and all the rest by default",
	    { .said = true, .transport = FS }, { 0 }, { HOME },
	    "HOUMAO-writer writer@houmao.localhost "
	    "/home/me/.config/houmao/mailbox /home/me/.config/houmao/mailbox/"
	    "mailboxes/writer@houmao.localhost",
	    ERR_NONE },
	{ "the folder of settings is elsewhere",
	    { .said = true, .transport = FS }, { 0 },
	    { HOME, "XDG_CONFIG_HOME=/etc/me" },
	    "HOUMAO-writer writer@houmao.localhost /etc/me/houmao/mailbox "
	    "/etc/me/houmao/mailbox/mailboxes/writer@houmao.localhost",
	    ERR_NONE },
	{ "a relative one counts as none", { .said = true, .transport = FS },
	    { 0 }, { HOME, "XDG_CONFIG_HOME=etc" },
	    "HOUMAO-writer writer@houmao.localhost "
	    "/home/me/.config/houmao/mailbox /home/me/.config/houmao/mailbox/"
	    "mailboxes/writer@houmao.localhost",
	    ERR_NONE },
	{ "no home", { .said = true, .transport = FS }, { 0 }, { NULL },
	    "HOME names no folder: give --mailbox-root", ERR_CONFIG },
	{ "stalwart by its base in the environment",
	    { .said = true, .transport = SW }, { 0 },
	    { "HOUMAO_STALWART_BASE_URL=https://env.test/" },
	    "HOUMAO-writer writer@houmao.localhost https://env.test/jmap "
	    "https://env.test/api writer@houmao.localhost",
	    ERR_NONE },
	{ "stalwart without any URL", { .said = true, .transport = SW }, { 0 },
	    { HOME },
	    "--mailbox-stalwart-jmap-url is not known: give "
	    "--mailbox-stalwart-base-url or set HOUMAO_STALWART_BASE_URL",
	    ERR_USAGE },
	{ "stalwart with one of two URLs",
	    { .said = true,
		.transport = SW,
		.jmap_url = SI("https://d.test/j") },
	    { 0 }, { HOME },
	    "--mailbox-stalwart-management-url is not known: give "
	    "--mailbox-stalwart-base-url or set HOUMAO_STALWART_BASE_URL",
	    ERR_USAGE },

	/* Given, declared, environment, default: separately for each member. */
	{ "the environment goes before the default",
	    { .said = true, .transport = FS }, { 0 },
	    { HOME, "HOUMAO_GLOBAL_MAILBOX_DIR=/env/mail" },
	    "HOUMAO-writer writer@houmao.localhost /env/mail "
	    "/env/mail/mailboxes/writer@houmao.localhost",
	    ERR_NONE },
	{ "what is declared goes before the environment",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("HOUMAO-d"),
		.address = SI("d@x"),
		.filesystem_root = SI("/d/mail") },
	    { 0 }, { HOME, "HOUMAO_GLOBAL_MAILBOX_DIR=/env/mail" },
	    "HOUMAO-d d@x /d/mail /d/mail/mailboxes/d@x", ERR_NONE },
	{ "what is given goes before all",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("HOUMAO-d"),
		.address = SI("d@x"),
		.filesystem_root = SI("/d/mail") },
	    { .said = true,
		.transport = FS,
		.principal_id = SI("HOUMAO-g"),
		.address = SI("g@x"),
		.filesystem_root = SI("/g/mail") },
	    { HOME, "HOUMAO_GLOBAL_MAILBOX_DIR=/env/mail" },
	    "HOUMAO-g g@x /g/mail /g/mail/mailboxes/g@x", ERR_NONE },
	{ "one member is given, without a transport",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("HOUMAO-d"),
		.address = SI("d@x"),
		.filesystem_root = SI("/d/mail") },
	    { .address = SI("g@x") }, { HOME },
	    "HOUMAO-d g@x /d/mail /d/mail/mailboxes/g@x", ERR_NONE },
	{ "the address follows a principal that was given",
	    { .said = true, .transport = FS, .filesystem_root = SI("/d") },
	    { .principal_id = SI("HOUMAO-g") }, { HOME },
	    "HOUMAO-g g@houmao.localhost /d /d/mailboxes/g@houmao.localhost",
	    ERR_NONE },
	{ "a start alone names it all", { 0 },
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("/g") },
	    { NULL }, "p p@x /g /g/mailboxes/p@x", ERR_NONE },
	{ "URLs, declared and given",
	    { .said = true,
		.transport = SW,
		.jmap_url = SI("https://d.test/j"),
		.management_url = SI("https://d.test/m") },
	    { .jmap_url = SI("https://g.test/j"),
		.login_identity = SI("login") },
	    { "HOUMAO_STALWART_BASE_URL=https://env.test" },
	    "HOUMAO-writer writer@houmao.localhost https://g.test/j "
	    "https://d.test/m login",
	    ERR_NONE },
	{ "a URL goes before one that is derived",
	    { .said = true,
		.transport = SW,
		.jmap_url = SI("https://d.test/j") },
	    { .base_url = SI("https://g.test//") }, { HOME },
	    "HOUMAO-writer writer@houmao.localhost https://d.test/j "
	    "https://g.test/api writer@houmao.localhost",
	    ERR_NONE },
	{ "a base that is declared goes before the environment's",
	    { .said = true,
		.transport = SW,
		.base_url = SI("https://d.test/x") },
	    { 0 }, { "HOUMAO_STALWART_BASE_URL=https://env.test" },
	    "HOUMAO-writer writer@houmao.localhost https://d.test/x/jmap "
	    "https://d.test/x/api writer@houmao.localhost",
	    ERR_NONE },

	/* The transport changes. */
	{ "principal and address stay, the other transport's members do not",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("HOUMAO-d"),
		.address = SI("d@x"),
		.filesystem_root = SI("/d/mail") },
	    { .said = true, .transport = SW, .base_url = SI("https://g.test") },
	    { HOME }, "HOUMAO-d d@x https://g.test/jmap https://g.test/api d@x",
	    ERR_NONE },
	{ "and the other way round",
	    { .said = true,
		.transport = SW,
		.principal_id = SI("HOUMAO-d"),
		.address = SI("d@x"),
		.jmap_url = SI("https://d.test/j") },
	    { .said = true, .transport = FS, .filesystem_root = SI("/g") },
	    { HOME }, "HOUMAO-d d@x /g /g/mailboxes/d@x", ERR_NONE },
	{ "an option of the other transport", { .said = true, .transport = FS },
	    { .base_url = SI("https://g.test") }, { HOME },
	    "--mailbox-stalwart-base-url has no effect on transport "
	    "filesystem: leave it out",
	    ERR_USAGE },
	{ "a root for stalwart", { .said = true, .transport = FS },
	    { .said = true, .transport = SW, .filesystem_root = SI("/g") },
	    { HOME },
	    "--mailbox-root has no effect on transport stalwart: leave it out",
	    ERR_USAGE },
	{ "an option without a mailbox", { 0 }, { .filesystem_root = SI("/g") },
	    { HOME },
	    "--mailbox-root is given, but no mailbox: give "
	    "--mailbox-transport filesystem or stalwart",
	    ERR_USAGE },
	{ "an option beside none", { .said = true, .transport = FS },
	    { .said = true, .transport = TRANSPORT_NONE, .address = SI("a@b") },
	    { HOME },
	    "--mailbox-address is given, but no mailbox: give "
	    "--mailbox-transport filesystem or stalwart",
	    ERR_USAGE },
	{ "a blank option", { .said = true, .transport = FS },
	    { .address = SI(" ") }, { HOME }, "--mailbox-address is blank",
	    ERR_USAGE },

	/* Paths. */
	{ "a declared root is below the runtime root",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("team-mail") },
	    { 0 }, { HOME }, "p p@x /rt/team-mail /rt/team-mail/mailboxes/p@x",
	    ERR_NONE },
	{ "a root that is given is below the folder one is in",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("team-mail") },
	    { .filesystem_root = SI("./mail/") }, { HOME },
	    "p p@x /here/dir/mail /here/dir/mail/mailboxes/p@x", ERR_NONE },
	{ "dots in a path",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("../a/./b//../c/") },
	    { 0 }, { HOME }, "p p@x /a/c /a/c/mailboxes/p@x", ERR_NONE },
	{ "dots lead no higher than the top",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("/../../a") },
	    { 0 }, { HOME }, "p p@x /a /a/mailboxes/p@x", ERR_NONE },
	{ "the top is no root",
	    { .said = true, .transport = FS, .filesystem_root = SI("/..") },
	    { 0 }, { HOME }, "filesystem_root is no folder for a mailbox",
	    ERR_CONFIG },
	{ "a line end in a path",
	    { .said = true, .transport = FS, .filesystem_root = SI("/a\nb") },
	    { 0 }, { HOME },
	    "filesystem_root has a control character in its path; give "
	    "--mailbox-root",
	    ERR_CONFIG },
	{ "a NUL in a path", { .said = true, .transport = FS },
	    { .filesystem_root = SI("/a\0b") }, { HOME },
	    "--mailbox-root has a control character in its path", ERR_USAGE },
	{ "a path that is not UTF-8", { .said = true, .transport = FS },
	    { .filesystem_root = SI("/a\xFF") }, { HOME },
	    "--mailbox-root is a path that is not UTF-8", ERR_USAGE },
	{ "a relative path in the environment",
	    { .said = true, .transport = FS }, { 0 },
	    { HOME, "HOUMAO_GLOBAL_MAILBOX_DIR=mail" },
	    "HOUMAO_GLOBAL_MAILBOX_DIR is not an absolute path", ERR_CONFIG },
	{ "a folder of the user's own",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("/d") },
	    { .account_dir = SI("own") }, { HOME },
	    "p p@x /d /here/dir/own symlink", ERR_NONE },
	{ "a folder of one's own in the root",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("/d") },
	    { .account_dir = SI("/d/own") }, { HOME },
	    "mailbox_account_dir and the root must not be in one another",
	    ERR_USAGE },
	{ "by way of dots",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("/d") },
	    { .account_dir = SI("/e/../d/own") }, { HOME },
	    "mailbox_account_dir and the root must not be in one another",
	    ERR_USAGE },
	{ "the root in a folder of one's own",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("/d/root") },
	    { .account_dir = SI("/d") }, { HOME },
	    "mailbox_account_dir and the root must not be in one another",
	    ERR_USAGE },
	{ "beside the root, with a name that begins alike",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("p"),
		.address = SI("p@x"),
		.filesystem_root = SI("/d") },
	    { .account_dir = SI("/d2") }, { HOME }, "p p@x /d /d2 symlink",
	    ERR_NONE },

	/* Refused names and URLs. */
	{ "a principal with a blank", { .said = true, .transport = FS },
	    { .principal_id = SI("a b") }, { HOME },
	    "--mailbox-principal-id is no principal: it has letters, digits "
	    "and \"._-\"",
	    ERR_USAGE },
	{ "the operator's principal",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("HOUMAO-operator") },
	    { 0 }, { HOME },
	    "principal_id is the operator's own; give "
	    "--mailbox-principal-id",
	    ERR_CONFIG },
	{ "the operator's address", { .said = true, .transport = FS },
	    { .address = SI("HOUMAO-operator@houmao.localhost") }, { HOME },
	    "--mailbox-address is reserved: at houmao.localhost no address "
	    "begins with \"HOUMAO-\"",
	    ERR_USAGE },
	{ "an address made of a principal, and reserved",
	    { .said = true,
		.transport = FS,
		.principal_id = SI("HOUMAO-HOUMAO-x") },
	    { 0 }, { HOME },
	    "the address made of the principal is reserved: at "
	    "houmao.localhost no address begins with \"HOUMAO-\"; give "
	    "--mailbox-address",
	    ERR_USAGE },
	{ "an address that is a path",
	    { .said = true, .transport = FS, .address = SI("../../x@y") },
	    { 0 }, { HOME },
	    "address is no address: it is LOCAL@DOMAIN, of letters, digits "
	    "and \"._+-\"; give --mailbox-address",
	    ERR_CONFIG },
	{ "a password in a URL",
	    { .said = true,
		.transport = SW,
		.base_url = SI("https://me:hunter2@m.test") },
	    { 0 }, { HOME },
	    "base_url is no address of a server: it is https://HOST/PATH, or "
	    "http:// of this machine, without user name and password; give "
	    "--mailbox-stalwart-base-url",
	    ERR_CONFIG },
	{ "http to another machine", { .said = true, .transport = SW },
	    { .jmap_url = SI("http://m.test/jmap") }, { HOME },
	    "--mailbox-stalwart-jmap-url is no address of a server: it is "
	    "https://HOST/PATH, or http:// of this machine, without user name "
	    "and password",
	    ERR_USAGE },
	{ "a base with a query", { .said = true, .transport = SW },
	    { .base_url = SI("https://m.test/?x") }, { HOME },
	    "--mailbox-stalwart-base-url has a query, which may hold a secret",
	    ERR_USAGE },
	{ "a login with a colon", { .said = true, .transport = SW },
	    { .base_url = SI("https://m.test"), .login_identity = SI("a:b") },
	    { HOME }, "--mailbox-stalwart-login-identity is no login",
	    ERR_USAGE },
};

static struct str
shown(struct arena *a, const struct binding *b)
{
	if (b->transport == TRANSPORT_NONE)
		return S("none");
	if (b->transport == FS)
		return str_fmt(a, "%.*s %.*s %.*s %.*s%s",
		    STR_ARG(b->principal_id), STR_ARG(b->address),
		    STR_ARG(b->filesystem_root), STR_ARG(b->mailbox_path),
		    b->kind == BINDING_SYMLINK ? " symlink" : "");
	rows_same(b->credential_ref,
	    credential_ref(a, b->jmap_url, b->address));
	return str_fmt(a, "%.*s %.*s %.*s %.*s %.*s", STR_ARG(b->principal_id),
	    STR_ARG(b->address), STR_ARG(b->jmap_url),
	    STR_ARG(b->management_url), STR_ARG(b->login_identity));
}

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct effective_in in = { .declared = &r->declared,
		.given = &r->given,
		.agent = S("writer"),
		.tool = S("codex"),
		.role = S("role"),
		.runtime_root = S("/rt"),
		.workdir = S("/here/dir"),
		.env = look_up };
	struct binding b = { 0 };
	struct err e = { 0 };

	environment = r->env;
	assert_int_equal(effective_binding(&in, a, &b, &e),
	    r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	if (r->kind == ERR_NONE)
		rows_same(shown(a, &b), str_of(r->want));
	else
		assert_string_equal(e.say, r->want);
}

/* The agent's name is the name of its mailbox. */
static void
agent_names(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	static const char *const none[4] = { HOME };
	struct effective_in in = { .declared = &fs,
		.given = &(struct declaration){ 0 },
		.agent = S("operator"),
		.tool = S("codex"),
		.runtime_root = S("/rt"),
		.workdir = S("/w"),
		.env = look_up };
	struct binding b = { 0 };
	struct err e = { 0 };

	(void)state;
	environment = none;
	assert_int_equal(effective_binding(&in, a, &b, &e), -1);
	assert_string_equal(e.say,
	    "the name of the agent is the operator's own; give "
	    "--mailbox-principal-id");
	in.agent = S("two words");
	assert_int_equal(effective_binding(&in, a, &b, &e), -1);
	in.agent = S("/tmp/x.json");
	assert_int_equal(effective_binding(&in, a, &b, &e), 0);
	rows_same(b.address, S("codex-role@houmao.localhost"));
	in.declared = &sw;
	assert_int_equal(effective_binding(&in, a, &b, &e), -1);
}

/* A path as long as the system allows, and a byte more. */
static void
long_paths(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct declaration given = { .said = true,
		.transport = FS,
		.principal_id = S("p"),
		.address = S("p@x") };
	struct effective_in in = { .declared = &fs,
		.given = &given,
		.env = look_up };
	struct binding b = { 0 };
	struct err e = { 0 };

	(void)state;
	given.filesystem_root = rows_repeat(a, S("/a"), 3000);
	assert_int_equal(effective_binding(&in, a, &b, &e), -1);
	assert_string_equal(e.say, "--mailbox-root is a path that is too long");
	given.filesystem_root = rows_repeat(a, S("/a"), 2000);
	assert_int_equal(effective_binding(&in, a, &b, &e), 0);
	rows_same(b.filesystem_root, given.filesystem_root);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("the agent's name", agent_names, NULL);
	rows_add("a long path", long_paths, NULL);
	return cmocka_run_group_tests_name("runtime/effective", rows_tests,
	    NULL, NULL);
}
