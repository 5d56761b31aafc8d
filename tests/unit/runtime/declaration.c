/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "runtime/runtime.h"

/* The manifest of a home, the result of writing it again, and the warnings. */
static struct row {
	const char *why;
	const char *text, *again, *warning;
	const char *say; /* of the error */
} rows[] = {
	{ "nothing is declared", "schema_version: 3\n", "x: null\n", NULL,
	    NULL },
	{ "null is nothing", "mailbox: null\n", "x: null\n", NULL, NULL },
	{ "filesystem",
	    "mailbox:\n  transport: filesystem\n  principal_id: HOUMAO-writer\n"
	    "  address: writer@agents.example.test\n"
	    "  filesystem_root: team-mail\n",
	    "mailbox:\n  transport: \"filesystem\"\n"
	    "  principal_id: \"HOUMAO-writer\"\n"
	    "  address: \"writer@agents.example.test\"\n"
	    "  filesystem_root: \"team-mail\"\nx: null\n",
	    NULL, NULL },
	{ "stalwart",
	    "mailbox: {management_url: 'https://m/api', jmap_url: "
	    "'https://m/j', base_url: 'https://m', transport: stalwart}\n",
	    "mailbox:\n  transport: \"stalwart\"\n  base_url: \"https://m\"\n"
	    "  jmap_url: \"https://m/j\"\n"
	    "  management_url: \"https://m/api\"\nx: null\n",
	    NULL, NULL },
	{ "none", "mailbox: {transport: none}\n",
	    "mailbox:\n  transport: \"none\"\nx: null\n", NULL, NULL },
	{ "nulls are dropped",
	    "mailbox: {transport: filesystem, address: null, jmap_url: ~}\n",
	    "mailbox:\n  transport: \"filesystem\"\nx: null\n", NULL, NULL },
	{ "an unknown key is warned of",
	    "mailbox: {transport: filesystem, adress: a@b}\n",
	    "mailbox:\n  transport: \"filesystem\"\nx: null\n",
	    "mailbox.adress is not known and has no effect", NULL },
	{ "the login is not declared",
	    "mailbox: {transport: stalwart, login_identity: a@b}\n",
	    "mailbox:\n  transport: \"stalwart\"\nx: null\n",
	    "mailbox.login_identity is not known and has no effect", NULL },
	{ "a key of the other transport is warned of, and kept",
	    "mailbox: {transport: filesystem, jmap_url: 'https://m/'}\n",
	    "mailbox:\n  transport: \"filesystem\"\n"
	    "  jmap_url: \"https://m/\"\nx: null\n",
	    "mailbox.jmap_url has no effect on transport filesystem", NULL },
	{ "no transport", "mailbox: {address: a@b}\n", NULL, NULL,
	    "mailbox.transport is missing: it is filesystem, stalwart or "
	    "none" },
	{ "a null transport", "mailbox: {transport: null}\n", NULL, NULL,
	    "mailbox.transport is missing: it is filesystem, stalwart or "
	    "none" },
	{ "an empty map", "mailbox: {}\n", NULL, NULL,
	    "mailbox.transport is missing: it is filesystem, stalwart or "
	    "none" },
	{ "another transport", "mailbox: {transport: imap}\n", NULL, NULL,
	    "mailbox.transport is not filesystem, stalwart or none" },
	{ "a transport that is no string", "mailbox: {transport: 7}\n", NULL,
	    NULL, "mailbox.transport is not filesystem, stalwart or none" },
	{ "not a map", "mailbox: filesystem\n", NULL, NULL,
	    "mailbox is not a map" },
	{ "a blank", "mailbox: {transport: filesystem, address: ' '}\n", NULL,
	    NULL, "mailbox.address is blank" },
	{ "an empty string",
	    "mailbox: {transport: filesystem, filesystem_root: ''}\n", NULL,
	    NULL, "mailbox.filesystem_root is blank" },
	{ "another type",
	    "mailbox: {transport: filesystem, principal_id: 12}\n", NULL, NULL,
	    "mailbox.principal_id is not a string" },
	{ "a time is another type",
	    "mailbox: {transport: filesystem, principal_id: 2026-01-01}\n",
	    NULL, NULL, "mailbox.principal_id is not a string" },
	{ "a secret", "mailbox: {transport: stalwart, password: hunter2}\n",
	    NULL, NULL,
	    "mailbox holds a secret, which a manifest may not: remove it" },
	{ "a password in a URL",
	    "mailbox: {transport: stalwart, base_url: 'https://me:pw@m/'}\n",
	    NULL, NULL,
	    "mailbox.base_url is no address of a server: it is "
	    "https://HOST/PATH, or http:// of this machine, without user name "
	    "and password" },
	{ "http of another machine",
	    "mailbox: {transport: stalwart, management_url: 'http://m/'}\n",
	    NULL, NULL,
	    "mailbox.management_url is no address of a server: it is "
	    "https://HOST/PATH, or http:// of this machine, without user name "
	    "and password" },
	{ "a query in a URL, of the other transport too",
	    "mailbox: {transport: filesystem, jmap_url: 'https://m/?k=v'}\n",
	    NULL, NULL,
	    "mailbox.jmap_url has a query, which may hold a secret" },
	{ "a secret of another name",
	    "mailbox: {transport: stalwart, management_bearer_token: x}\n",
	    NULL, NULL,
	    "mailbox holds a secret, which a manifest may not: remove it" },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct declaration d = { 0 };
	struct json_doc *doc = NULL;
	struct strs warnings = { 0 };
	struct err e = { 0 };
	struct yaml_put *y;
	struct buf b;
	int got;

	assert_int_equal(yaml_read(str_of(r->text), 1000, &doc, &e), 0);
	got =
	    declaration_read(json_parse_member(json_parse_root(doc), "mailbox"),
		a, &d, &warnings, &e);
	json_parse_close(&doc);
	assert_int_equal(got, r->say == NULL ? 0 : -1);
	if (r->say != NULL) {
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_string_equal(e.say, r->say);
		return;
	}
	assert_int_equal(warnings.n, r->warning != NULL);
	if (r->warning != NULL)
		rows_same(warnings.v[0], str_of(r->warning));
	buf_init(&b, a, 1000);
	y = yaml_put_new(a, &b);
	yaml_put_map(y, NULL);
	declaration_put(&d, y);
	yaml_put_null(y, "x");
	yaml_put_end(y);
	rows_same(buf_view(&b), str_of(r->again));
}

