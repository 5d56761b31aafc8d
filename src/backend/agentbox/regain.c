/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restores registrations after the index was lost: a mailbox's folder names its
 * address, and the messages name the address's owner.  An address without both
 * must be registered again.
 */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"
#include "base/clock.h"

struct regain {
	struct agentbox_root *r;
	struct arena *a;
	struct strs address, owner; /* parallel arrays */
};

static void
regain_learn(struct regain *g, const struct agentbox_parties *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < g->address.n; k++)
			if (str_eq(l->v[i].address, g->address.v[k]))
				g->owner.v[k] =
				    str_dup(g->a, l->v[i].principal);
}

static void
regain_file(struct regain *g, int folder, const char *name)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct agentbox_message m;
	struct agentbox_parties from = { &m.from, 1 };
	struct err none = { 0 };
	struct str file, id;

	if (!agentbox_name_file(str_of(name), &id) ||
	    agentbox_layout_read(folder, name,
		LIMIT_AGENTBOX_FRONT + LIMIT_AGENTBOX_BODY + 16, a, &file,
		&none) != 1 ||
	    agentbox_front_read(a, file, 1, &m, &none) < 0)
		return;
	regain_learn(g, &from);
	regain_learn(g, &m.to);
	regain_learn(g, &m.cc);
}

/* The files of each day, in any order: owners do not change. */
static int
regain_messages(struct regain *g, struct err *e)
{
	int fd = agentbox_layout_folder(g->r, "messages", e);
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d, *f;

	while (dir != NULL && (d = readdir(dir)) != NULL) {
		int one = agentbox_name_day(str_of(d->d_name))
		    ? path_dir_open(fd, d->d_name)
		    : -1;
		CLEANUP(path_dir_close)
		DIR *day = one < 0 ? NULL : fdopendir(one);

		while (day != NULL && (f = readdir(day)) != NULL)
			regain_file(g, one, f->d_name);
	}
	return dir == NULL ? -1 : 0;
}

static int
regain_entries(struct regain *g, struct err *e)
{
	int fd = agentbox_layout_folder(g->r, "mailboxes", e);
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;
	struct stat st;

	while (dir != NULL && (d = readdir(dir)) != NULL) {
		struct str s = str_of(d->d_name);

		if (!agentbox_name_address(s) ||
		    fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISDIR(st.st_mode))
			continue;
		str_push(g->a, &g->address, str_dup(g->a, s));
		str_push(g->a, &g->owner,
		    str_eq(s, S(AGENTBOX_OPERATOR))
			? S(AGENTBOX_OPERATOR_PRINCIPAL)
			: S(""));
	}
	return dir == NULL ? -1 : 0;
}

static int
regain_row(struct regain *g, struct db *d, size_t i, struct err *e)
{
	struct str entry = str_fmt(g->a, "%.*s/mailboxes/%.*s",
	    STR_ARG(g->r->path), STR_ARG(g->address.v[i]));
	struct agentbox_reg reg = {
		.id = agentbox_name_new(g->a, "reg-", 16),
		.address = g->address.v[i],
		.owner = g->owner.v[i],
		.status = AGENTBOX_ACTIVE,
		.path = entry,
		.entry = entry,
		.created = clock_rfc3339(g->a, clock_now()),
	};
	struct agentbox_reg was;
	int known = db_reg_active(d, reg.address, g->a, &was, e);

	if (known != 0)
		return known < 0 ? -1 : 0;
	if (reg.owner.n > 0)
		return db_reg_add(d, &reg, e);
	agentbox_layout_note(g->r,
	    "nothing says whose mailbox %.*s is; register it again",
	    STR_ARG(reg.address));
	return 0;
}

int
agentbox_regain(struct agentbox_root *r, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct regain g = { .r = r, .a = a };

	if (regain_entries(&g, e) < 0 || regain_messages(&g, e) < 0 ||
	    db_index_open(&d, r, false, e) < 0 || db_stmt_begin(&d, e) < 0)
		return -1;
	for (size_t i = 0; i < g.address.n; i++)
		if (regain_row(&g, &d, i, e) < 0)
			return -1;
	return db_stmt_commit(&d, e);
}
