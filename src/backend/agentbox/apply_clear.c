/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performs the removal of messages from a journal row: their rows first, so
 * that no reader meets a message without its file, then files, attachments that
 * no message has any more, and the state of the mailboxes that are cleared.
 * Repeating it changes nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

struct apply_clear {
	struct arena *a;
	struct strs regs; /* their ids */
	struct strs ids, days;
};

static int
apply_clear_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "messages cannot be removed");
	return err_errno(e, what);
}

static bool
apply_clear_texts(const struct json_value *v, const char *key, struct arena *a,
    struct strs *out)
{
	const struct json_value *l = json_parse_member(v, key);

	for (size_t i = 0; i < json_parse_count(l); i++) {
		struct str s;

		if (!json_parse_str(json_parse_item(l, i), &s))
			return false;
		str_push(a, out, str_dup(a, s));
	}
	return json_parse_is_array(l);
}

static int
apply_clear_read(const struct json_value *v, struct apply_clear *p,
    struct err *e)
{
	if (!apply_clear_texts(v, "regs", p->a, &p->regs) ||
	    !apply_clear_texts(v, "ids", p->a, &p->ids) ||
	    !apply_clear_texts(v, "days", p->a, &p->days) ||
	    p->ids.n != p->days.n)
		return agentbox_plan_broken(e, "messages to remove");
	return 0;
}

/* The files of one day, from the i-th on: which is next. */
static int
apply_clear_day(const struct apply_clear *p, int messages, size_t *i,
    struct err *e)
{
	struct str day = p->days.v[*i];
	const char *name = str_c(p->a, day);
	bool is_day = agentbox_name_day(day);
	CLEANUP(path_close)
	int folder = is_day ? path_dir_open(messages, name) : -1;

	if (is_day && folder < 0 && errno != ENOENT)
		return apply_clear_fail(e, "a day's folder");
	for (; *i < p->ids.n && str_eq(p->days.v[*i], day); (*i)++) {
		struct str id = p->ids.v[*i];

		if (folder >= 0 && agentbox_name_message(id) &&
		    unlinkat(folder, str_fmt(p->a, "%.*s.md", STR_ARG(id)).p,
			0) < 0 &&
		    errno != ENOENT)
			return apply_clear_fail(e, "unlink");
	}
	if (folder >= 0 && fsync(folder) < 0)
		return apply_clear_fail(e, "fsync");
	if (folder >= 0)
		(void)unlinkat(messages, name, AT_REMOVEDIR);
	return 0;
}

/* What came back after a power failure would be adopted as new. */
static int
apply_clear_files(struct agentbox_root *r, const struct apply_clear *p,
    struct err *e)
{
	CLEANUP(path_close)
	int messages = agentbox_layout_folder(r, "messages", e);
	size_t i = 0;

	if (messages < 0)
		return -1;
	while (i < p->ids.n)
		if (apply_clear_day(p, messages, &i, e) < 0)
			return -1;
	return fsync(messages) < 0 ? apply_clear_fail(e, "fsync") : 0;
}

static bool
apply_clear_is_sum(struct str s)
{
	for (size_t i = 0; i + 1 < s.n; i += 2)
		if (str_hex_pair(s, i) < 0)
			return false;
	return s.n == 64;
}

static int
apply_clear_attachments(struct agentbox_root *r, const struct apply_clear *p,
    struct db *d, struct err *e)
{
	CLEANUP(path_close)
	int managed = agentbox_layout_folder(r, "attachments/managed", e);
	struct strs sums = { 0 };

	if (managed < 0 || db_clear_copies(d, p->a, &sums, e) < 0)
		return -1;
	for (size_t i = 0; i < sums.n; i++)
		if (apply_clear_is_sum(sums.v[i]) &&
		    agentbox_layout_remove(managed, str_c(p->a, sums.v[i])) < 0)
			return apply_clear_fail(e, "an attachment");
	return db_clear_unused(d, e);
}

static int
apply_clear_index(struct agentbox_root *r, struct apply_clear *p,
    struct agentbox_reg *reg, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (db_index_open(&d, r, false, e) < 0 ||
	    db_clear_rows(&d, &p->regs, &p->ids, e) < 0)
		return -1;
	for (size_t i = 0; i < p->regs.n; i++)
		if (db_reg_id(&d, p->regs.v[i], p->a, &reg[i], e) < 0)
			return -1;
	return apply_clear_files(r, p, e) < 0
	    ? -1
	    : apply_clear_attachments(r, p, &d, e);
}

static int
apply_clear_own(struct agentbox_root *r, const struct apply_clear *p,
    const struct agentbox_reg *reg, struct err *e)
{
	struct db *own = db_own(r, e);

	if (own == NULL || db_stmt_begin(own, e) < 0)
		return -1;
	if (db_keep_mac_drop(own, &p->ids, e) < 0) {
		db_stmt_rollback(own);
		return -1;
	}
	for (size_t i = 0; i < p->regs.n; i++)
		if (reg[i].id.n > 0 &&
		    db_keep_forget(own, agentbox_box_name(&reg[i]), e) < 0) {
			db_stmt_rollback(own);
			return -1;
		}
	return db_stmt_commit(own, e);
}

/* Every link to a message, in each of its boxes. */
static int
apply_clear_links(int box, struct err *e)
{
	CLEANUP(path_dir_close)
	DIR *dir = fdopendir(fcntl(box, F_DUPFD_CLOEXEC, 0));
	const struct dirent *f;

	if (dir == NULL)
		return apply_clear_fail(e, "a mailbox");
	while ((f = readdir(dir)) != NULL) {
		int fd =
		    f->d_name[0] == '.' ? -1 : path_dir_open(box, f->d_name);
		CLEANUP(path_dir_close) DIR *in = fd < 0 ? NULL : fdopendir(fd);
		const struct dirent *l;
		struct str id;

		while (in != NULL && (l = readdir(in)) != NULL)
			if (agentbox_name_file(str_of(l->d_name), &id) &&
			    unlinkat(fd, l->d_name, 0) < 0 && errno != ENOENT)
				return apply_clear_fail(e, "unlink");
	}
	return 0;
}

static int
apply_clear_box(struct agentbox_root *r, const struct agentbox_reg *reg,
    struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct err why = { 0 };
	CLEANUP(path_close) int box = agentbox_box_open(r, reg, &why);

	if (box < 0) {
		agentbox_layout_note(r,
		    "a mailbox that is missing or not "
		    "usable was not cleared");
		return 0;
	}
	if (apply_clear_links(box, e) < 0 ||
	    db_box_open(&d, r, box, true, e) < 0)
		return -1;
	return db_box_clear(&d, e);
}

int
agentbox_apply_clear(struct agentbox_root *r, struct str plan, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct apply_clear p = { .a = a };
	struct agentbox_reg *reg;

	if (json_parse_open(plan, AGENTBOX_PLAN, &doc, e) < 0)
		return agentbox_plan_broken(e, "not JSON");
	if (apply_clear_read(json_parse_root(doc), &p, e) < 0)
		return -1;
	reg = arena_array(a, p.regs.n, sizeof(*reg));
	if (apply_clear_index(r, &p, reg, e) < 0 ||
	    apply_clear_own(r, &p, reg, e) < 0)
		return -1;
	for (size_t i = 0; i < p.regs.n; i++)
		if (reg[i].id.n > 0 && apply_clear_box(r, &reg[i], e) < 0)
			return -1;
	return 0;
}
