/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/path.h"
#include "runtime/manifest.h"

#define FS                                                                     \
	"{\"transport\":\"filesystem\",\"principal_id\":\"HOUMAO-w\","         \
	"\"address\":\"w@x\",\"bindings_version\":\"v1\","                     \
	"\"filesystem_root\":\"/srv/mail\",\"mailbox_kind\":\"in_root\","      \
	"\"mailbox_path\":null}"
#define HEAD                                                                   \
	"\"backend\":\"local_interactive\",\"tool\":\"codex\","                \
	"\"role_name\":\"r\",\"created_at_utc\":\"2026-04-08T10:11:12Z\","     \
	"\"working_directory\":\"/w\",\"brain_manifest_path\":\"/m.yaml\","
#define PLAN_HEAD                                                              \
	"\"launch_plan\":{\"backend\":\"local_interactive\","                  \
	"\"tool\":\"codex\",\"executable\":\"codex\",\"args\":[\"-x\",\"\"],"  \
	"\"working_directory\":\"/w\",\"home_selector\":{\"env_var\":"         \
	"\"CODEX_HOME\",\"home_path\":\"/h\"},\"env_var_names\":[\"A\"],"      \
	"\"role_injection\":{\"method\":\"x\",\"role_name\":\"r\"},"
#define PLAN_END(mailbox)                                                      \
	"\"metadata\":{\"k\":[1]},\"mailbox\":" mailbox                        \
	",\"launch_policy_provenance\":null},"
#define TAIL "\"runtime\":{\"session_id\":\"s\"},\"backend_state\":{\"t\":2}"
#define GOOD                                                                   \
	"{\"schema_version\":4," HEAD PLAN_HEAD PLAN_END(FS) TAIL              \
	    ",\"headless\":{\"new\":[true]}}"

