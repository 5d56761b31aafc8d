/* Which call a cancellation means, as workers and their processes share it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "door/mcp/http.h"

enum {
	WORKERS = 2
};

struct scene {
	struct mcp_http h;
	struct mcp m;
	struct gate_agent agent;
	struct mcp_request q;
	struct mcp_http_running *mine;
};

/* A server, and a client of it that calls by that number. */
static void
set(struct scene *s)
{
	struct err e = { 0 };

	memset(s, 0, sizeof(*s));
	s->h.workers = WORKERS;
	assert_int_equal(mcp_http_running_make(&s->h, &e), 0);
	s->mine = mcp_http_running_mine(&s->h, 1);
	s->agent.id = 3;
	s->m.agent = &s->agent;
	(void)snprintf(s->m.conversation, sizeof(s->m.conversation), "here");
	s->q.m = &s->m;
	s->q.id = (struct mcp_id){ .kind = MCP_ID_INT, .n = 1 };
}

static void
cancel(struct scene *s, int64_t n)
{
	struct mcp_id id = { .kind = MCP_ID_INT, .n = n };

	mcp_http_running_cancel(&s->h, &s->q, &id);
}

/* A number and the text of it are two ids, and so are those of two agents. */
static void
test_which(void **state)
{
	struct mcp_id text = { .kind = MCP_ID_TEXT, .text = S("1") };
	struct scene s;
	uint32_t use;

	(void)state;
	set(&s);
	use = mcp_http_running_take(s.mine, clock_mono_ms());
	mcp_http_running_name(&s.h, s.mine, use, &s.q);
	mcp_http_running_cancel(&s.h, &s.q, &text);
	cancel(&s, 2);
	s.agent.id = 4;
	cancel(&s, 1);
	s.agent.id = 3;
	s.m.conversation[0] = 'H';
	cancel(&s, 1);
	s.m.conversation[0] = 'h';
	assert_false(mcp_http_running_cancelled(s.mine, use));
	cancel(&s, 1);
	assert_true(mcp_http_running_cancelled(s.mine, use));
	mcp_http_running_drop(s.mine);
	assert_false(mcp_http_running_cancelled(s.mine, use));
}

/* What others cancel meanwhile, however much, takes no word back. */
static void
test_early(void **state)
{
	struct scene s;
	uint32_t use;

	(void)state;
	set(&s);
	cancel(&s, 1);
	s.agent.id = 4;
	for (int64_t n = 0; n < 1000; n++)
		cancel(&s, n);
	s.agent.id = 3;
	use = mcp_http_running_take(s.mine, clock_mono_ms() - 60000);
	mcp_http_running_name(&s.h, s.mine, use, &s.q);
	assert_true(mcp_http_running_cancelled(s.mine, use));
	mcp_http_running_drop(s.mine);
	/* What came in later has the number anew. */
	use = mcp_http_running_take(s.mine, clock_mono_ms() + 60000);
	mcp_http_running_name(&s.h, s.mine, use, &s.q);
	assert_false(mcp_http_running_cancelled(s.mine, use));
}

/* A process whose worker died names nothing in the place of another's. */
static void
test_orphan(void **state)
{
	struct scene s;
	uint32_t old, use;

	(void)state;
	set(&s);
	old = mcp_http_running_take(s.mine, clock_mono_ms());
	assert_ptr_equal(mcp_http_running_mine(&s.h, 1), s.mine);
	use = mcp_http_running_take(s.mine, clock_mono_ms());
	mcp_http_running_name(&s.h, s.mine, old, &s.q);
	cancel(&s, 1);
	assert_false(mcp_http_running_cancelled(s.mine, use));
	s.q.id.n = 2;
	mcp_http_running_name(&s.h, s.mine, use, &s.q);
	cancel(&s, 1);
	assert_false(mcp_http_running_cancelled(s.mine, use));
	cancel(&s, 2);
	assert_true(mcp_http_running_cancelled(s.mine, use));
	assert_false(mcp_http_running_cancelled(s.mine, old));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_orphan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
