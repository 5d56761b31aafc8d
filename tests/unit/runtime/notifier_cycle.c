/* SPDX-License-Identifier: Apache-2.0 */
/* One poll without a terminal: who can be told, and what is written down. */
#include "../rows.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"
#include "runtime/instance.h"
#include "runtime/notifier.h"

#define REF "stalwart:PLANTED"

enum box {
	NO_MAILBOX,
	A_ROOT_THAT_IS_GONE,
	NO_CREDENTIAL,
	A_MAILBOX,
};

/* notifier_status_check(), and one poll that finds a message. */
static struct row {
	const char *why;
	enum box box;
	const char *tmux, *tool;
	const char *reason; /* NULL: it can be told */
	enum err_kind kind;
	bool lists; /* mail is listed */
	enum notifier_outcome want;
	const char *error; /* of the poll, a part; NULL: none */
} rows[] = {
	{ "no mailbox", NO_MAILBOX, "t", "claude", "no_mailbox", ERR_CONFIG,
	    false, NOTIFIER_DISABLED, "has no mailbox" },
	{ "a root that is gone", A_ROOT_THAT_IS_GONE, "t", "claude",
	    "not_actionable", ERR_CONFIG, false, NOTIFIER_DISABLED, "is gone" },
	{ "no credential", NO_CREDENTIAL, "t", "claude", "not_actionable",
	    ERR_CONFIG, false, NOTIFIER_DISABLED, "has no credential here" },
	{ "not in tmux", A_MAILBOX, "", "claude", "no_prompt_surface",
	    ERR_UNSUPPORTED, true, NOTIFIER_BUSY_SKIP, "is not in tmux" },
	{ "an unknown program", A_MAILBOX, "t", "vi", "no_prompt_surface",
	    ERR_UNSUPPORTED, true, NOTIFIER_BUSY_SKIP, "is unknown" },
	{ "a session that does not run", A_MAILBOX, "t", "claude", NULL,
	    ERR_NONE, true, NOTIFIER_BUSY_SKIP, "" },
};

struct place {
	char at[64];
	int session;
	struct arena *a;
	struct manifest m;
};

