/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the account that serves an operation of the contract, or the error if
 * none does.
 */
#include "../rows.h"

#include <string.h>

#include "../../fake/house.h"

/* -- accounts and their parts ---------------------------------------------- */

static void
put(struct house *h, const char *name, const char *backend, const char *role)
{
	struct store_account a = house_account(name, backend);

	if (strcmp(name, "work") != 0)
		house_add(h, &a);
	house_sql(h,
	    str_fmt(h->a,
		"UPDATE accounts SET role = '%s', position = id, backend = "
		"'%s' WHERE name = '%s'",
		role, backend, name)
		.p);
}

static void
mail(void)
{
	(void)fake_add(BOSS "Message-ID: <1@x>\r\n");
	fake.mail[fake.n - 1].thread = "t1";
	fake.mail[fake.n - 1].received_s = 1780000000;
}

static void
alone(struct house *h)
{
	(void)h;
	mail();
}

static void
two(struct house *h)
{
	mail();
	put(h, "home", "maildir", "none");
}

static void
two_and_a_default(struct house *h)
{
	two(h);
	h->env.account = strdup("home");
}

static void
chain(struct house *h)
{
	mail();
	put(h, "work", "imap", "primary");
	put(h, "home", "maildir", "fallback");
}

static void
chain_of_an_archive(struct house *h)
{
	mail();
	put(h, "work", "mbox", "primary");
	put(h, "home", "maildir", "fallback");
}

static void
archive_alone(struct house *h)
{
	mail();
	put(h, "work", "mbox", "primary");
}

static void
archive_and_optional(struct house *h)
{
	archive_alone(h);
	put(h, "home", "maildir", "optional");
}

static void
archive_and_stranger(struct house *h)
{
	archive_alone(h);
	put(h, "home", "imap", "none");
}

static void
preferred(struct house *h)
{
	chain(h);
	put(h, "old", "maildir", "preferred");
	house_sql(h,
	    "INSERT INTO account_op (account_id, op) SELECT id, "
	    "'read_thread' FROM accounts WHERE name = 'old'");
}

static void
read_only(struct store_account *a)
{
	a->mode = MODE_RO;
}

static void
barred(struct house *h)
{
	alone(h);
	house_change(h, "work", read_only);
}

static void
first_barred(struct house *h)
{
	chain(h);
	house_change(h, "work", read_only);
}

/* -- who is not there ------------------------------------------------------ */

static void
first_down(struct house *h)
{
	chain(h);
	fake.probe = "imap.login";
	fake.down = "work";
}

static void
all_down(struct house *h)
{
	chain(h);
	fake.probe = "imap.tcp";
}

static void
no_path(struct house *h)
{
	chain(h);
	fake.probe = "maildir.path";
}

static void
mandatory_down(struct house *h)
{
	first_down(h);
	house_sql(h, "UPDATE accounts SET mandatory = 1 WHERE name = 'work'");
}

static void
other_mandatory_down(struct house *h)
{
	first_down(h);
	fake.down = "home";
	house_sql(h, "UPDATE accounts SET mandatory = 1 WHERE name = 'home'");
}

/* It was available, and says that it cannot. */
static void
first_declines(struct house *h)
{
	chain(h);
	fake.fault[FAKE_FIND] =
	    (struct fake_fault){ ERR_UNSUPPORTED, .times = 1 };
}

static void
all_decline(struct house *h)
{
	chain(h);
	fake.fault[FAKE_FIND].kind = ERR_UNSUPPORTED;
}

static void
sole_declines(struct house *h)
{
	alone(h);
	fake.fault[FAKE_FIND].kind = ERR_UNSUPPORTED;
}

/* A failure during its work: another account must not continue it. */
static void
first_breaks(struct house *h)
{
	chain(h);
	fake.fault[FAKE_FIND] = (struct fake_fault){ ERR_NETWORK, .times = 1 };
}

static void
without_folders(struct house *h)
{
	alone(h);
	fake.folders = 1;
}

#define NOBODY                                                                 \
	{                                                                      \
		.nobody = true                                                 \
	}
#define LIST "list_recent_threads"
#define SINCE "since", "2026-01-01"
#define DRAFT "to", "boss@us.example", "subject", "s", "body", "b"
#define BY(name) "\"outcome\":\"chosen\",\"backend\":\"" name "\""

