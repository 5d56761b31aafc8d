/* SPDX-License-Identifier: Apache-2.0 */
/* The broker: calls as strangers write them, and who is served next. */
#include "../rows.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "door/door.h"
#include "door/serve/internal.h"

#define GOOD "{\"v\":1,\"op\":\"send\",\"args\":{\"to\":[\"b@x.example\"]}"

static const struct payload {
	const char *why;
	const char *payload;
	enum err_kind kind; /* ERR_NONE: it is accepted */
	const char *says;   /* or NULL */
} calls[] = {
	{ "the least there is", GOOD "}", ERR_NONE, NULL },
	{ "all members",
	    GOOD ",\"agent\":\"a\",\"account\":\"w\",\"progress\":true,"
		 "\"person\":false,\"lines\":true,\"files\":[]}",
	    ERR_NONE, NULL },
	{ "no JSON", "v=1", ERR_USAGE, "strict JSON" },
	{ "nothing", "", ERR_USAGE, "strict JSON" },
	{ "an array", "[1]", ERR_CONFIG, "speaks 1" },
	{ "no version", "{\"op\":\"list\",\"args\":{}}", ERR_CONFIG,
	    "speaks 1" },
	{ "another version, whatever it means",
	    "{\"v\":2,\"what\":{\"is\":[\"new\"]}}", ERR_CONFIG, "speaks 1" },
	{ "a version that is text", "{\"v\":\"1\"}", ERR_CONFIG, "speaks 1" },
	{ "a member twice", GOOD ",\"v\":1}", ERR_USAGE, "strict JSON" },
	{ "an unknown member", GOOD ",\"fd\":3}", ERR_USAGE, "\"fd\"" },
	{ "an unknown operation",
	    "{\"v\":1,\"op\":\"account add\",\"args\":{}}", ERR_USAGE,
	    "unknown operation" },
	{ "an operation in another spelling",
	    "{\"v\":1,\"op\":\"list-drafts\",\"args\":{}}", ERR_USAGE,
	    "unknown operation" },
	{ "no arguments", "{\"v\":1,\"op\":\"list\"}", ERR_USAGE, "\"args\"" },
	{ "an unknown argument",
	    "{\"v\":1,\"op\":\"list\",\"args\":{\"foldr\":\"INBOX\"}}",
	    ERR_USAGE, "foldr" },
	{ "an agent that is a number", GOOD ",\"agent\":1}", ERR_USAGE,
	    "\"agent\"" },
	{ "a flag that is text", GOOD ",\"person\":\"yes\"}", ERR_USAGE,
	    "\"person\"" },
	{ "files that are an object", GOOD ",\"files\":{}}", ERR_USAGE,
	    "\"files\"" },
	{ "a file of an argument that names none",
	    GOOD ",\"files\":[{\"arg\":\"to\",\"at\":0}]}", ERR_USAGE,
	    "\"files\"" },
	{ "a file of no value",
	    GOOD ",\"files\":[{\"arg\":\"attach\",\"at\":0}]}", ERR_USAGE,
	    "\"files\"" },
	{ "a file before the first",
	    GOOD ",\"files\":[{\"arg\":\"attach\",\"at\":-1}]}", ERR_USAGE,
	    "\"files\"" },
	{ "a file with an unknown member",
	    GOOD ",\"files\":[{\"arg\":\"attach\",\"at\":0,\"fd\":0}]}",
	    ERR_USAGE, "\"fd\"" },
	{ "a folder is named by what it is",
	    "{\"v\":1,\"op\":\"get\",\"args\":{\"attachments\":\"in\"},"
	    "\"files\":["
	    "{\"arg\":\"attachments\",\"at\":0,\"device\":1,\"inode\":2}]}",
	    ERR_NONE, NULL },
	{ "a folder without its number",
	    "{\"v\":1,\"op\":\"get\",\"args\":{\"attachments\":\"in\"},"
	    "\"files\":["
	    "{\"arg\":\"attachments\",\"at\":0,\"device\":1}]}",
	    ERR_USAGE, "\"files\"" },
	{ "a file with an error that is none",
	    GOOD ",\"files\":[{\"arg\":\"attach\",\"at\":0,\"error\":0}]}",
	    ERR_USAGE, "\"files\"" },
};

static void
call(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct payload *row = *state;
	struct serve_request q;
	struct err e = { 0 };
	int r = serve_request(str_of(row->payload), a, &q, &e);

	assert_int_equal(r, row->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, row->kind);
	if (row->says != NULL && str_find(str_of(e.say), str_of(row->says)) < 0)
		fail_msg("\"%s\" does not say %s", e.say, row->says);
	if (row->kind == ERR_NONE)
		/* Whatever was sent, the caller is not this process. */
		assert_ptr_equal(q.args.files, &q.files);
}

#define PIPE "{\"v\":1,\"pipe\":\"skills filter\",\"argv\":["
#define FORMAT "\"--format\",\"openai\""