static int
wipe(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

static void
place_end(struct place *p)
{
	path_close(&p->session);
	(void)nftw(p->at, wipe, 16, FTW_DEPTH | FTW_PHYS);
	arena_close(&p->a);
}

/* A gateway of another process's, for its URL. */
static void
place_gateway(struct place *p, struct err *e)
{
	int run = instance_run(p->session, true, e);

	assert_true(run >= 0);
	assert_int_equal(instance_put(run, INSTANCE_CURRENT,
			     S("{\"schema_version\":1,\"protocol_version\":"
			       "\"v1\",\"pid\":4242,\"host\":\"127.0.0.1\","
			       "\"port\":43123,"
			       "\"managed_agent_instance_epoch\":1}"),
			     e),
	    0);
	path_close(&run);
}

static void
place_begin(struct place *p, const struct row *r)
{
	struct err e = { 0 };
	struct binding *b = &p->m.mailbox;
	int secrets;

	(void)snprintf(p->at, sizeof(p->at), "/tmp/emcli-cycle-XXXXXX");
	assert_non_null(mkdtemp(p->at));
	p->a = arena_open(32 << 20);
	p->session = open(p->at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	p->m = (struct manifest){
		.session_id = S("s"),
		.tool = str_of(r->tool),
		.role = S("r"),
		.created_at = S("2026-04-08T10:11:12Z"),
		.workdir = S("/w"),
		.home_manifest = S("/m.yaml"),
		.tmux = str_of(r->tmux),
		.executable = S("/bin/true"),
		.home_variable = S("H"),
		.home = S("/h"),
	};
	if (r->box == A_ROOT_THAT_IS_GONE)
		*b = (struct binding){ .transport = TRANSPORT_FILESYSTEM,
			.filesystem_root = str_fmt(p->a, "%s/nowhere", p->at) };
	else if (r->box != NO_MAILBOX)
		*b = (struct binding){ .transport = TRANSPORT_STALWART,
			.jmap_url = S("https://mail.example.test/jmap"),
			.management_url = S("https://mail.example.test/api"),
			.login_identity = S("w@x.example"),
			.credential_ref = S("stalwart-w") };
	b->principal_id = S("HOUMAO-w");
	b->address = S("w@x.example");
	b->bindings_version = S("2026-04-08T10:11:12.123456Z");
	if (r->box == A_MAILBOX) {
		assert_int_equal(mkdirat(p->session, "mailbox-secrets", 0700),
		    0);
		secrets = path_dir_open(p->session, "mailbox-secrets");
		assert_int_equal(instance_put(secrets, "stalwart-w.json",
				     S("{}"), &e),
		    0);
		path_close(&secrets);
	}
	if (manifest_create(p->session, &p->m, p->a, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
	place_gateway(p, &e);
}

static struct notifier_state
place_poll(struct place *p, const struct err *why, enum notifier_outcome want,
    bool lists)
{
	const struct notifier_settings on = { true, 60, 0, 0 };
	struct notifier_cycle c = { .session = p->session,
		.path = str_of(p->at),
		.a = p->a };
	struct notifier_state st = { 0 };
	struct str ref = S(REF);
	struct strs refs = { &ref, 1 };
	struct err e = { 0 };

	assert_int_equal(notifier_write(p->session, &on, p->a, &e), 0);
	assert_int_equal(notifier_cycle_begin(&c, &e), lists ? 0 : 1);
	if (lists)
		assert_int_equal(notifier_cycle_end(&c, &refs, false, why, &e),
		    0);
	assert_int_equal(c.row.outcome, want);
	assert_int_equal(notifier_state_read(p->session, p->a, &st, &e), 0);
	assert_true(st.polled_s > 0);
	assert_int_equal(st.notified_s, 0);
	assert_int_equal(st.known.n, 0);
	return st;
}

static void
row(void **state)
{
	const struct row *r = *state;
	struct place p = { 0 };
	struct notifier_settings v;
	struct notifier_status is;
	struct notifier_state st;
	struct err e = { 0 };

	place_begin(&p, r);
	assert_int_equal(notifier_status_check(p.session, &p.m, p.a, &e),
	    r->reason == NULL ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	if (r->reason != NULL)
		assert_string_equal(e.reason, r->reason);
	st = place_poll(&p, NULL, r->want, r->lists);
	if (str_find(st.error, str_of(r->error)) < 0)
		fail_msg("\"%.*s\"", STR_ARG(st.error));
	assert_int_equal(notifier_read(p.session, p.a, &v, &e), 0);
	assert_int_equal(v.enabled, r->want != NOTIFIER_DISABLED);
	assert_int_equal(notifier_status(p.session, &p.m, p.a, &is, &e), 0);
	assert_int_equal(is.supported, r->reason == NULL);
	assert_int_equal(is.why.n > 0, r->reason != NULL);
	rows_same(is.state.error, st.error);
	place_end(&p);
}

/* A server that does not answer: it goes on, and says so. */
static void
not_listed(void **state)
{
	const struct row r = { .box = A_MAILBOX,
		.tmux = "t",
		.tool = "claude" };
	struct place p = { 0 };
	struct notifier_settings v;
	struct err why = { 0 }, e = { 0 };

	(void)state;
	place_begin(&p, &r);
	(void)err_set(&why, ERR_NETWORK, "the server does not answer");
	rows_same(place_poll(&p, &why, NOTIFIER_POLL_ERROR, true).error,
	    S("the server does not answer"));
	assert_int_equal(notifier_read(p.session, p.a, &v, &e), 0);
	assert_true(v.enabled);
	place_end(&p);
}

/* Off, or never on: nothing is looked at, and nothing written. */
static void
off(void **state)
{
	const struct row r = { .box = A_MAILBOX,
		.tmux = "t",
		.tool = "claude" };
	struct place p = { 0 };
	struct notifier_cycle c = { 0 };
	struct notifier_state st;
	struct err e = { 0 };

	(void)state;
	place_begin(&p, &r);
	c = (struct notifier_cycle){ .session = p.session,
		.path = str_of(p.at),
		.a = p.a };
	assert_int_equal(notifier_cycle_begin(&c, &e), 1);
	assert_int_equal(c.row.outcome, NOTIFIER_DISABLED);
	assert_int_equal(notifier_state_read(p.session, p.a, &st, &e), 1);
	place_end(&p);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("mail that cannot be listed", not_listed, NULL);
	rows_add("a notifier that is off", off, NULL);
	return cmocka_run_group_tests_name("runtime/notifier_cycle", rows_tests,
	    NULL, NULL);
}
