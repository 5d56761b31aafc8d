/* SPDX-License-Identifier: Apache-2.0 */
/* What is in a root, without a change to it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include "backend/agentbox/clean.h"
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

/* Entries of a folder that is open, or 0; folders below it `deep` times. */
static size_t
look_count(int fd, const char *but, unsigned deep)
{
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;
	size_t n = 0;

	while (dir != NULL && (d = readdir(dir)) != NULL) {
		int below = -1;

		if (d->d_name[0] == '.' || strcmp(d->d_name, but) == 0)
			continue;
		if (deep > 0)
			below = path_dir_open(fd, d->d_name);
		n += below < 0 ? 1 : look_count(below, but, deep - 1);
	}
	return n;
}

size_t
agentbox_look_quarantined(const struct agentbox_root *r)
{
	return look_count(agentbox_layout_open(r->dir, "staging/quarantine",
			      false),
	    "", 1);
}

static int
look_regs(struct agentbox_root *r, struct arena *a, struct agentbox_look *out,
    struct err *e)
{
	struct agentbox_regs l;

	if (agentbox_register_list(r, a, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++)
		switch (l.v[i].status) {
		case AGENTBOX_ACTIVE:
			out->active++;
			break;
		case AGENTBOX_INACTIVE:
			out->inactive++;
			break;
		case AGENTBOX_STASHED:
			out->stashed++;
			break;
		}
	return 0;
}

static int
look_messages(struct agentbox_root *r, struct arena *a, size_t *n,
    struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct strs ids = { 0 }, created = { 0 };

	if (db_index_open(&d, r, false, e) < 0 ||
	    db_fix_ids(&d, a, &ids, &created, e) < 0)
		return -1;
	*n = ids.n;
	return 0;
}

static int
look_journal(struct agentbox_root *r, size_t *n, struct err *e)
{
	struct db *own = db_own(r, e);

	return own == NULL ? -1 : db_own_rows(own, n, e);
}

int
agentbox_look(const char *path, const struct agentbox_use *use, struct arena *a,
    struct agentbox_look *out, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;

	*out = (struct agentbox_look){ 0 };
	if (agentbox_root_other(path, use, &r, &out->protocol, e) < 0)
		return -1;
	agentbox_lock_left(r, a, &out->locks);
	out->staged = look_count(agentbox_layout_open(r->dir, "staging", false),
	    "quarantine", 0);
	out->quarantined = agentbox_look_quarantined(r);
	if (look_regs(r, a, out, e) < 0 ||
	    look_messages(r, a, &out->messages, e) < 0)
		return -1;
	if (out->protocol != 1)
		return 0;
	return look_journal(r, &out->unfinished, e) < 0
	    ? -1
	    : agentbox_repair_look(r, a, &out->report, e);
}
