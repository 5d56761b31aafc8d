/* SPDX-License-Identifier: Apache-2.0 */
/* Which session is meant, over three sessions on disk. */
#include "../rows.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"
#include "runtime/find.h"

static char root[] = "/tmp/find.XXXXXX";

#define AT(kind, id) "/sessions/" kind "/" id "/manifest.json"
#define ONE AT("local_process", "one")

static const struct made {
	const char *kind, *id, *agent;
	mode_t folder, file; /* 0: as they are to be */
} made[] = {
	{ MANIFEST_PLAIN, "one", "writer", 0, 0 },
	{ MANIFEST_TMUX, "two", "ci", 0, 0 },
	{ MANIFEST_PLAIN, "three", "ci", 0, 0 },
	{ "codex_headless", "four", "tester", 0, 0 },
	{ MANIFEST_PLAIN, "five", "wide", 0777, 0 },
	{ MANIFEST_PLAIN, "six", "open", 0, 0666 },
};

static const struct row {
	const char *why;
	/* Selectors: agent_name, agent_id of a name, manifest below the root.
	 */
	const char *name, *id_of, *path;
	/* The environment: likewise. */
	const char *env_path, *env_id_of;
	const char *want; /* an agent, or NULL */
	enum err_kind kind;
	const char *say;
} rows[] = {
	{ "a name", "writer", NULL, NULL, NULL, NULL, "writer", 0, NULL },
	{ "an id", NULL, "writer", NULL, NULL, NULL, "writer", 0, NULL },
	{ "a path", NULL, NULL, ONE, NULL, NULL, "writer", 0, NULL },
	{ "a backend of another program", "tester", NULL, NULL, NULL, NULL,
	    "tester", 0, NULL },
	{ "a selector is before the environment", "tester", NULL, NULL, ONE,
	    "writer", "tester", 0, NULL },
	{ "the environment's manifest is before its id", NULL, NULL, NULL, ONE,
	    "tester", "writer", 0, NULL },
	{ "the environment's id", NULL, NULL, NULL, NULL, "tester", "tester", 0,
	    NULL },
	{ "two selectors", "writer", "writer", NULL, NULL, NULL, NULL,
	    ERR_USAGE, "exclude each other" },
	{ "nothing says which", NULL, NULL, NULL, NULL, NULL, NULL, ERR_USAGE,
	    "this is no agent's session" },
	{ "several match, and are named", "ci", NULL, NULL, NULL, NULL, NULL,
	    ERR_USAGE, "2 sessions match: " },
	{ "nobody's name", "nobody", NULL, NULL, NULL, NULL, NULL,
	    ERR_NOT_FOUND, "has no session" },
	{ "a folder that others write to is nobody's", "wide", NULL, NULL, NULL,
	    NULL, NULL, ERR_NOT_FOUND, "has no session" },
	{ "and by its path it is refused", NULL, NULL,
	    AT("local_process", "five"), NULL, NULL, NULL, ERR_CONFIG,
	    "others can write to the session's folder" },
	{ "a file that others write to", NULL, NULL, NULL,
	    AT("local_process", "six"), NULL, NULL, ERR_CONFIG,
	    "others can write to the session's manifest" },
	{ "a folder over a link", NULL, NULL, AT("link", "one"), NULL, NULL,
	    NULL, ERR_CONFIG, "over a link" },
	{ "no manifest's name", NULL, NULL, "/sessions", NULL, NULL, NULL,
	    ERR_USAGE, "the absolute path" },
	{ "one that is not there does not fall through", NULL, NULL, NULL,
	    AT("local_process", "none"), "writer", NULL, ERR_NOT_FOUND,
	    "no such session" },
};

static const struct row *at;
static struct arena *room;

static const char *
env_of(const char *name)
{
	if (strcmp(name, "HOUMAO_MANIFEST_PATH") == 0 && at->env_path != NULL)
		return str_fmt(room, "%s%s", root, at->env_path).p;
	if (strcmp(name, "HOUMAO_AGENT_ID") == 0 && at->env_id_of != NULL)
		return name_agent_id(room, str_of(at->env_id_of)).p;
	return NULL;
}

static void
test_row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	CLEANUP(find_close) struct find f;
	struct find_by by = { .runtime_root = str_of(root), .env = env_of };
	struct err e = { 0 };

	at = *state;
	room = a;
	by.agent_name = str_of(at->name);
	if (at->id_of != NULL)
		by.agent_id = name_agent_id(a, str_of(at->id_of));
	if (at->path != NULL)
		by.manifest_path = str_fmt(a, "%s%s", root, at->path);
	if (find_session(&by, a, &f, &e) == 0) {
		assert_non_null(at->want);
		rows_same(f.manifest.agent, str_of(at->want));
		assert_false(f.ours);
		return;
	}
	assert_null(at->want);
	assert_int_equal(e.kind, at->kind);
	if (str_find(str_of(e.say), str_of(at->say)) < 0)
		fail_msg("\"%s\" does not say \"%s\"", e.say, at->say);
}

static void
make_one(const struct made *m, struct arena *a)
{
	struct manifest v = {
		.session_id = str_of(m->id),
		.backend = str_of(m->kind),
		.tool = S("codex"),
		.role = S("r"),
		.created_at = S("2026-04-08T10:11:12Z"),
		.workdir = S("/w"),
		.home_manifest = S("/m.yaml"),
		.agent = str_of(m->agent),
		.executable = S("codex"),
		.home_variable = S("CODEX_HOME"),
		.home = S("/h"),
	};
	const char *path =
	    str_fmt(a, "%s/sessions/%s/%s", root, m->kind, m->id).p;
	CLEANUP(path_close) int fd = -1;
	struct err e = { 0 };

	assert_int_equal(path_mkdir(path, &e), 0);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(manifest_create(fd, &v, a, &e), 0);
	if (m->file != 0)
		assert_int_equal(fchmodat(fd, MANIFEST_FILE, m->file, 0), 0);
	if (m->folder != 0)
		assert_int_equal(chmod(path, m->folder), 0);
}

static int
make_all(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);

	(void)state;
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		make_one(&made[i], a);
	return symlink("local_process", str_fmt(a, "%s/sessions/link", root).p);
}

static int
drop_one(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	(void)st;
	(void)kind;
	(void)f;
	return remove(path);
}

static int
drop_all(void **state)
{
	(void)state;
	return nftw(root, drop_one, 16, FTW_DEPTH | FTW_PHYS);
}

int
main(void)
{
	ROWS(rows, test_row);
	return cmocka_run_group_tests_name("find", rows_tests, make_all,
	    drop_all);
}