static const struct payload pipes[] = {
	{ "a pipe", PIPE FORMAT "]}", ERR_NONE, NULL },
	{ "a pipe with all members",
	    PIPE FORMAT "],\"agent\":\"a\",\"account\":\"w\"}", ERR_NONE,
	    NULL },
	{ "a session", "{\"v\":1,\"pipe\":\"mcp\",\"argv\":[]}", ERR_NONE,
	    NULL },
	{ "a pipe's help", PIPE "\"--help\"]}", ERR_NONE, NULL },
	{ "a pipe of another version", "{\"v\":2,\"pipe\":\"mcp\"}", ERR_CONFIG,
	    "speaks 1" },
	{ "a pipe of nothing", "", ERR_USAGE, "strict JSON" },
	{ "a pipe that talks to a person",
	    "{\"v\":1,\"pipe\":\"ask\",\"argv\":[]}", ERR_USAGE, "\"pipe\"" },
	{ "a pipe of the operator's",
	    "{\"v\":1,\"pipe\":\"serve\",\"argv\":[]}", ERR_USAGE, "\"pipe\"" },
	{ "a pipe without words", "{\"v\":1,\"pipe\":\"mcp\"}", ERR_USAGE,
	    "\"argv\"" },
	{ "a word that is a number", PIPE "1]}", ERR_USAGE, "\"argv\"" },
	{ "an option that is none", PIPE FORMAT ",\"--db\",\"x\"]}", ERR_USAGE,
	    "--db" },
	{ "an option that is missing", PIPE "]}", ERR_USAGE, "--format" },
	{ "an unknown member of a pipe", PIPE FORMAT "],\"env\":{}}", ERR_USAGE,
	    "\"env\"" },
	{ "a pipe that would listen",
	    "{\"v\":1,\"pipe\":\"mcp\",\"argv\":[\"--http\",\"[::]:80\"]}",
	    ERR_UNSUPPORTED, "--http" },
};

static void
open_pipe(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct payload *row = *state;
	struct serve_request_pipe q;
	struct err e = { 0 };
	int r = serve_request_pipe(str_of(row->payload), a, &q, &e);

	assert_int_equal(r, row->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, row->kind);
	if (row->says != NULL && str_find(str_of(e.say), str_of(row->says)) < 0)
		fail_msg("\"%s\" does not say %s", e.say, row->says);
}

/* Whatever it names would be the broker's. */
static void
no_option_of_a_pipe_names_a_file(void **state)
{
	static const char *const names[] = { "mcp", "skills filter",
		"skills run" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct far_pipe *p = far_pipe_find(str_of(names[i]));

		assert_non_null(p);
		for (const struct arg_spec *s = p->args; s->name != NULL; s++)
			if (s->type == ARG_PATH || s->type == ARG_LONG_TEXT ||
			    s->flags & ARG_FILE)
				fail_msg("%s of %s", s->name, names[i]);
	}
}

