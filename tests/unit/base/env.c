/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/env.h"
#include "base/limits.h"

static struct row {
	const char *why;
	const char *db, *home, *agent;
	int ret;
	const char *want_db, *want_agent;
} rows[] = {
	{ "nothing but HOME", NULL, "/h", NULL, 0, "/h/.config/emcli/emcli.db",
	    "agent" },
	{ "EMCLI_DB goes before HOME", "/x.db", "/h", NULL, 0, "/x.db",
	    "agent" },
	{ "EMCLI_DB is enough", "/x.db", NULL, NULL, 0, "/x.db", "agent" },
	{ "an empty variable counts as unset", "", "/h", "", 0,
	    "/h/.config/emcli/emcli.db", "agent" },
	{ "an agent has a name", "/x", NULL, "Claude-2.b_c", 0, "/x",
	    "Claude-2.b_c" },
	{ "neither EMCLI_DB nor HOME", NULL, NULL, NULL, -1, NULL, NULL },
	{ "a space is in no name", "/x", NULL, "a b", -1, NULL, NULL },
	{ "a slash is in no name", "/x", NULL, "a/b", -1, NULL, NULL },
	{ "a line end is in no name", "/x", NULL, "a\n", -1, NULL, NULL },
	{ "operator is no agent", "/x", NULL, "operator", -1, NULL, NULL },
	{ "in no case", "/x", NULL, "Operator", -1, NULL, NULL },
	{ "8-bit bytes are in no name", "/x", NULL, "\xC3\xA4", -1, NULL,
	    NULL },
	{ "64 characters are a name", "/x", NULL,
	    "0123456789012345678901234567890123456789012345678901234567890123",
	    0, "/x",
	    "012345678901234567890123456789012345678901234567890123456789012"
	    "3" },
	{ "65 are not", "/x", NULL,
	    "01234567890123456789012345678901234567890123456789012345678901234",
	    -1, NULL, NULL },
};

static void
put(const char *name, const char *value)
{
	if (value != NULL)
		assert_int_equal(setenv(name, value, 1), 0);
	else
		assert_int_equal(unsetenv(name), 0);
}

static void
row(void **state)
{
	const struct row *r = *state;
	struct env v = { 0 };
	struct err e = { 0 };

	put("EMCLI_DB", r->db);
	put("HOME", r->home);
	put("EMCLI_AGENT", r->agent);
	assert_int_equal(env_take(&v, &e), r->ret);
	if (r->ret == 0) {
		assert_string_equal(v.db, r->want_db);
		assert_string_equal(v.agent, r->want_agent);
	} else {
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_null(v.db);
	}
	assert_null(v.admin_key);
	assert_null(v.agent_key);
	env_done(&v);
	env_done(&v);
}

static int
is_text(struct str plain, void *ctx)
{
	return str_eq(plain, str_of(ctx)) ? 1 : 0;
}

/* An environment of our own, in which one name occurs twice. */
static void
wiped(void **state)
{
	char admin[] = "EMCLI_ADMIN_KEY=adminkey", key[] = "EMCLI_KEY=agentkey";
	char twice[] = "EMCLI_KEY=other", like[] = "EMCLI_KEYS=kept";
	char db[] = "EMCLI_DB=/x", agent[] = "EMCLI_AGENT=bad name";
	char *mine[] = { admin, key, like, twice, db, agent, NULL };
	char **saved = environ;
	struct env v = { 0 };
	struct err e = { 0 };

	(void)state;
	environ = mine;
	assert_int_equal(env_take(&v, &e), -1);
	agent[12] = '\0';
	memcpy(admin, "EMCLI_ADMIN_KEY=adminkey", sizeof(admin));
	memcpy(key, "EMCLI_KEY=agentkey", sizeof(key));
	mine[0] = like;
	mine[1] = admin;
	mine[2] = key;
	mine[3] = twice;
	mine[4] = db;
	assert_int_equal(env_take(&v, &e), 0);
	assert_int_equal(secret_lend(v.admin_key, is_text, "adminkey"), 1);
	assert_int_equal(secret_lend(v.agent_key, is_text, "agentkey"), 1);
	assert_null(getenv("EMCLI_KEY"));
	assert_null(getenv("EMCLI_ADMIN_KEY"));
	assert_string_equal(getenv("EMCLI_KEYS"), "kept");
	environ = saved;
	for (size_t i = strlen("EMCLI_ADMIN_KEY="); i < sizeof(admin); i++)
		assert_int_equal(admin[i], 0);
	for (size_t i = strlen("EMCLI_KEY="); i < sizeof(key); i++)
		assert_int_equal(key[i], 0);
	for (size_t i = strlen("EMCLI_KEY="); i < sizeof(twice); i++)
		assert_int_equal(twice[i], 0);
	env_done(&v);
}

