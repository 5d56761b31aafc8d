/* SPDX-License-Identifier: Apache-2.0 */
/* The resolution rule: worked cases, and every possible case. */
#include "choose_world.h"

/* -- worked cases ---------------------------------------------------------- */

struct given {
	const char *backend;
	enum role role;
	unsigned prefers;
	bool mandatory, down;
};

static const struct case_row {
	const char *why;
	struct given v[4];
	enum role_op op;
	const char *text;
	bool no_primary;
} cases[] = {
	{ "the primary serves what it can",
	    { { "gmail", ROLE_PRIMARY, 0, true, false },
		{ "ponymail", ROLE_FALLBACK, 0, false, false } },
	    ROLE_LIST_DRAFTS, "list_drafts: gmail (step 2, primary)", false },
	{ "nothing begins without a mandatory source",
	    { { "gmail", ROLE_PRIMARY, 0, true, true },
		{ "ponymail", ROLE_FALLBACK, 0, false, false } },
	    ROLE_READ_THREAD,
	    "read_thread: none (mandatory backend gmail unavailable: "
	    "auth_missing; run aborted; gmail unavailable: auth_missing)",
	    false },
	{ "not even what another would serve",
	    { { "gmail", ROLE_PRIMARY, 0, false, false },
		{ "ponymail", ROLE_FALLBACK, 0, true, true } },
	    ROLE_LIST_DRAFTS,
	    "list_drafts: none (mandatory backend ponymail unavailable: "
	    "auth_missing; run aborted; ponymail unavailable: auth_missing)",
	    false },
	{ "a fallback stands in for a primary that is down",
	    { { "gmail", ROLE_PRIMARY, 0, false, true },
		{ "ponymail", ROLE_FALLBACK, 0, false, false } },
	    ROLE_READ_THREAD,
	    "read_thread: ponymail (step 3, fallback; gmail unavailable: "
	    "auth_missing)",
	    false },
	{ "but not for what it cannot do",
	    { { "gmail", ROLE_PRIMARY, 0, false, true },
		{ "ponymail", ROLE_FALLBACK, 0, false, false } },
	    ROLE_CREATE_DRAFT,
	    "create_draft: none (no backend available for create_draft; gmail "
	    "unavailable: auth_missing; ponymail unsupported)",
	    false },
	{ "preferred for others gives no place here",
	    { { "imap", ROLE_PREFERRED, OP(READ_THREAD), false, false },
		{ "gmail", ROLE_PREFERRED, OP(CREATE_DRAFT), false, false } },
	    ROLE_THREAD_URL,
	    "thread_url: none (no backend available for thread_url)", true },
	{ "preferred, but cannot as it is deployed",
	    { { "imap", ROLE_FALLBACK, OP(CREATE_DRAFT), false, false },
		{ "gmail", ROLE_PRIMARY, 0, false, false } },
	    ROLE_CREATE_DRAFT,
	    "create_draft: gmail (step 2, primary; imap unsupported)", false },
	{ "fallbacks in order, without a primary",
	    { { "ponymail", ROLE_FALLBACK, 0, false, true },
		{ "mbox", ROLE_FALLBACK, 0, false, false } },
	    ROLE_READ_THREAD,
	    "read_thread: mbox (step 3, fallback; ponymail unavailable: "
	    "auth_missing)",
	    true },
	{ "the preferred comes before the primary",
	    { { "gmail", ROLE_PRIMARY, 0, false, false },
		{ "imap", ROLE_PREFERRED, OP(READ_THREAD), false, false } },
	    ROLE_READ_THREAD, "read_thread: imap (step 1, preferred)", false },
	{ "and the primary behind a preferred that is down",
	    { { "gmail", ROLE_PRIMARY, 0, false, false },
		{ "imap", ROLE_PREFERRED, OP(READ_THREAD), false, true } },
	    ROLE_READ_THREAD,
	    "read_thread: gmail (step 2, primary; imap unavailable: "
	    "auth_missing)",
	    false },
	{ "optional is never in the chain",
	    { { "gmail", ROLE_OPTIONAL, 0, false, false } }, ROLE_READ_THREAD,
	    "read_thread: none (no backend available for read_thread)", true },
	{ "a mandatory optional is wanted all the same",
	    { { "imap", ROLE_PRIMARY, 0, false, false },
		{ "gmail", ROLE_OPTIONAL, 0, true, true } },
	    ROLE_READ_THREAD,
	    "read_thread: none (mandatory backend gmail unavailable: "
	    "auth_missing; run aborted; gmail unavailable: auth_missing)",
	    false },
	{ "no account at all", { { 0 } }, ROLE_READ_THREAD,
	    "read_thread: none (no backend available for read_thread)", false },
};