#define FS TRANSPORT_FILESYSTEM
#define SW TRANSPORT_STALWART
#define URL                                                                    \
	" is no address of a server: it is https://HOST/PATH, or http:// of "  \
	"this machine, without user name and password"

/* What options give, and what is wrong with it. */
static struct given {
	const char *why;
	struct declaration d;
	enum transport t;
	const char *say;
} givens[] = {
	{ "nothing is given", { 0 }, TRANSPORT_NONE, NULL },
	{ "all of filesystem",
	    { .principal_id = SI("p"),
		.address = SI("a@b"),
		.filesystem_root = SI("mail") },
	    FS, NULL },
	{ "all of stalwart",
	    { .principal_id = SI("p"),
		.address = SI("a@b"),
		.base_url = SI("https://m"),
		.jmap_url = SI("http://localhost:8080/jmap"),
		.management_url = SI("http://127.0.0.1/api"),
		.login_identity = SI("me") },
	    SW, NULL },
	{ "no mailbox", { .address = SI("a@b") }, TRANSPORT_NONE,
	    "--mailbox-address is given, but no mailbox: give "
	    "--mailbox-transport filesystem or stalwart" },
	{ "of the other transport", { .filesystem_root = SI("x") }, SW,
	    "--mailbox-root has no effect on transport stalwart: leave it "
	    "out" },
	{ "a blank", { .filesystem_root = SI("\t") }, FS,
	    "--mailbox-root is blank" },
	{ "a principal", { .principal_id = SI("a/b") }, FS,
	    "--mailbox-principal-id is no principal: it has letters, digits "
	    "and \"._-\"" },
	{ "the operator's principal", { .principal_id = SI("HOUMAO-operator") },
	    FS, "--mailbox-principal-id is the operator's own" },
	{ "an address", { .address = SI("writer") }, SW,
	    "--mailbox-address is no address: it is LOCAL@DOMAIN, of letters, "
	    "digits and \"._+-\"" },
	{ "an address like a mailbox put aside",
	    { .address = SI("a@b--00112233445566778899aabbccddeeff") }, FS,
	    "--mailbox-address is no address: it is LOCAL@DOMAIN, of letters, "
	    "digits and \"._+-\"" },
	{ "a reserved address", { .address = SI("HOUMAO-x@houmao.localhost") },
	    FS,
	    "--mailbox-address is reserved: at houmao.localhost no address "
	    "begins with \"HOUMAO-\"" },
	{ "a base of http", { .base_url = SI("http://m.example") }, SW,
	    "--mailbox-stalwart-base-url" URL },
	{ "a password",
	    { .management_url = SI("https://me:hunter2@m.example/") }, SW,
	    "--mailbox-stalwart-management-url" URL },
	{ "a query", { .jmap_url = SI("https://m.example/?key=hunter2") }, SW,
	    "--mailbox-stalwart-jmap-url has a query, which may hold a "
	    "secret" },
	{ "a control character", { .filesystem_root = SI("a\x1b") }, FS,
	    "--mailbox-root has a control character in its path" },
	{ "a login", { .login_identity = SI("a:b") }, SW,
	    "--mailbox-stalwart-login-identity is no login" },
};

static void
given(void **state)
{
	const struct given *r = *state;
	struct err e = { 0 };

	assert_int_equal(declaration_check(&r->d, r->t, &e),
	    r->say == NULL ? 0 : -1);
	if (r->say == NULL)
		return;
	assert_int_equal(e.kind, ERR_USAGE);
	assert_string_equal(e.say, r->say);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(givens, given);
	return cmocka_run_group_tests_name("runtime/declaration", rows_tests,
	    NULL, NULL);
}