static const struct house_row rows[] = {
	/* No roles are declared. */
	{ "there is no account", NOBODY, NULL, LIST, { SINCE },
	    .want = "unsupported",
	    .says = "there is no account yet: emcli account add NAME" },
	{ "the only one", { 0 }, alone, LIST, { SINCE }, .want = "ok",
	    .says = BY("work") },
	{ "of two that can one must be named", { 0 }, two, LIST, { SINCE },
	    .want = "usage", .says = "2 accounts can serve" },
	{ "by the call", { 0 }, two, LIST, { SINCE, "account", "home" },
	    .want = "ok", .says = BY("home") },
	{ "or by the environment", { 0 }, two_and_a_default, LIST, { SINCE },
	    .want = "ok", .says = BY("home") },
	{ "an id may tell which", { 0 }, two, "read_thread",
	    { "id", "gmail-thread-id:t1" }, .want = "usage",
	    .says = "no account has threads with ids of that kind" },
	{ "an address of none", { 0 }, two, "read_thread",
	    { "id", "https://x.example/1" }, .want = "usage",
	    .says = "no account has a thread at that address" },
	/* Roles. */
	{ "the primary", { 0 }, chain, LIST, { SINCE }, .want = "ok",
	    .says = BY("work"), .detail = "(step 2, primary)" },
	{ "whoever is preferred comes first", { 0 }, preferred, "read_thread",
	    { "id", "<1@x>" }, .want = "ok", .says = BY("old"),
	    .detail = "(step 1" },
	{ "and for nothing else", { 0 }, preferred, LIST, { SINCE },
	    .want = "ok", .says = BY("work") },
	{ "what the primary cannot the next one does", { 0 },
	    chain_of_an_archive, "create_draft", { DRAFT }, .want = "ok",
	    .says = BY("home"), .detail = "(step 3" },
	{ "nobody can", { 0 }, archive_alone, "create_draft", { DRAFT },
	    .want = "unsupported",
	    .says = "this kind of source cannot do that" },
	{ "whoever is optional has to be named", { 0 }, archive_and_optional,
	    "create_draft", { DRAFT }, .want = "unsupported",
	    .says = "no role says so, but home can" },
	{ "so has who plays no part", { 0 }, archive_and_stranger,
	    "create_draft", { DRAFT }, .want = "unsupported",
	    .says = "no role says so, but home can" },
	{ "and then does it", { 0 }, archive_and_stranger, "create_draft",
	    { DRAFT, "source", "home", "reason", "the other cannot" },
	    .want = "ok", .says = BY("home") },
	/* A named account. */
	{ "a source wants a reason", { 0 }, chain, LIST,
	    { SINCE, "source", "home" }, .want = "usage",
	    .says = "source and reason go together" },
	{ "a reason wants a source", { 0 }, chain, LIST,
	    { SINCE, "reason", "x" }, .want = "usage",
	    .says = "source and reason go together" },
	{ "two names of one thing", { 0 }, chain, LIST,
	    { SINCE, "source", "home", "reason", "x", "account", "home" },
	    .want = "usage", .says = "name the same thing" },
	{ "one that is not there", { 0 }, chain, LIST,
	    { SINCE, "account", "hone" }, .want = "not_found", .says = "home" },
	{ "one that cannot", { 0 }, chain_of_an_archive, "create_draft",
	    { DRAFT, "account", "work" }, .want = "unsupported",
	    .says = "this source does not do create_draft" },
	{ "and what would help", { 0 }, without_folders, "create_draft",
	    { DRAFT, "account", "work" }, .want = "unsupported",
	    .says = "--drafts-folder FOLDER" },
	/* Accounts that policy excludes. */
	{ "read-only it makes no draft", { 0 }, barred, "create_draft",
	    { DRAFT }, .want = "ro_mode", .audit = "ro_mode" },
	{ "so another does", { 0 }, first_barred, "create_draft", { DRAFT },
	    .want = "ok", .says = BY("home") },
	{ "unless it is named", { 0 }, first_barred, "create_draft",
	    { DRAFT, "account", "work" }, .want = "ro_mode" },
	/* Unavailable accounts. */
	{ "the primary is down", { 0 }, first_down, LIST, { SINCE },
	    .want = "ok", .says = BY("home"), .detail = "auth_" },
	{ "all are", { 0 }, all_down, LIST, { SINCE }, .want = "network",
	    .says = "emcli doctor --account work" },
	{ "there is no such path", { 0 }, no_path, LIST, { SINCE },
	    .want = "config" },
	{ "without a mandatory one nothing begins", { 0 }, mandatory_down, LIST,
	    { SINCE }, .want = "auth",
	    .says = "mandatory backend work unavailable" },
	{ "whoever would serve it", { 0 }, other_mandatory_down, LIST,
	    { SINCE }, .want = "auth",
	    .says = "mandatory backend home unavailable" },
	/* Accounts that report it when they are asked. */
	{ "the primary declines", { 0 }, first_declines, LIST, { SINCE },
	    .want = "ok", .says = BY("home") },
	{ "all do", { 0 }, all_decline, LIST, { SINCE },
	    .want = "unsupported" },
	{ "the only one does", { 0 }, sole_declines, LIST, { SINCE },
	    .want = "unsupported" },
	{ "one that is named does, and nobody comes after it", { 0 },
	    all_decline, LIST, { SINCE, "account", "work" },
	    .want = "unsupported", .says = "the store is out of order" },
	{ "what breaks in the middle is not begun elsewhere", { 0 },
	    first_breaks, LIST, { SINCE }, .want = "network" },
};

int
main(void)
{
	ROWS(rows, house_row);
	return cmocka_run_group_tests_name("gate/resolve", rows_tests, NULL,
	    NULL);
}