static void
worked(void **state)
{
	const struct case_row *r = *state;
	struct role_source v[4];
	struct world w = { .v = v };
	struct choose c;
	size_t n = 0;

	for (; n < 4 && r->v[n].backend != NULL; n++) {
		v[n] = source(r->v[n].backend, r->v[n].role, r->v[n].prefers,
		    r->v[n].mandatory);
		if (r->v[n].down)
			w.down[n] = CHOOSE_AUTH_MISSING;
	}
	choose(&w, n, r->op, &c);
	rows_same(choose_record_text(a, &c), str_of(r->text));
	assert_int_equal(c.no_primary, r->no_primary);
}

/* -- every case ------------------------------------------------------------ */

enum {
	KINDS = 5 * 2 * 2 * 2 * 2 /* all variants of a source, for one op */
};

static bool
make(unsigned k, struct role_source *s, enum choose_reason *down)
{
	*s = (struct role_source){ .name = S("x"), .backend = S("imap") };
	s->role = k % 5;
	s->prefers = k / 5 % 2 ? OP(READ_THREAD) : OP(THREAD_URL);
	s->supports = k / 10 % 2 ? OP(READ_THREAD) : 0;
	s->mandatory = k / 20 % 2;
	*down = k / 40 % 2 ? CHOOSE_UNREACHABLE : CHOOSE_AVAILABLE;
	return true;
}

static bool
has_part(const struct role_source *s, int step)
{
	if (step == 1)
		return (s->role == ROLE_PREFERRED || s->role == ROLE_FALLBACK ||
			   s->role == ROLE_PRIMARY) &&
		    (s->prefers & OP(READ_THREAD));
	return s->role == (step == 2 ? ROLE_PRIMARY : ROLE_FALLBACK);
}

/* Without declarations: the only one that can; -3: there are several. */
static int
expect_sole(const struct role_source *v, int n, int *step)
{
	int found = -1;

	*step = 0;
	for (int i = 0; i < n; i++) {
		if (v[i].role != ROLE_NONE)
			return -4;
		if (v[i].supports != 0)
			found = found == -1 ? i : -3;
	}
	return found;
}

/* The contract's own rule, without a memory of earlier calls. */
static int
expect(const struct role_source *v, const enum choose_reason *down, int n,
    int *step)
{
	int sole = expect_sole(v, n, step);

	if (sole != -4)
		return sole;
	for (int i = 0; i < n; i++)
		if (v[i].role != ROLE_NONE && v[i].mandatory &&
		    down[i] != CHOOSE_AVAILABLE)
			return -2;
	for (*step = 1; *step < 4; ++*step)
		for (int i = 0; i < n; i++)
			if (has_part(&v[i], *step) && v[i].supports != 0 &&
			    down[i] == CHOOSE_AVAILABLE)
				return i;
	return -1;
}

static const enum choose_outcome outcome_of[] = {
	CHOOSE_CHOSEN,
	CHOOSE_SKIPPED,
	CHOOSE_ABORTED,
	CHOOSE_AMBIGUOUS,
};

static void
check_skips(const struct choose *c, const struct role_source *v, int chosen)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct choose_skip *s = &c->skip[i];

		assert_true(s->source->role != ROLE_NONE || !c->declared);
		assert_true(chosen < 0 || s->source != &v[chosen]);
		assert_int_equal(s->cause == CHOOSE_UNAVAILABLE,
		    s->reason != CHOOSE_AVAILABLE);
		for (size_t k = 0; k < i; k++)
			assert_true(c->skip[k].source != s->source);
		/* Those without a position come last. */
		if (i > 0 && c->skip[i - 1].cause == CHOOSE_NOT_IN_CHAIN)
			assert_int_equal(s->cause, CHOOSE_NOT_IN_CHAIN);
	}
}