/* A manifest of another program, and its errors. */
static struct row {
	const char *why;
	const char *text;
	const char *say; /* NULL: valid */
} rows[] = {
	{ "a whole one", GOOD, NULL },
	{ "no mailbox",
	    "{\"schema_version\":4," HEAD PLAN_HEAD PLAN_END("null") TAIL "}",
	    NULL },
	{ "an empty file", "", "is damaged" },
	{ "no object", "[]", "schema_version is not a number" },
	{ "no version", "{" HEAD PLAN_HEAD PLAN_END(FS) TAIL "}",
	    "schema_version is not a number" },
	{ "an older version",
	    "{\"schema_version\":3," HEAD PLAN_HEAD PLAN_END(FS) TAIL "}",
	    "has schema_version 3, and only 4 is known" },
	{ "a newer version",
	    "{\"schema_version\":5," HEAD PLAN_HEAD PLAN_END(FS) TAIL "}",
	    "has schema_version 5, and only 4 is known" },
	{ "a version of another type",
	    "{\"schema_version\":\"4\"," HEAD PLAN_HEAD PLAN_END(FS) TAIL "}",
	    "schema_version is not a number" },
	{ "a member twice",
	    "{\"schema_version\":4,\"tool\":\"x\"," HEAD PLAN_HEAD PLAN_END(FS)
		TAIL "}",
	    "is damaged" },
	{ "words after it", GOOD "x", "is damaged" },
	{ "no launch plan", "{\"schema_version\":4," HEAD TAIL "}",
	    "launch_plan is missing" },
	{ "a launch plan that is no object",
	    "{\"schema_version\":4," HEAD "\"launch_plan\":[]," TAIL "}",
	    "launch_plan is not an object" },
	{ "no tool", "{\"schema_version\":4,\"backend\":\"b\"," TAIL "}",
	    "tool is missing" },
	{ "a blank backend", "{\"schema_version\":4,\"backend\":\" \"}",
	    "backend is blank" },
	{ "a backend of another type", "{\"schema_version\":4,\"backend\":1}",
	    "backend is not a string" },
	{ "a launch plan of another backend",
	    "{\"schema_version\":4,\"agent_name\":null," HEAD
	    "\"launch_plan\":{\"backend\":\"other\",\"executable\":\"x\","
	    "\"args\":[],\"working_directory\":\"/w\",\"home_selector\":"
	    "{\"env_var\":\"A\",\"home_path\":\"/h\"},\"env_var_names\":[],"
	    "\"role_injection\":{},\"metadata\":{}}," TAIL "}",
	    "launch_plan.backend differs" },
	{ "a relative home",
	    "{\"schema_version\":4," HEAD
	    "\"launch_plan\":{\"executable\":\"x\",\"args\":[],"
	    "\"working_directory\":\"/w\",\"home_selector\":"
	    "{\"env_var\":\"A\",\"home_path\":\"h\"}}," TAIL "}",
	    "launch_plan.home_selector.home_path is not an absolute path" },
	{ "an argument that is no string",
	    "{\"schema_version\":4," HEAD
	    "\"launch_plan\":{\"executable\":\"x\",\"args\":[1]}," TAIL "}",
	    "launch_plan.args holds something else than strings" },
	{ "arguments that are no array",
	    "{\"schema_version\":4," HEAD
	    "\"launch_plan\":{\"executable\":\"x\",\"args\":\"-x\"}," TAIL "}",
	    "launch_plan.args is not an array" },
	{ "a mailbox that is damaged",
	    "{\"schema_version\":4," HEAD PLAN_HEAD PLAN_END(
		"{\"transport\":\"filesystem\"}") TAIL "}",
	    "launch_plan.mailbox.principal_id is missing" },
	{ "a secret in the mailbox",
	    "{\"schema_version\":4," HEAD PLAN_HEAD PLAN_END(
		"{\"transport\":\"filesystem\",\"principal_id\":\"HOUMAO-w\","
		"\"address\":\"w@x\",\"bindings_version\":\"v1\","
		"\"filesystem_root\":\"/srv\",\"password\":\"hunter2\"}") TAIL
	    "}",
	    "launch_plan.mailbox holds a secret" },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct manifest m = { 0 };
	struct err e = { 0 };

	assert_int_equal(manifest_get(str_of(r->text), a, &m, &e),
	    r->say == NULL ? 0 : -1);
	if (r->say == NULL) {
		rows_same(m.home, S("/h"));
		assert_int_equal(m.args.n, 2);
		return;
	}
	assert_int_equal(e.kind, ERR_CONFIG);
	if (strstr(e.say, r->say) == NULL)
		fail_msg("%s", e.say);
	assert_null(strstr(e.say, "hunter2"));
}

/* A file cut at any byte is refused. */
static void
cut_off(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct manifest m;
	struct err e;

	(void)state;
	for (size_t n = 0; n < sizeof(GOOD) - 1; n++) {
		e = (struct err){ 0 };
		assert_int_equal(manifest_get(str_first(S(GOOD), n), a, &m, &e),
		    -1);
		assert_int_equal(e.kind, ERR_CONFIG);
	}
}

/* A folder for one test, removed at its end. */
struct box {
	struct arena *a;
	char path[40];
	int folder;
	mode_t mask;
};

