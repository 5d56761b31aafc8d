/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "runtime/runtime.h"

#define WHO                                                                    \
	"\"principal_id\":\"HOUMAO-writer\","                                  \
	"\"address\":\"writer@agents.example.test\","                          \
	"\"bindings_version\":\"2026-04-08T10:11:12.123456Z\""
#define FS                                                                     \
	"{\"transport\":\"filesystem\"," WHO                                   \
	",\"filesystem_root\":\"/srv/rt/team-mail\","
#define IN_ROOT                                                                \
	"\"mailbox_kind\":\"in_root\",\"mailbox_path\":"                       \
	"\"/srv/rt/team-mail/mailboxes/writer@agents.example.test\""
#define REF "stalwart-writer-at-agents-example-test-2ee98cbb542ea0e0"
#define URLS                                                                   \
	"\"jmap_url\":\"https://mail.example.test/jmap\","                     \
	"\"management_url\":\"https://mail.example.test/api\""
#define LOGIN "\"login_identity\":\"writer@agents.example.test\""
#define SW                                                                     \
	"{\"transport\":\"stalwart\"," WHO "," URLS "," LOGIN                  \
	",\"credential_ref\":\"" REF "\""

/* A payload, and the result of writing it: NULL means the same. */
static struct row {
	const char *why;
	const char *text, *again;
	const char *say; /* of the error */
} rows[] = {
	{ "filesystem", FS IN_ROOT "}", NULL, NULL },
	{ "stalwart", SW "}", NULL, NULL },
	{ "no mailbox", "null", NULL, NULL },
	{ "a path that is null",
	    FS "\"mailbox_kind\":\"in_root\",\"mailbox_path\":null}", NULL,
	    NULL },
	{ "what may be missing", FS "\"x\":1}",
	    FS "\"mailbox_kind\":\"in_root\",\"mailbox_path\":null,\"x\":1}",
	    NULL },
	{ "a folder of the user's own",
	    FS
	    "\"mailbox_kind\":\"symlink\",\"mailbox_path\":\"/home/w/mail\"}",
	    NULL, NULL },
	{ "members of another program's are kept",
	    FS IN_ROOT ",\"a\":{\"z\":[1,0.5,null],\"b\":\"\xC3\xA4\"},"
		       "\"jmap_url\":7}",
	    NULL, NULL },
	{ "and with stalwart", SW ",\"mailbox_kind\":\"x\",\"y\":[true]}", NULL,
	    NULL },
	{ "the file of a process is not kept",
	    SW ",\"credential_file\":\"/run/x\"}", SW "}", NULL },
	{ "a secret is not carried on", SW ",\"password\":\"hunter2\"}", NULL,
	    "launch_plan.mailbox holds a secret, which no manifest may: remove "
	    "it" },
	{ "no object", "[]", NULL,
	    "launch_plan.mailbox is not an object: the session's manifest is "
	    "damaged" },
	{ "no transport", "{" WHO "}", NULL, "transport is not known" },
	{ "none is null", "{\"transport\":\"none\"}", NULL,
	    "transport is not known" },
	{ "another transport", "{\"transport\":\"imap\"," WHO "}", NULL,
	    "transport is not known" },
	{ "a transport of another type", "{\"transport\":1," WHO "}", NULL,
	    "transport is not known" },
	{ "no principal", "{\"transport\":\"filesystem\",\"address\":\"a@b\"}",
	    NULL, "principal_id is missing" },
	{ "a blank principal",
	    "{\"transport\":\"filesystem\",\"principal_id\":\" \"}", NULL,
	    "principal_id is not valid" },
	{ "a line end in it",
	    "{\"transport\":\"filesystem\",\"principal_id\":\"a\\nb\"}", NULL,
	    "principal_id is not valid" },
	{ "a principal of another type",
	    "{\"transport\":\"filesystem\",\"principal_id\":null}", NULL,
	    "principal_id is not a string" },
	{ "an address that is a path",
	    "{\"transport\":\"filesystem\",\"principal_id\":\"a\","
	    "\"address\":\"../x@y\"}",
	    NULL, "address is not valid" },
	{ "no version",
	    "{\"transport\":\"filesystem\",\"principal_id\":\"a\","
	    "\"address\":\"a@b\"}",
	    NULL, "bindings_version is missing" },
	{ "no root", "{\"transport\":\"filesystem\"," WHO "}", NULL,
	    "filesystem_root is missing" },
	{ "a root that is not absolute",
	    "{\"transport\":\"filesystem\"," WHO
	    ",\"filesystem_root\":\"mail\"}",
	    NULL, "filesystem_root is not valid" },
	{ "another kind", FS "\"mailbox_kind\":\"hard\"}", NULL,
	    "mailbox_kind is not known" },
	{ "a kind of another type", FS "\"mailbox_kind\":null}", NULL,
	    "mailbox_kind is not a string" },
	{ "a folder of one's own without path",
	    FS "\"mailbox_kind\":\"symlink\",\"mailbox_path\":null}", NULL,
	    "mailbox_path is missing" },
	{ "a path that is not absolute", FS "\"mailbox_path\":\"x\"}", NULL,
	    "mailbox_path is not valid" },
	{ "an URL with a password",
	    "{\"transport\":\"stalwart\"," WHO
	    ",\"jmap_url\":\"https://a:b@mail.example.test/jmap\"}",
	    NULL, "jmap_url is not valid" },
	{ "no login",
	    "{\"transport\":\"stalwart\"," WHO "," URLS
	    ",\"credential_ref\":\"" REF "\"}",
	    NULL, "login_identity is missing" },
	{ "a reference that is a path",
	    "{\"transport\":\"stalwart\"," WHO "," URLS "," LOGIN
	    ",\"credential_ref\":\"stalwart-/../x\"}",
	    NULL, "credential_ref is not valid" },
};

/* As in the manifest, so that the order of members does not matter. */
static struct str
shown(struct arena *a, struct str text)
{
	struct json_doc *d = NULL;
	struct err e = { 0 };
	struct str s;

	text = str_fmt(a, "{\"mailbox\":%.*s}", STR_ARG(text));
	assert_int_equal(json_parse_open(text, 10000, &d, &e), 0);
	s = json_copy_text(a, json_parse_root(d));
	json_parse_close(&d);
	return s;
}

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct json *j = json_new(a);
	struct json_doc *d = NULL;
	struct binding b = { 0 };
	struct err e = { 0 };
	struct str text = str_fmt(a, "[%s]", r->text);
	int got;

	assert_int_equal(json_parse_open(text, 10000, &d, &e), 0);
	got = binding_read(json_parse_item(json_parse_root(d), 0), a, &b, &e);
	json_parse_close(&d);
	assert_int_equal(got, r->say == NULL ? 0 : -1);
	if (r->say != NULL) {
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_non_null(strstr(e.say, r->say));
		assert_null(strstr(e.say, "hunter2"));
		return;
	}
	binding_put(&b, j, NULL);
	rows_same(shown(a, json_text(j, a)),
	    shown(a, str_of(r->again != NULL ? r->again : r->text)));
}

ROWS_MAIN("runtime/binding", rows, row)