static void
every_case(void **state)
{
	struct role_source v[3];
	struct world w = { .v = v };

	(void)state;
	for (unsigned k = 0; k < KINDS * KINDS * KINDS; k++) {
		struct arena *scratch = a;
		int step = 0, want;
		struct choose c;

		/* Only every seventh third one: enough, and fast. */
		if (k / KINDS / KINDS % 7 != 0)
			continue;
		(void)make(k % KINDS, &v[0], &w.down[0]);
		(void)make(k / KINDS % KINDS, &v[1], &w.down[1]);
		(void)make(k / KINDS / KINDS, &v[2], &w.down[2]);
		memset(w.asked, 0, sizeof(w.asked));
		a = arena_open(1 << 20);
		want = expect(v, w.down, 3, &step);
		choose(&w, 3, ROLE_READ_THREAD, &c);
		if (want >= 0) {
			assert_int_equal(c.outcome, CHOOSE_CHOSEN);
			assert_ptr_equal(c.source, &v[want]);
			assert_int_equal(c.step, step);
			assert_int_equal(c.note.n, 0);
		} else {
			assert_int_equal(c.outcome, outcome_of[-want]);
			assert_null(c.source);
			assert_int_equal(c.step, want == -1 ? 4 : 0);
			assert_true(c.note.n > 0);
		}
		check_skips(&c, v, want);
		for (int i = 0; i < 3; i++)
			assert_true(w.asked[i] <= 1);
		arena_close(&a);
		a = scratch;
	}
}

/* Sources after the choice, or not needed by the operation, are not asked. */
static void
lazy(void **state)
{
	struct role_source v[4] = {
		source("mbox", ROLE_FALLBACK, 0, false),
		source("gmail", ROLE_PRIMARY, 0, false),
		source("ponymail", ROLE_FALLBACK, 0, false),
		source("imap", ROLE_OPTIONAL, 0, false),
	};
	struct world w = { .v = v };
	struct choose c;

	(void)state;
	choose(&w, 4, ROLE_CREATE_DRAFT, &c);
	assert_ptr_equal(c.source, &v[1]);
	assert_int_equal(w.asked[0] + w.asked[2] + w.asked[3], 0);
	assert_int_equal(w.asked[1], 1);
}