static void
deep_json_is_refused(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct str deep = rows_repeat(a, S("["), 100000);
	struct serve_request q;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(serve_request(deep, a, &q, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
}

/* A file that could be opened has a descriptor, and no other has. */
static void
each_file_has_its_descriptor(void **state)
{
	static const char payload[] =
	    "{\"v\":1,\"op\":\"send\",\"args\":{\"attach\":[\"a\",\"b\"],"
	    "\"body\":\"c\"},\"files\":[{\"arg\":\"attach\",\"at\":0},"
	    "{\"arg\":\"attach\",\"at\":1,\"error\":2},"
	    "{\"arg\":\"body\",\"at\":0,\"text\":\"words\"}]}";
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);

	(void)state;
	for (size_t n = 0; n <= 3; n++) {
		struct ipc_passed with = { .n = n };
		struct serve_request q;
		struct err e = { 0 };
		int r;

		assert_int_equal(serve_request(str_of(payload), a, &q, &e), 0);
		assert_true(args_find(&q.args, S("body"))->file);
		assert_false(args_find(&q.args, S("attach"))->file);
		for (size_t i = 0; i < n; i++)
			with.fd[i] = open("/etc/passwd", O_RDONLY);
		r = serve_request_files(&q, &with, &e);
		assert_int_equal(r, n == 2 ? 0 : -1);
		/* Its caller has an answer before they are closed. */
		assert_int_equal(with.n, n);
		ipc_pass_close(&with);
		if (n != 2) {
			assert_int_equal(e.kind, ERR_USAGE);
			continue;
		}
		assert_true(args_file(&q.args, S("a"))->inode != 0);
		assert_int_equal(args_file(&q.args, S("b"))->error, 2);
		rows_same(args_file(&q.args, S("c"))->text, S("words"));
		/* One of which nothing was said was not opened. */
		assert_int_equal(args_file(&q.args, S("d"))->error, -1);
	}
}

/* How many calls a user has running: its number in the table. */
static size_t
running(void *ctx, uint32_t uid)
{
	const size_t *n = ctx;

	return n[uid];
}

static void
the_user_with_the_fewest_calls_is_next(void **state)
{
	size_t n[3] = { 2, 1, 0 };
	static struct serve_queue q;

	(void)state;
	assert_int_equal(serve_queue_next(&q, running, n), -1);
	assert_true(serve_queue_add(&q, 10, 0, 1));
	assert_true(serve_queue_add(&q, 11, 1, 2));
	assert_true(serve_queue_add(&q, 12, 1, 3));
	assert_true(serve_queue_add(&q, 13, 2, 4));
	/* Nothing has arrived from any of them. */
	assert_int_equal(serve_queue_next(&q, running, n), -1);
	for (size_t i = 0; i < 3; i++)
		q.v[i].ready = true;
	assert_int_equal(serve_queue_next(&q, running, n), 1);
	q.v[3].ready = true;
	assert_int_equal(serve_queue_next(&q, running, n), 3);
	n[2] = LIMIT_SERVE_RUNNING;
	n[1] = LIMIT_SERVE_RUNNING;
	assert_int_equal(serve_queue_next(&q, running, n), 0);
	n[0] = LIMIT_SERVE_RUNNING;
	assert_int_equal(serve_queue_next(&q, running, n), -1);
	assert_int_equal(serve_queue_take(&q, 1).fd, 11);
	assert_int_equal(q.n, 3);
	assert_int_equal(q.v[1].fd, 12);
}

static void
a_queue_has_its_caps(void **state)
{
	static struct serve_queue q;
	uint32_t uid = 0;

	(void)state;
	for (int i = 0; i < LIMIT_SERVE_WAITING_OF; i++)
		assert_true(serve_queue_add(&q, 3, uid, 1));
	assert_false(serve_queue_add(&q, 3, uid, 1));
	while (q.n < LIMIT_SERVE_WAITING)
		assert_true(serve_queue_add(&q, 3, ++uid, 1));
	assert_false(serve_queue_add(&q, 3, ++uid, 1));
	assert_int_equal(serve_queue_of(&q, 0), LIMIT_SERVE_WAITING_OF);
}

/* How many bytes wait at each of these, up to the first without any. */
static size_t
answered(const int *fd, size_t n)
{
	char byte;
	size_t i = 0;

	while (i < n && recv(fd[i], &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1)
		i++;
	return i;
}

static void
refusals_come_late_and_in_turn(void **state)
{
	static struct serve_refused r;
	int near[LIMIT_SERVE_REFUSED + 2];
	const size_t n = sizeof(near) / sizeof(near[0]);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		int fd[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
		near[i] = fd[0];
		/* One for each over the cap is not made to wait. */
		serve_refuse(&r, fd[1], i < 3 ? 1000 : 1005);
		assert_int_equal(answered(near, n),
		    i < LIMIT_SERVE_REFUSED ? 0 : i + 1 - LIMIT_SERVE_REFUSED);
	}
	assert_int_equal(serve_refuse_due(&r, 1000), LIMIT_SERVE_REFUSED_MS);
	assert_int_equal(answered(near, n), 2);
	assert_int_equal(serve_refuse_due(&r, 1000 + LIMIT_SERVE_REFUSED_MS),
	    5);
	assert_int_equal(answered(near, n), 3);
	serve_refuse_all(&r);
	assert_int_equal(answered(near, n), n);
	assert_int_equal(serve_refuse_due(&r, 5000), -1);
	for (size_t i = 0; i < n; i++)
		(void)close(near[i]);
}

static void
marks_of_lines_come_back(void **state)
{
	(void)state;
	for (int m = GATE_PLAIN; m <= GATE_RAW; m++)
		assert_int_equal(far_mark_of(str_of(far_mark(m))), m);
	assert_int_equal(far_mark_of(S("red")), GATE_PLAIN);
	rows_same(far_data(S("{\"error\":false,\"error_detail\":{},"
			     "\"data\":{\"a\":1}}")),
	    S("{\"a\":1}"));
	rows_same(far_data(S("{\"error\":true}")), S("{}"));
}

int
main(void)
{
	ROWS(calls, call);
	door_pipes();
	ROWS(pipes, open_pipe);
	rows_add("options of pipes", no_option_of_a_pipe_names_a_file, NULL);
	rows_add("deep JSON", deep_json_is_refused, NULL);
	rows_add("files", each_file_has_its_descriptor, NULL);
	rows_add("the fewest calls", the_user_with_the_fewest_calls_is_next,
	    NULL);
	rows_add("caps", a_queue_has_its_caps, NULL);
	rows_add("refusals", refusals_come_late_and_in_turn, NULL);
	rows_add("marks", marks_of_lines_come_back, NULL);
	return cmocka_run_group_tests_name("door/serve", rows_tests, NULL,
	    NULL);
}