static void
too_long(void **state)
{
	char *p = malloc(LIMIT_SECRET + 2);
	struct env v = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_non_null(p);
	memset(p, 'k', LIMIT_SECRET + 1);
	p[LIMIT_SECRET + 1] = '\0';
	put("EMCLI_DB", "/x");
	put("EMCLI_AGENT", NULL);
	put("EMCLI_ADMIN_KEY", p);
	put("EMCLI_KEY", "agentkey");
	assert_int_equal(env_take(&v, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_null(getenv("EMCLI_ADMIN_KEY"));
	assert_null(getenv("EMCLI_KEY"));
	free(p);
}

static int
count(struct str plain, void *ctx)
{
	(void)ctx;
	return (int)plain.n;
}

static char folder[64], file[96];

static void
write_file(const char *name, const char *text, mode_t mode)
{
	FILE *f;

	if (folder[0] == '\0') {
		(void)snprintf(folder, sizeof(folder), "/tmp/emcli-env-XXXXXX");
		assert_non_null(mkdtemp(folder));
	}
	(void)snprintf(file, sizeof(file), "%s/%s", folder, name);
	(void)unlink(file);
	f = fopen(file, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(file, mode), 0);
}

static void
clear(void)
{
	put("EMCLI_DB", "/x");
	put("EMCLI_AGENT", NULL);
	put("EMCLI_KEY_FILE", NULL);
	put("EMCLI_ADMIN_KEY_FILE", NULL);
	put("CREDENTIALS_DIRECTORY", NULL);
}

static struct file_row {
	const char *why, *text;
	mode_t mode;
	int ret;
	const char *want; /* the key, or part of the error */
} files[] = {
	{ "a file holds a key", "filekey", 0600, 0, "filekey" },
	{ "one line end is dropped", "filekey\n", 0400, 0, "filekey" },
	{ "only one", "filekey\n\n", 0600, 0, "filekey\n" },
	{ "others may not read it", "k\n", 0604, -1, "chmod 600" },
	{ "nor the group", "k\n", 0640, -1, "chmod 600" },
	{ "nor may others write it", "k\n", 0602, -1, "chmod 600" },
	{ "an empty file has no key", "\n", 0600, -1, "has no key" },
};

static void
file_row(void **state)
{
	const struct file_row *r = *state;
	struct env v = { 0 };
	struct err e = { 0 };

	clear();
	write_file("key", r->text, r->mode);
	put("EMCLI_KEY_FILE", file);
	assert_int_equal(env_take(&v, &e), r->ret);
	if (r->ret == 0) {
		assert_int_equal(secret_lend(v.agent_key, is_text,
				     (void *)(uintptr_t)r->want),
		    1);
		assert_int_equal(v.agent_from, ENV_FILE);
		assert_string_equal(v.agent_file, file);
	} else {
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_non_null(strstr(e.say, r->want));
		assert_non_null(strstr(e.say, "EMCLI_KEY_FILE"));
		assert_null(strstr(e.say, folder));
		assert_non_null(strstr(e.detail, file));
	}
	env_done(&v);
}

static void
precedence(void **state)
{
	struct env v = { 0 };
	struct err e = { 0 };

	(void)state;
	clear();
	write_file("emcli-key", "credkey\n", 0440);
	write_file("emcli-admin-key", "credadmin\n", 0440);
	put("CREDENTIALS_DIRECTORY", folder);
	assert_int_equal(env_take(&v, &e), 0);
	assert_int_equal(v.agent_from, ENV_CREDENTIAL);
	assert_int_equal(v.admin_from, ENV_CREDENTIAL);
	assert_int_equal(secret_lend(v.admin_key, is_text, "credadmin"), 1);
	env_done(&v);

	write_file("key", "filekey", 0600);
	put("EMCLI_KEY_FILE", file);
	assert_int_equal(env_take(&v, &e), 0);
	assert_int_equal(v.agent_from, ENV_FILE);
	assert_int_equal(secret_lend(v.agent_key, is_text, "filekey"), 1);
	env_done(&v);

	put("EMCLI_KEY", "varkey");
	put("EMCLI_KEY_FILE", "/nonexistent");
	assert_int_equal(env_take(&v, &e), 0);
	assert_int_equal(v.agent_from, ENV_VARIABLE);
	assert_int_equal(secret_lend(v.agent_key, is_text, "varkey"), 1);
	env_done(&v);

	put("CREDENTIALS_DIRECTORY", "/nonexistent");
	put("EMCLI_KEY_FILE", "");
	assert_int_equal(env_take(&v, &e), 0);
	assert_null(v.agent_key);
	assert_int_equal(v.agent_from, ENV_UNSET);
	env_done(&v);
}

static void
no_file(void **state)
{
	static const char *const made[] = { "key", "pipe", "emcli-key",
		"emcli-admin-key" };
	struct env v = { 0 };
	struct err e = { 0 };

	(void)state;
	clear();
	write_file("pipe", "", 0600);
	(void)unlink(file);
	assert_int_equal(mkfifo(file, 0600), 0);
	put("EMCLI_ADMIN_KEY_FILE", file);
	put("EMCLI_KEY", "varkey");
	assert_int_equal(env_take(&v, &e), -1);
	assert_non_null(strstr(e.say, "not a regular file"));
	/* The variables are wiped first, even if a file is invalid. */
	assert_null(getenv("EMCLI_KEY"));
	put("EMCLI_ADMIN_KEY_FILE", "/nonexistent/key");
	assert_int_equal(env_take(&v, &e), -1);
	assert_non_null(strstr(e.say, "EMCLI_ADMIN_KEY_FILE"));
	assert_null(strstr(e.say, "nonexistent"));
	clear();
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		(void)snprintf(file, sizeof(file), "%s/%s", folder, made[i]);
		(void)unlink(file);
	}
	assert_int_equal(rmdir(folder), 0);
}

/* A child of fork(2) has only what it gets explicitly. */
static void
children(void **state)
{
	struct secret *kept = secret_new("kept", 4);
	struct secret *given = secret_new("given", 5);
	int status, n;
	pid_t pid;

	(void)state;
	secret_inherit(given, true);
	secret_inherit(kept, true);
	secret_inherit(kept, false);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		secret_relock(given);
		n = 10 * secret_lend(given, count, NULL) +
		    secret_lend(kept, count, NULL);
		_exit(n);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 50);
	assert_int_equal(secret_lend(kept, count, NULL), 4);
	secret_close(&kept);
	secret_close(&given);
}

static void
no_cores(void **state)
{
	struct rlimit r;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_CORE, &r), 0);
	assert_int_equal(r.rlim_cur, 0);
	assert_int_equal(r.rlim_max, 0);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("keys are taken and every value overwritten", wiped, NULL);
	rows_add("a key that is too long is refused, and both wiped", too_long,
	    NULL);
	rows_add("core dumps are off", no_cores, NULL);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		rows_add(files[i].why, file_row, &files[i]);
	rows_add("variable before file before credential", precedence, NULL);
	rows_add("what is no file is refused, paths unsaid", no_file, NULL);
	rows_add("a child has only what it is given", children, NULL);
	return cmocka_run_group_tests_name("base/env", rows_tests, NULL, NULL);
}