/* Later in a run: mandatory sources were available at its start. */
static void
under_way(void **state)
{
	struct role_source v[2] = {
		source("gmail", ROLE_PRIMARY, 0, true),
		source("ponymail", ROLE_FALLBACK, 0, false),
	};
	struct world w = { .v = v, .down = { CHOOSE_SERVER_DOWN } };
	struct choose_ask ask = ask_of(&w, 2, ROLE_READ_THREAD);
	struct err e = { 0 };
	struct choose c;

	(void)state;
	ask.under_way = true;
	choose_source(a, &ask, &c);
	assert_ptr_equal(c.source, &v[1]);
	ask.op = ROLE_CREATE_DRAFT;
	choose_source(a, &ask, &c);
	assert_int_equal(c.outcome, CHOOSE_ABORTED);
	assert_int_equal(c.step, 4);
	assert_int_equal(choose_refuse(&c, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_string_equal(e.say,
	    "mandatory backend gmail unavailable: server_down; run aborted");
}

static void
declined(void **state)
{
	struct role_source v[2] = {
		source("gmail", ROLE_PRIMARY, 0, false),
		source("ponymail", ROLE_FALLBACK, 0, false),
	};
	struct world w = { .v = v };
	struct choose c;

	(void)state;
	v[0].declined = true;
	choose(&w, 2, ROLE_READ_THREAD, &c);
	rows_same(choose_record_text(a, &c),
	    S("read_thread: ponymail (step 3, fallback; gmail declined)"));
}

static void
override(void **state)
{
	struct role_source v[3] = {
		source("gmail", ROLE_PRIMARY, 0, false),
		source("ponymail", ROLE_OPTIONAL, 0, false),
		source("mbox", ROLE_FALLBACK, 0, true),
	};
	struct world w = { .v = v };
	struct choose_ask ask = ask_of(&w, 3, ROLE_READ_THREAD);
	struct err e = { 0 };
	struct choose c;

	(void)state;
	ask.override = &v[1];
	ask.override_reason = S("paired check");
	choose_source(a, &ask, &c);
	rows_same(choose_record_text(a, &c),
	    S("read_thread: ponymail (override: paired check)"));
	assert_int_equal(c.n, 0);

	/* There is no other source to fall back to. */
	ask.op = ROLE_CREATE_DRAFT;
	choose_source(a, &ask, &c);
	assert_int_equal(c.outcome, CHOOSE_SKIPPED);
	assert_int_equal(choose_refuse(&c, &e), -1);
	assert_int_equal(e.kind, ERR_UNSUPPORTED);
	assert_string_equal(e.say, "no backend available for create_draft");

	/* It does not cancel a pre-flight check. */
	w.down[2] = CHOOSE_PATH_MISSING;
	ask.op = ROLE_READ_THREAD;
	choose_source(a, &ask, &c);
	assert_int_equal(c.outcome, CHOOSE_ABORTED);
	assert_int_equal(choose_refuse(&c, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
}

/* The record as it is documented. */
static void
record(void **state)
{
	struct role_source v[3] = {
		source("imap", ROLE_PREFERRED, OP(CREATE_DRAFT), false),
		source("gmail", ROLE_PRIMARY, 0, false),
		source("mbox", ROLE_OPTIONAL, 0, false),
	};
	struct world w = { .v = v };
	struct json *j = json_new(a);
	struct choose c;

	(void)state;
	choose(&w, 3, ROLE_CREATE_DRAFT, &c);
	choose_record_put(j, NULL, &c);
	rows_same(json_text(j, a),
	    S("{\"schema_version\":1,\"op\":\"create_draft\","
	      "\"outcome\":\"chosen\",\"backend\":\"gmail\","
	      "\"rule\":\"primary\",\"step\":2,"
	      "\"thread_id_kind\":\"gmail-thread-id\","
	      "\"override_reason\":null,\"skipped\":["
	      "{\"backend\":\"imap\",\"step\":1,\"cause\":\"unsupported\","
	      "\"reason\":null},"
	      "{\"backend\":\"mbox\",\"step\":null,\"cause\":\"not_in_chain\","
	      "\"reason\":null}],\"note\":null}"));
	w.down[1] = CHOOSE_LIST_NOT_VISIBLE;
	j = json_new(a);
	choose(&w, 3, ROLE_LIST_DRAFTS, &c);
	choose_record_put(j, NULL, &c);
	rows_same(json_text(j, a),
	    S("{\"schema_version\":1,\"op\":\"list_drafts\","
	      "\"outcome\":\"skipped\",\"backend\":null,"
	      "\"rule\":\"none\",\"step\":4,\"thread_id_kind\":null,"
	      "\"override_reason\":null,\"skipped\":["
	      "{\"backend\":\"gmail\",\"step\":2,\"cause\":\"unavailable\","
	      "\"reason\":\"list_not_visible\"},"
	      "{\"backend\":\"imap\",\"step\":null,\"cause\":\"not_in_chain\","
	      "\"reason\":null},"
	      "{\"backend\":\"mbox\",\"step\":null,\"cause\":\"not_in_chain\","
	      "\"reason\":null}],"
	      "\"note\":\"no backend available for list_drafts\"}"));
}

int
main(void)
{
	int r;

	a = arena_open(LIMIT_ARENA);
	ROWS(cases, worked);
	rows_add("every role, support, availability and mandate", every_case,
	    NULL);
	rows_add("only who is needed is asked", lazy, NULL);
	rows_add("a mandatory source that is lost on the way", under_way, NULL);
	rows_add("who declined is passed over", declined, NULL);
	rows_add("a source that is named", override, NULL);
	rows_add("the record", record, NULL);
	r = cmocka_run_group_tests_name("source/choose", rows_tests, NULL,
	    NULL);
	arena_close(&a);
	return r;
}
