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

ROWS_MAIN("runtime/declaration", rows, row)
