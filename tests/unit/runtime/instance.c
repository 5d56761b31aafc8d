/* SPDX-License-Identifier: Apache-2.0 */
/* The records of a gateway: hostile ones, and those of emcli and Houmao. */
#include "../rows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"
#include "runtime/instance.h"

#define CURRENT(more)                                                          \
	"{\"schema_version\":1,\"protocol_version\":\"v1\",\"pid\":4242,"      \
	"\"host\":\"127.0.0.1\",\"port\":43123,"                               \
	"\"managed_agent_instance_epoch\":1" more "}"
#define OWN "{\"version\":1,\"pid\":4242,\"started\":7,\"boot\":\"b\"}"

enum made {
	FILES,
	A_LINK,      /* the record is a link to one */
	OPEN_FOLDER, /* others can write to the folder */
	A_FOLDER,    /* the record is a folder */
	A_PIPE,
};

static struct row {
	const char *why;
	const char *current, *own; /* NULL: there is no such file */
	enum made made;
	int want; /* instance_read() */
	bool ours;
} rows[] = {
	{ "nothing", NULL, NULL, FILES, 1, false },
	{ "emcli's", CURRENT(""), OWN, FILES, 0, true },
	{ "Houmao's, with later members",
	    CURRENT(",\"execution_mode\":\"tmux_auxiliary_window\","
		    "\"tmux_window_id\":\"@9\""),
	    NULL, FILES, 0, false },
	{ "Houmao's, beside what a killed one of ours left", CURRENT(""),
	    "{\"version\":1,\"pid\":4243,\"started\":7,\"boot\":\"b\"}", FILES,
	    0, false },
	{ "one that does not listen yet", NULL, OWN, FILES, 1, false },
	{ "an empty file", "", OWN, FILES, -1, false },
	{ "no object", "[1]", OWN, FILES, -1, false },
	{ "cut off", "{\"schema_version\":1", OWN, FILES, -1, false },
	{ "another version",
	    "{\"schema_version\":2,\"protocol_version\":\"v1\",\"pid\":1,"
	    "\"host\":\"127.0.0.1\",\"port\":1,"
	    "\"managed_agent_instance_epoch\":1}",
	    OWN, FILES, -1, false },
	{ "another protocol",
	    "{\"schema_version\":1,\"protocol_version\":\"v2\",\"pid\":1,"
	    "\"host\":\"127.0.0.1\",\"port\":1,"
	    "\"managed_agent_instance_epoch\":1}",
	    OWN, FILES, -1, false },
	{ "a host elsewhere",
	    "{\"schema_version\":1,\"protocol_version\":\"v1\",\"pid\":1,"
	    "\"host\":\"192.0.2.1\",\"port\":1,"
	    "\"managed_agent_instance_epoch\":1}",
	    OWN, FILES, -1, false },
	{ "a port that is none",
	    "{\"schema_version\":1,\"protocol_version\":\"v1\",\"pid\":1,"
	    "\"host\":\"127.0.0.1\",\"port\":65536,"
	    "\"managed_agent_instance_epoch\":1}",
	    OWN, FILES, -1, false },
	{ "a process that is none",
	    "{\"schema_version\":1,\"protocol_version\":\"v1\",\"pid\":-1,"
	    "\"host\":\"127.0.0.1\",\"port\":1,"
	    "\"managed_agent_instance_epoch\":1}",
	    OWN, FILES, -1, false },
	{ "a damaged record of ours", CURRENT(""), "{}", FILES, -1, false },
	{ "a record of ours without a boot", CURRENT(""),
	    "{\"version\":1,\"pid\":4242,\"started\":7,\"boot\":\"\"}", FILES,
	    -1, false },
	{ "a link to a record", CURRENT(""), OWN, A_LINK, -1, false },
	{ "a folder that others can write to", CURRENT(""), OWN, OPEN_FOLDER,
	    -1, false },
	{ "a folder instead of a record", NULL, OWN, A_FOLDER, -1, false },
	{ "a pipe instead of a record", NULL, OWN, A_PIPE, -1, false },
};

