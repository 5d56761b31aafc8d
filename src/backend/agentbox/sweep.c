/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unknown files.  A message file without a row, left by another program's dead
 * process, is adopted: its registered recipients get it, unread.  A staged file
 * without a journal row is moved to staging/quarantine/<time>/; nothing is
 * deleted.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/deliver.h"
#include "backend/agentbox/internal.h"
#include "base/clock.h"

enum {
	/*
	 * The upstream program stages a file before it locks the root: younger
	 * files may be in use.
	 */
	SWEEP_STAGED_S = 3600
};

struct sweep {
	struct agentbox_root *r;
	size_t adopted, damaged, aside;
	struct err *e;
};

static int
sweep_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG,
	    "the mailbox root cannot be looked through");
	return err_errno(e, what);
}

/* Is it a file that no process will use?  We hold the lock. */
static bool
sweep_is_left(int staging, const char *name)
{
	struct stat st;

	if (name[0] == '.' || strcmp(name, "quarantine") == 0 ||
	    fstatat(staging, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	return str_starts(str_of(name), S("emcli-")) ||
	    agentbox_name_stashed(str_of(name)) ||
	    clock_now() - st.st_mtime > SWEEP_STAGED_S;
}

static int
sweep_aside(struct sweep *s, int staging, const char *name, struct arena *a)
{
	struct str when = clock_rfc3339(a, clock_now());
	struct str rel =
	    str_fmt(a, "quarantine/%.4s%.2s%.2sT%.2s%.2s%.2sZ", when.p,
		when.p + 5, when.p + 8, when.p + 11, when.p + 14, when.p + 17);
	CLEANUP(path_close) int to = agentbox_layout_open(staging, rel.p, true);
	const char *new = name;
	struct stat st;

	if (to < 0)
		return sweep_fail(s->e, "quarantine");
	if (fstatat(to, new, &st, AT_SYMLINK_NOFOLLOW) == 0)
		new = agentbox_name_new(a, "again-", 16).p;
	if (renameat(staging, name, to, new) < 0 && errno != ENOENT)
		return sweep_fail(s->e, "rename");
	s->aside++;
	return 0;
}

static int
sweep_staging(struct sweep *s, bool look_only)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	int fd = agentbox_layout_folder(s->r, "staging", s->e);
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;

	if (dir == NULL)
		return -1;
	while ((d = readdir(dir)) != NULL) {
		if (!sweep_is_left(fd, d->d_name))
			continue;
		if (look_only)
			return 1;
		if (sweep_aside(s, fd, d->d_name, a) < 0)
			return -1;
	}
	return 0;
}

static int
sweep_damaged(struct sweep *s, struct str day, const char *name,
    const struct err *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str at = str_fmt(a, "messages/%.*s/%s", STR_ARG(day), name);
	struct db *own = db_own(s->r, s->e);

	s->damaged++;
	return own == NULL
	    ? -1
	    : db_keep_damaged_put(own, at, str_of(why->detail), s->e);
}

static void
sweep_copy(struct json *j, struct db *d, const struct agentbox_party *p,
    bool is_sender, struct arena *a)
{
	struct agentbox_reg reg;
	struct err none = { 0 };

	if (db_reg_active(d, p->address, a, &reg, &none) != 1 ||
	    !str_eq(reg.owner, p->principal))
		return;
	json_open_object(j, NULL);
	json_put_str(j, "id", reg.id);
	json_put_bool(j, is_sender ? "sender" : "recipient", true);
	json_close_object(j);
}

/* Like a delivery: a journal row, which is then performed. */
static int
sweep_adopt(struct sweep *s, struct db *d, struct str day,
    const struct agentbox_message *m, struct str file, struct arena *a)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_str(j, "id", m->id);
	json_put_str(j, "day", day);
	json_put_str(j, "digest", agentbox_attach_digest(a, file));
	json_open_array(j, "copies");
	for (size_t i = 0; i < m->to.n; i++)
		sweep_copy(j, d, &m->to.v[i], false, a);
	for (size_t i = 0; i < m->cc.n; i++)
		sweep_copy(j, d, &m->cc.v[i], false, a);
	/* Last: a message to oneself is unread. */
	sweep_copy(j, d, &m->from, true, a);
	json_close_array(j);
	json_close_object(j);
	s->adopted++;
	return agentbox_replay_new(s->r, "deliver", json_text(j, a), NULL, NULL,
		   s->e) == 0
	    ? 0
	    : -1;
}

