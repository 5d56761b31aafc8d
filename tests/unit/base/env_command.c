/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that programs print. */
#include "../rows.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/env.h"

#define KEY "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE="

static char top[] = "/tmp/emcli-command-XXXXXX";

static void
put(const char *name, const char *value)
{
	if (value != NULL)
		assert_int_equal(setenv(name, value, 1), 0);
	else
		assert_int_equal(unsetenv(name), 0);
}

/* Takes the environment with these two. */
static void
take(struct env *v, const char *agent, const char *admin)
{
	struct err e = { 0 };

	put("EMCLI_DB", "/x");
	put("EMCLI_KEY_COMMAND", agent);
	put("EMCLI_ADMIN_KEY_COMMAND", admin);
	assert_int_equal(env_take(v, &e), 0);
}

static int
is_text(struct str plain, void *want)
{
	return str_eq(plain, str_of(want));
}

static bool
holds(const struct secret *s, const char *want)
{
	return secret_lend(s, is_text, (void *)(uintptr_t)want) == 1;
}

/* -- what it prints -------------------------------------------------------- */

static const struct row {
	const char *why, *line, *error; /* NULL: the key is there */
} rows[] = {
	{ "a key", "/usr/bin/echo " KEY, NULL },
	{ "without a line end", "/usr/bin/printf " KEY, NULL },
	{ "notes after it", "/usr/bin/printf " KEY "\\nuser:me\\n", NULL },
	{ "blanks around the words", "\t /usr/bin/echo  " KEY " ", NULL },
	{ "a word", "/usr/bin/echo zebra", "printed no key" },
	{ "a key that is cut off",
	    "/usr/bin/echo QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=",
	    "printed no key" },
	{ "something after the key", "/usr/bin/echo " KEY "zebra",
	    "printed no key" },
	{ "33 bytes",
	    "/usr/bin/echo QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB",
	    "printed no key" },
	{ "a NUL after it", "/usr/bin/printf " KEY "\\0zebra",
	    "printed no key" },
	{ "a NUL in it", "/usr/bin/printf QUFB\\0" KEY, "printed no key" },
	{ "nothing", "/usr/bin/true", "printed no secret" },
	{ "an empty line before it", "/usr/bin/printf \\n" KEY,
	    "printed no secret" },
	{ "a line that is too long", "/usr/bin/seq -s, 9999",
	    "printed no secret" },
	{ "a key, and it fails", "/usr/bin/printf " KEY "\\n%d zebra",
	    "failed (status 1)" },
	{ "no program", " \t ", "" },
	{ "one that is not there", "/nonexistent/zebra", "" },
	{ "what is no program", "/etc/passwd", "cannot be run" },
};

static void
row(void **state)
{
	const struct row *r = *state;
	struct env v = { 0 };
	struct err e = { 0 };

	take(&v, r->line, NULL);
	assert_int_equal(v.agent_from, ENV_COMMAND);
	assert_null(getenv("EMCLI_KEY_COMMAND"));
	assert_true(env_command_due(&v));
	assert_int_equal(env_command_ask(&v, &e), r->error == NULL ? 0 : -1);
	assert_false(env_command_due(&v));
	if (r->error == NULL) {
		assert_true(holds(v.agent_key, KEY));
	} else {
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_non_null(strstr(e.say, r->error));
		assert_non_null(strstr(e.say, "EMCLI_KEY_COMMAND"));
		assert_non_null(e.hint);
		assert_null(strstr(e.say, "QUFB"));
		assert_null(strstr(e.say, "zebra"));
		assert_null(strstr(e.detail, "QUFB"));
		assert_true(holds(v.agent_key, ""));
	}
	env_done(&v);
}

/* -- when it is run -------------------------------------------------------- */

/* How often that was run which makes a file each time; and the files go. */
static int
runs(void)
{
	DIR *d = opendir(top);
	int n = 0;

	assert_non_null(d);
	for (struct dirent *f = readdir(d); f != NULL; f = readdir(d)) {
		if (strncmp(f->d_name, "ran", 3) != 0)
			continue;
		assert_int_equal(unlinkat(dirfd(d), f->d_name, 0), 0);
		n++;
	}
	(void)closedir(d);
	return n;
}

static char *
makes_file(void)
{
	static char line[128];

	(void)snprintf(line, sizeof(line), "/usr/bin/mktemp %s/ranXXXXXX", top);
	return line;
}

static void
once(void **state)
{
	struct env v = { 0 }, copy;

	(void)state;
	take(&v, makes_file(), makes_file());
	assert_int_equal(runs(), 0);
	copy = v;
	for (int i = 0; i < 2; i++) {
		struct err e = { 0 };

		assert_int_equal(env_command_ask(i == 0 ? &copy : &v, &e), -1);
		assert_non_null(strstr(e.say, "EMCLI_KEY_COMMAND"));
	}
	assert_int_equal(runs(), 1);
	env_done(&v);
}

static void
only_admin(void **state)
{
	struct env v = { 0 };
	struct err e = { 0 };

	(void)state;
	take(&v, NULL, "/usr/bin/echo " KEY);
	assert_null(v.agent_key);
	assert_int_equal(v.admin_from, ENV_COMMAND);
	env_command_for_agents(&v);
	assert_int_equal(env_command_ask(&v, &e), 0);
	assert_true(holds(v.admin_key, KEY));
	env_done(&v);
}