/* An empty session; the caller removes nothing: it is below a temporary one. */
static int
session_new(char at[64])
{
	(void)snprintf(at, 64, "/tmp/emcli-instance-XXXXXX");
	assert_non_null(mkdtemp(at));
	return open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void
session_end(int *fd, const char *at)
{
	char line[128];

	path_close(fd);
	(void)snprintf(line, sizeof(line), "%s", at);
	{
		pid_t pid = fork();

		if (pid == 0) {
			(void)execl("/bin/rm", "rm", "-rf", line, (char *)NULL);
			_exit(1);
		}
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
}

static void
make(int run, const struct row *r)
{
	struct err e = { 0 };

	if (r->current != NULL)
		assert_int_equal(instance_put(run,
				     r->made == A_LINK ? "elsewhere"
						       : INSTANCE_CURRENT,
				     str_of(r->current), &e),
		    0);
	if (r->own != NULL)
		assert_int_equal(instance_put(run, INSTANCE_OWN, str_of(r->own),
				     &e),
		    0);
	if (r->made == A_LINK)
		assert_int_equal(symlinkat("elsewhere", run, INSTANCE_CURRENT),
		    0);
	if (r->made == A_FOLDER)
		assert_int_equal(mkdirat(run, INSTANCE_CURRENT, 0700), 0);
	if (r->made == A_PIPE)
		assert_int_equal(mkfifoat(run, INSTANCE_CURRENT, 0600), 0);
	if (r->made == OPEN_FOLDER)
		assert_int_equal(fchmod(run, 0777), 0);
}

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	char at[64];
	int session = session_new(at), run;
	struct err e = { 0 };
	struct instance x = { .port = 99 };

	run = instance_run(session, true, &e);
	assert_true(run >= 0);
	make(run, r);
	path_close(&run);
	assert_int_equal(instance_read(session, a, &x, &e), r->want);
	if (r->want < 0)
		assert_int_equal(e.kind, ERR_CONFIG);
	if (r->want == 0) {
		assert_int_equal(x.process.pid, 4242);
		rows_same(x.base_url, S("http://127.0.0.1:43123"));
		assert_int_equal(x.socket.n > 0, r->ours);
		assert_int_equal(x.token_file.n > 0, r->ours);
		assert_false(instance_is_alive(&x));
	} else {
		assert_int_equal(x.port, 99);
	}
	session_end(&session, at);
}

static void
too_long(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	char at[64];
	int session = session_new(at);
	struct err e = { 0 };
	struct instance x;
	int run = instance_run(session, true, &e);

	(void)state;
	assert_int_equal(instance_put(run, INSTANCE_CURRENT,
			     rows_repeat(a, S(" "), LIMIT_INSTANCE + 1), &e),
	    0);
	path_close(&run);
	assert_int_equal(instance_read(session, a, &x, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	session_end(&session, at);
}

static void
mode_is(int folder, const char *name, mode_t want)
{
	struct stat st;

	assert_int_equal(fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(st.st_mode & 07777, want);
}

/* What is written is read again, and is its owner's whatever the umask. */
static void
written_and_cleared(void **state)
{
	static const char *const files[] = { INSTANCE_DESIRED, INSTANCE_STATE,
		"attach.json", "gateway_manifest.json",
		"protocol-version.txt" };
	static const char *const gone[] = { INSTANCE_CURRENT, INSTANCE_PID,
		INSTANCE_TOKEN, INSTANCE_OWN };
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct manifest m = { .session_id = S("s"),
		.backend = S("local_process"),
		.tool = S("claude"),
		.workdir = S("/w") };
	struct instance x = { .process = { 4242, 7, S("b") },
		.host = S(INSTANCE_LOOPBACK),
		.port = 43123,
		.epoch = 3 };
	struct instance got;
	struct instance_desired d;
	struct instance_token token;
	struct err e = { 0 };
	mode_t was = umask(0);
	char at[64];
	int session = session_new(at), folder, run;
	struct str text;

	(void)state;
	assert_int_equal(instance_read(session, a, &got, &e), 1);
	assert_int_equal(instance_desired_read(session, a, &d, &e), 1);
	assert_int_equal(instance_put_clear(session, &m, a, &e), 0);
	assert_int_equal(instance_put_begin(session, &x.process, a, &e), 0);
	assert_int_equal(instance_token_make(session, &token, &e), 0);
	assert_int_equal(instance_put_all(session, &x, &m, S("/m.json"), a, &e),
	    0);
	assert_int_equal(instance_read(session, a, &got, &e), 0);
	assert_int_equal(got.epoch, 3);
	rows_same(got.process.boot, S("b"));
	assert_int_equal(instance_desired_read(session, a, &d, &e), 0);
	rows_same(d.host, S(INSTANCE_LOOPBACK));
	assert_int_equal(d.port, 43123);
	mode_is(session, "gateway", 0700);
	folder = instance_folder(session, false, &e);
	run = instance_run(session, false, &e);
	mode_is(folder, "run", 0700);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		mode_is(folder, files[i], 0600);
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		mode_is(run, gone[i], 0600);
	{
		CLEANUP(path_close)
		int fd = openat(run, INSTANCE_TOKEN, O_RDONLY | O_CLOEXEC);

		assert_int_equal(path_read(fd, 100, a, &text, &e), 0);
	}
	assert_int_equal(text.n, 71);
	text.n--;
	assert_true(instance_token_is(&token, text));
	text.n--;
	assert_false(instance_token_is(&token, text));
	assert_false(instance_token_is(&token, S("")));
	assert_int_equal(instance_put_clear(session, &m, a, &e), 0);
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		assert_int_equal(faccessat(run, gone[i], F_OK, 0), -1);
	/* Where it listened is remembered. */
	assert_int_equal(instance_desired_read(session, a, &d, &e), 0);
	assert_int_equal(instance_read(session, a, &got, &e), 1);
	path_close(&run);
	path_close(&folder);
	session_end(&session, at);
	(void)umask(was);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("a record that is too long", too_long, NULL);
	rows_add("written and cleared", written_and_cleared, NULL);
	return cmocka_run_group_tests_name("runtime/instance", rows_tests, NULL,
	    NULL);
}