/* One file of a day's folder. */
static int
sweep_file(struct sweep *s, struct db *d, int folder, struct str day,
    const char *name)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct agentbox_message m;
	struct err why = { 0 };
	struct str id, created, file;
	int got;

	if (!agentbox_name_file(str_of(name), &id))
		return 0;
	got = db_mail_created(d, id, a, &created, s->e);
	if (got != 0)
		return got < 0 ? -1 : 0;
	if (agentbox_layout_read(folder, name,
		LIMIT_AGENTBOX_FRONT + LIMIT_AGENTBOX_BODY + 16, a, &file,
		&why) != 1 ||
	    agentbox_front_read(a, file, 1, &m, &why) < 0)
		return sweep_damaged(s, day, name, &why);
	if (!str_eq(m.id, id) || !str_eq(str_first(m.created, 10), day)) {
		(void)err_because(&why, "in a place that is another's");
		return sweep_damaged(s, day, name, &why);
	}
	return sweep_adopt(s, d, day, &m, file, a);
}

static int
sweep_day(struct sweep *s, int folder, struct str day)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	CLEANUP(path_dir_close)
	DIR *dir = fdopendir(fcntl(folder, F_DUPFD_CLOEXEC, 0));
	const struct dirent *f;
	struct db *own;
	struct stat st;

	/*
	 * The time before the names are read: later files are seen next time.
	 */
	if (dir == NULL || fstat(folder, &st) < 0)
		return sweep_fail(s->e, "a day's folder");
	if (db_index_open(&d, s->r, false, s->e) < 0)
		return -1;
	while ((f = readdir(dir)) != NULL)
		if (f->d_name[0] != '.' &&
		    sweep_file(s, &d, folder, day, f->d_name) < 0)
			return -1;
	own = db_own(s->r, s->e);
	return own == NULL
	    ? -1
	    : db_keep_day_put(own, day, agentbox_days_time(&st), s->e);
}

/* Folders that changed since their last scan; 1 if look_only finds one. */
static int
sweep_days(struct sweep *s, bool look_only)
{
	int fd = agentbox_layout_folder(s->r, "messages", s->e);
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;

	if (dir == NULL)
		return -1;
	while ((d = readdir(dir)) != NULL) {
		struct str day = str_of(d->d_name);
		CLEANUP(path_close) int one = -1;
		struct stat st;
		int known;

		if (!agentbox_name_day(day))
			continue;
		one = path_dir_open(fd, d->d_name);
		if (one < 0 || fstat(one, &st) < 0)
			continue;
		known = agentbox_days_is_known(s->r, day, &st, s->e);
		if (known < 0)
			return -1;
		if (known == 0 && look_only)
			return 1;
		if (known == 0 && sweep_day(s, one, day) < 0)
			return -1;
	}
	return 0;
}

int
agentbox_sweep_is_due(struct agentbox_root *r, struct err *e)
{
	struct sweep s = { .r = r, .e = e };
	int got = sweep_staging(&s, true);

	return got != 0 ? got : sweep_days(&s, true);
}

int
agentbox_sweep(struct agentbox_root *r, struct err *e)
{
	struct sweep s = { .r = r, .e = e };

	if (sweep_staging(&s, false) < 0 || sweep_days(&s, false) < 0)
		return -1;
	if (s.adopted > 0)
		agentbox_layout_note(r,
		    "%zu message file%s without a row %s adopted", s.adopted,
		    s.adopted == 1 ? "" : "s", s.adopted == 1 ? "was" : "were");
	if (s.damaged > 0)
		agentbox_layout_note(r,
		    "%zu file%s among the messages cannot be read", s.damaged,
		    s.damaged == 1 ? "" : "s");
	if (s.aside > 0)
		agentbox_layout_note(r,
		    "%zu staged file%s that nobody finished %s put into "
		    "staging/quarantine",
		    s.aside, s.aside == 1 ? "" : "s",
		    s.aside == 1 ? "was" : "were");
	return 0;
}