static int
make_box(void **state)
{
	struct box *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	b->a = arena_open(8 << 20);
	memcpy(b->path, "/tmp/manifest.XXXXXX", 21);
	assert_non_null(mkdtemp(b->path));
	b->folder = open(b->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(b->folder >= 0);
	b->mask = umask(0);
	*state = b;
	return 0;
}

static int
drop_box(void **state)
{
	static const char *const names[] = { "manifest.json", "manifest.lock",
		".manifest.json.new", "elsewhere" };
	struct box *b = *state;

	(void)umask(b->mask);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (unlinkat(b->folder, names[i], 0) < 0)
			(void)unlinkat(b->folder, names[i], AT_REMOVEDIR);
	(void)close(b->folder);
	(void)rmdir(b->path);
	arena_close(&b->a);
	free(b);
	return 0;
}

static void
put_file(struct box *b, const char *name, struct str text)
{
	struct err e = { 0 };

	assert_int_equal(path_folder_new(b->folder, name, text, &e), 0);
}

static struct str
get_file(struct box *b, const char *name)
{
	int fd = openat(b->folder, name, O_RDONLY);
	struct err e = { 0 };
	struct str s;

	assert_true(fd >= 0);
	assert_int_equal(path_read(fd, 1 << 20, b->a, &s, &e), 0);
	(void)close(fd);
	return s;
}

static struct manifest
a_session(struct box *b)
{
	static struct str args[] = { SI("--flag"), SI("two words") },
			  names[] = { SI("PATH"), SI("HOME") };
	struct json_doc *d = NULL;
	struct manifest m = { .session_id = S("local_interactive-x"),
		.tool = S("codex"),
		.role = S("writer"),
		.created_at = S("2026-04-08T10:11:12Z"),
		.workdir = S("/w"),
		.home_manifest = S("/rt/manifests/h.yaml"),
		.agent = S("writer"),
		.tmux = S("HOUMAO-writer"),
		.executable = S("codex"),
		.args = { args, 2 },
		.variables = { names, 2 },
		.home_variable = S("CODEX_HOME"),
		.home = S("/rt/homes/h") };
	struct err e = { 0 };

	assert_int_equal(json_parse_open(S(FS), 1000, &d, &e), 0);
	assert_int_equal(binding_read(json_parse_root(d), b->a, &m.mailbox, &e),
	    0);
	json_parse_close(&d);
	return m;
}

static void
created(void **state)
{
	struct box *b = *state;
	struct manifest m = a_session(b), got = { 0 };
	struct err e = { 0 };
	struct stat st;

	assert_int_equal(manifest_create(b->folder, &m, b->a, &e), 0);
	assert_int_equal(fstatat(b->folder, "manifest.json", &st,
			     AT_SYMLINK_NOFOLLOW),
	    0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(fstatat(b->folder, "manifest.lock", &st,
			     AT_SYMLINK_NOFOLLOW),
	    0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(faccessat(b->folder, ".manifest.json.new", F_OK, 0),
	    -1);
	assert_int_equal(manifest_read(b->folder, b->a, &got, &e), 0);
	rows_same(got.backend, S("local_interactive"));
	rows_same(got.session_id, m.session_id);
	rows_same(got.agent, S("writer"));
	/* The MD5 of "writer". */
	rows_same(got.agent_id, S("a82feee3cc1af8bcabda979e8775ef0f"));
	rows_same(got.tmux, m.tmux);
	rows_same(got.workdir, m.workdir);
	rows_same(got.home_manifest, m.home_manifest);
	rows_same(got.args.v[1], S("two words"));
	rows_same(got.variables.v[0], S("HOME"));
	rows_same(got.home_variable, m.home_variable);
	rows_same(got.home, m.home);
	rows_same(got.mailbox.filesystem_root, S("/srv/mail"));
	rows_same(got.mailbox.bindings_version, S("v1"));
	/* Another file is not overwritten. */
	assert_int_equal(manifest_create(b->folder, &m, b->a, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
}

/* A session without tmux, agent, role or mailbox. */
static void
plain(void **state)
{
	struct box *b = *state;
	struct manifest m = a_session(b), got = { 0 };
	struct err e = { 0 };

	m.tmux = m.agent = m.role = (struct str){ 0 };
	m.mailbox = (struct binding){ 0 };
	assert_int_equal(manifest_create(b->folder, &m, b->a, &e), 0);
	assert_int_equal(manifest_read(b->folder, b->a, &got, &e), 0);
	rows_same(got.backend, S("local_process"));
	assert_int_equal(got.agent.n + got.agent_id.n + got.tmux.n, 0);
	assert_int_equal(got.mailbox.transport, TRANSPORT_NONE);
}

/* The mailbox changes, and nothing else does. */
static void
rebound(void **state)
{
	struct box *b = *state;
	struct json_doc *before = NULL, *after = NULL;
	struct manifest m = { 0 };
	struct binding next;
	struct str first, was;
	struct err e = { 0 };

	put_file(b, "manifest.json", S(GOOD));
	assert_int_equal(manifest_read(b->folder, b->a, &m, &e), 0);
	next = m.mailbox;
	next.filesystem_root = S("/srv/other");
	assert_int_equal(manifest_rebind(b->folder, &next, S("v1"), b->a, &e),
	    0);
	first = next.bindings_version;
	assert_int_equal(first.n, strlen("2026-04-08T10:11:12.123456Z"));
	assert_int_equal(manifest_read(b->folder, b->a, &m, &e), 0);
	rows_same(m.mailbox.filesystem_root, S("/srv/other"));
	rows_same(m.mailbox.bindings_version, first);

	/* With the old mailbox in it again, it is what it was. */
	was = get_file(b, "manifest.json");
	assert_int_equal(json_parse_open(was, 1 << 20, &after, &e), 0);
	assert_int_equal(json_parse_open(S(GOOD), 1 << 20, &before, &e), 0);
	assert_true(json_parse_equal(json_parse_member(json_parse_root(after),
					 "headless"),
	    json_parse_member(json_parse_root(before), "headless")));
	assert_true(json_parse_equal(json_parse_member(json_parse_root(after),
					 "backend_state"),
	    json_parse_member(json_parse_root(before), "backend_state")));
	assert_int_equal(json_parse_count(json_parse_root(after)),
	    json_parse_count(json_parse_root(before)));
	assert_int_equal(json_parse_count(
			     json_parse_member(json_parse_root(after),
				 "launch_plan")),
	    json_parse_count(
		json_parse_member(json_parse_root(before), "launch_plan")));
	json_parse_close(&before);
	json_parse_close(&after);

	/* Versions increase, however often one asks. */
	for (int i = 0; i < 20; i++) {
		struct str last = next.bindings_version;

		assert_int_equal(manifest_rebind(b->folder, &next, last, b->a,
				     &e),
		    0);
		assert_true(str_cmp(next.bindings_version, last) > 0);
	}
	/* A writer with an old version changes nothing. */
	was = get_file(b, "manifest.json");
	assert_int_equal(manifest_rebind(b->folder, &next, first, b->a, &e),
	    -1);
	assert_string_equal(e.reason, "stale_binding");
	rows_same(get_file(b, "manifest.json"), was);
	/* The mailbox is removed. */
	next = (struct binding){ 0 };
	assert_int_equal(manifest_rebind(b->folder, &next, (struct str){ 0 },
			     b->a, &e),
	    0);
	assert_int_equal(manifest_read(b->folder, b->a, &m, &e), 0);
	assert_int_equal(m.mailbox.transport, TRANSPORT_NONE);
}

/* Links, folders and pipes in its place: no file elsewhere changes. */
static void
in_the_way(void **state)
{
	struct box *b = *state;
	struct manifest m = a_session(b), got;
	struct err e = { 0 };

	assert_int_equal(manifest_read(b->folder, b->a, &got, &e), -1);
	assert_int_equal(e.kind, ERR_NOT_FOUND);
	put_file(b, "elsewhere", S(GOOD));
	assert_int_equal(symlinkat("elsewhere", b->folder, "manifest.json"), 0);
	assert_int_equal(manifest_read(b->folder, b->a, &got, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_int_equal(manifest_create(b->folder, &m, b->a, &e), -1);
	assert_int_equal(manifest_rebind(b->folder, &m.mailbox, S(""), b->a,
			     &e),
	    -1);
	assert_int_equal(unlinkat(b->folder, "manifest.json", 0), 0);
	assert_int_equal(symlinkat("nowhere", b->folder, "manifest.json"), 0);
	assert_int_equal(manifest_create(b->folder, &m, b->a, &e), -1);
	assert_int_equal(faccessat(b->folder, "nowhere", F_OK, 0), -1);
	assert_int_equal(unlinkat(b->folder, "manifest.json", 0), 0);

	/* A pipe does not block. */
	assert_int_equal(mkfifoat(b->folder, "manifest.json", 0600), 0);
	assert_int_equal(manifest_read(b->folder, b->a, &got, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_int_equal(unlinkat(b->folder, "manifest.json", 0), 0);
	assert_int_equal(mkdirat(b->folder, "manifest.json", 0700), 0);
	assert_int_equal(manifest_read(b->folder, b->a, &got, &e), -1);
	assert_int_equal(unlinkat(b->folder, "manifest.json", AT_REMOVEDIR), 0);

	/* A killed writer's file, and a link with its name. */
	assert_int_equal(symlinkat("elsewhere", b->folder,
			     ".manifest.json.new"),
	    0);
	assert_int_equal(unlinkat(b->folder, "manifest.lock", 0), 0);
	assert_int_equal(symlinkat("elsewhere", b->folder, "manifest.lock"), 0);
	assert_int_equal(manifest_create(b->folder, &m, b->a, &e), -1);
	assert_int_equal(unlinkat(b->folder, "manifest.lock", 0), 0);
	assert_int_equal(manifest_create(b->folder, &m, b->a, &e), 0);
	rows_same(get_file(b, "elsewhere"), S(GOOD));
	assert_int_equal(manifest_read(b->folder, b->a, &got, &e), 0);
}

/* A file that is too long is not read completely. */
static void
too_long(void **state)
{
	struct box *b = *state;
	struct manifest got;
	struct err e = { 0 };

	put_file(b, "manifest.json",
	    rows_repeat(b->a, S(" "), LIMIT_MANIFEST + 1));
	assert_int_equal(manifest_read(b->folder, b->a, &got, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
}

/*
 * A process that changes the version it saw before the others began: 0 if it
 * was the first.  It ends while it holds the lock.
 */
static void
change_seen(struct box *b, const struct manifest *seen, int begin)
{
	struct binding next = seen->mailbox;
	struct err e = { 0 };
	char c;
	int r;

	(void)!read(begin, &c, 1);
	r = manifest_rebind(b->folder, &next, seen->mailbox.bindings_version,
	    b->a, &e);
	(void)flock(openat(b->folder, "manifest.lock", O_RDWR),
	    LOCK_EX | LOCK_NB);
	_exit(r == 0 ? 0 : e.reason != NULL ? 1 : 2);
}

/* Of several with the same version one succeeds, and no lock remains. */
static void
at_once(void **state)
{
	enum {
		PROCESSES = 4,
		ROUNDS = 5
	};
	struct box *b = *state;
	struct manifest m = a_session(b);
	struct err e = { 0 };

	assert_int_equal(manifest_create(b->folder, &m, b->a, &e), 0);
	for (int round = 0; round < ROUNDS; round++) {
		int ended[3] = { 0 }, begin[2], status;

		assert_int_equal(manifest_read(b->folder, b->a, &m, &e), 0);
		assert_int_equal(pipe(begin), 0);
		for (int i = 0; i < PROCESSES; i++) {
			pid_t pid = fork();

			assert_true(pid >= 0);
			if (pid > 0)
				continue;
			(void)close(begin[1]);
			change_seen(b, &m, begin[0]);
		}
		(void)close(begin[1]);
		for (int i = 0; i < PROCESSES; i++) {
			assert_true(wait(&status) > 0);
			assert_true(WIFEXITED(status));
			ended[WEXITSTATUS(status) % 3]++;
		}
		(void)close(begin[0]);
		assert_int_equal(ended[0], 1);
		assert_int_equal(ended[1], PROCESSES - 1);
	}
}

static void
add_boxed(const char *name, void (*fn)(void **))
{
	rows_add(name, fn, NULL);
	rows_tests[rows_n - 1].setup_func = make_box;
	rows_tests[rows_n - 1].teardown_func = drop_box;
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("cut off at every byte", cut_off, NULL);
	add_boxed("created once, and for its owner alone", created);
	add_boxed("a session without tmux", plain);
	add_boxed("the mailbox changes and all else stays", rebound);
	add_boxed("links, pipes and folders in the way", in_the_way);
	add_boxed("a file that is too long", too_long);
	add_boxed("many processes at once", at_once);
	return cmocka_run_group_tests_name("runtime/manifest", rows_tests, NULL,
	    NULL);
}