static void
for_agents(void **state)
{
	struct env v = { 0 }, copy;
	struct err e = { 0 };

	(void)state;
	take(&v, "/usr/bin/echo " KEY, makes_file());
	copy = v;
	env_command_for_agents(&copy);
	assert_null(copy.admin_key);
	assert_int_equal(env_command_ask(&copy, &e), 0);
	assert_int_equal(runs(), 0);
	/* One that is there stays, as it always did. */
	assert_int_equal(secret_later_get(v.admin_key, &e), -1);
	copy = v;
	env_command_for_agents(&copy);
	assert_non_null(copy.admin_key);
	assert_int_equal(runs(), 1);
	env_done(&v);
}

static void
precedence(void **state)
{
	static const struct {
		const char *name, *value;
		enum env_from from;
	} before[] = { { "EMCLI_KEY", KEY, ENV_VARIABLE },
		{ "EMCLI_KEY_FILE", "emcli-key", ENV_FILE },
		{ "CREDENTIALS_DIRECTORY", "", ENV_CREDENTIAL } };
	char path[96], other[96];
	int fd;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/emcli-key", top);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_int_equal(write(fd, KEY, strlen(KEY)), strlen(KEY));
	(void)close(fd);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		struct env v = { 0 };

		(void)snprintf(other, sizeof(other), "%s/%s", top,
		    before[i].value);
		put(before[i].name, i == 0 ? KEY : other);
		take(&v, makes_file(), NULL);
		put(before[i].name, NULL);
		assert_int_equal(v.agent_from, before[i].from);
		assert_false(env_command_due(&v));
		assert_true(holds(v.agent_key, KEY));
		assert_null(getenv("EMCLI_KEY_COMMAND"));
		env_done(&v);
	}
	assert_int_equal(unlink(path), 0);
	assert_int_equal(runs(), 0);
}

static void
empty(void **state)
{
	struct env v = { 0 };

	(void)state;
	take(&v, "", "");
	assert_null(v.agent_key);
	assert_null(v.admin_key);
	assert_int_equal(v.agent_from, ENV_UNSET);
	assert_false(env_command_due(&v));
	env_done(&v);
}

/* -- which programs root and the broker run -------------------------------- */

/* "^" stands for the folder of the test. */
static const struct trust {
	const char *why, *line, *error;
} trusts[] = {
	{ "a program of the system's", "/usr/bin/echo x", NULL },
	{ "behind blanks", " \t/usr/bin/echo", NULL },
	{ "the user's own", "^/mine x", NULL },
	{ "one that others can write", "^/open x", "others than root" },
	{ "one that is missing", "^/none x", "is missing" },
	{ "a name to look for", "pass show x", "whole path" },
	{ "a name from here", "./mine", "whole path" },
	{ "a line end before the path", "\n/usr/bin/echo", "whole path" },
	{ "nothing", "  ", "whole path" },
	{ "a script as its argument", "/bin/sh ^/mine", NULL },
	{ "a script that others can write", "/bin/sh ^/open",
	    "others than root" },
	{ "one behind an option", "/bin/sh -e ^/open x", "others than root" },
	{ "what nobody else can make", "/bin/sh ^/none/x", NULL },
	{ "what others can make", "/bin/sh /tmp/emcli-none/x", "is missing" },
	{ "below no folder", "/bin/sh ^/mine/x", "is missing" },
	{ "a script from here", "/bin/sh ./mine", "from wherever" },
	{ "a script from above", "/bin/sh\t../mine", "from wherever" },
	{ "a name with a slash, of no file", "/usr/bin/echo emcli/agent",
	    NULL },
};

static void
trust(void **state)
{
	const struct trust *t = *state;
	const char *up = strchr(t->line, '^');
	const int n = (int)(up != NULL ? up - t->line : 0);
	char line[128];
	struct env v = { 0 };
	struct err e = { 0 };

	(void)snprintf(line, sizeof(line), "%.*s%s%s", n, t->line,
	    up != NULL ? top : "", t->line + n + (up != NULL));
	take(&v, line, NULL);
	assert_int_equal(env_command_trust(v.agent_command, geteuid(), &e),
	    t->error == NULL ? 0 : -1);
	if (t->error != NULL) {
		assert_non_null(strstr(e.say, t->error));
		assert_non_null(strstr(e.say, "EMCLI_KEY_COMMAND"));
		assert_null(strstr(e.say, top));
	}
	env_done(&v);
}

static void
file_make(const char *name, mode_t mode)
{
	char path[96];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", top, name);
	fd = open(path, O_CREAT | O_WRONLY, 0700);
	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, mode), 0);
	(void)close(fd);
}

static int
setup(void **state)
{
	(void)state;
	put("EMCLI_AGENT", NULL);
	assert_non_null(mkdtemp(top));
	file_make("mine", 0700);
	file_make("open", 0777);
	return 0;
}

static int
teardown(void **state)
{
	char path[96];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/mine", top);
	(void)unlink(path);
	(void)snprintf(path, sizeof(path), "%s/open", top);
	(void)unlink(path);
	return rmdir(top);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(trusts, trust);
	rows_add("it is run once, whatever comes of it, for every copy", once,
	    NULL);
	rows_add("an operator's key alone is got for agents' calls", only_admin,
	    NULL);
	rows_add("beside an agent's key the operator's is left alone",
	    for_agents, NULL);
	rows_add("whatever else gives a key goes first", precedence, NULL);
	rows_add("an empty command is none", empty, NULL);
	return cmocka_run_group_tests_name("base/env_command", rows_tests,
	    setup, teardown);
}
