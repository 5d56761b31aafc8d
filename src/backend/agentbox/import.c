/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Imports another root, of protocol 1 or 3, into this one.  Each message goes
 * in like a delivery, by a journal row, and a message that exists here is not
 * changed: an interrupted import continues where it was.
 */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"
#include "backend/agentbox/port.h"

#define FILE_MAX_BYTES (LIMIT_AGENTBOX_FRONT + LIMIT_AGENTBOX_BODY + 16)

struct import {
	struct agentbox_root *to, *from;
	struct arena *a;
	struct agentbox_ported *out;
	struct agentbox_regs regs; /* the active ones of `from` */
	struct strs new;           /* ids that were not here */
};

/* The registrations in the other root, and whether they conflict with ours. */
static int
import_regs(struct import *m, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct agentbox_regs all;

	if (db_index_open(&d, m->from, false, e) < 0 ||
	    db_reg_list(&d, m->a, &all, e) < 0)
		return -1;
	m->regs.v = arena_array(m->a, all.n, sizeof(*m->regs.v));
	for (size_t i = 0; i < all.n; i++)
		if (all.v[i].status == AGENTBOX_ACTIVE &&
		    agentbox_name_address(all.v[i].address))
			m->regs.v[m->regs.n++] = all.v[i];
	return 0;
}

static int
import_conflict(struct err *e, struct str address)
{
	(void)err_set(e, ERR_CONFIG,
	    "an address of the other root is registered here to somebody "
	    "else; nothing was copied");
	e->reason = "registration_conflict";
	return err_because(e, "%.*s", STR_ARG(address));
}

static int
import_look(struct import *m, struct err *e)
{
	struct agentbox_reg here;

	for (size_t i = 0; i < m->regs.n; i++) {
		const struct agentbox_reg *there = &m->regs.v[i];
		int got = agentbox_register_find(m->to, there->address, m->a,
		    &here, e);

		if (got < 0)
			return -1;
		if (got == 1 && !str_eq(here.owner, there->owner))
			return import_conflict(e, there->address);
	}
	return 0;
}

static int
import_register(struct import *m, struct err *e)
{
	for (size_t i = 0; i < m->regs.n; i++) {
		const struct agentbox_reg *there = &m->regs.v[i];
		struct agentbox_claim c = { .address = there->address,
			.owner = there->owner,
			.display_name = there->display_name,
			.manifest_hint = there->manifest_hint,
			.role = there->role };
		struct agentbox_claimed got;
		struct agentbox_reg here;
		int known = agentbox_register_find(m->to, there->address, m->a,
		    &here, e);

		if (known < 0 ||
		    (known == 0 &&
			agentbox_register(m->to, &c, m->a, &got, e) < 0))
			return -1;
		m->out->registrations += known == 0;
	}
	return 0;
}

/* Copies attachments of the other root; true: the message has new paths. */
static int
import_files(struct import *m, struct agentbox_message *x, struct arena *a,
    bool *changed, struct err *e)
{
	for (size_t i = 0; i < x->attachments; i++) {
		struct agentbox_attachment *t = &x->attachment[i], new;
		struct agentbox_file f = { .name = t->label,
			.media_type = t->media_type };
		int got = agentbox_attach_read(m->from, t, a, &f.bytes, e);

		if (got < 0)
			return -1;
		if (got == 0)
			continue;
		if (agentbox_attach_put(m->to, &f, a, &new, e) < 0)
			return -1;
		*changed = *changed || !str_eq(t->path, new.path);
		t->path = new.path;
	}
	return 0;
}

static void
import_copy(struct json *j, struct db *d, const struct agentbox_party *p,
    bool is_sender, struct arena *a)
{
	struct agentbox_reg reg;
	struct err none = { 0 };

	if (db_reg_active(d, p->address, a, &reg, &none) != 1)
		return;
	json_open_object(j, NULL);
	json_put_str(j, "id", reg.id);
	json_put_bool(j, is_sender ? "sender" : "recipient", true);
	json_close_object(j);
}

static int
import_deliver(struct import *m, struct db *d, const struct agentbox_message *x,
    struct str file, struct arena *a, struct err *e)
{
	struct str name = str_fmt(a, "emcli-%.*s.md", STR_ARG(x->id));
	CLEANUP(path_close)
	int staging = agentbox_layout_folder(m->to, "staging", e);
	struct json *j = json_new(a);

	if (staging < 0)
		return -1;
	path_folder_drop(staging, name.p);
	if (path_folder_new(staging, name.p, file, e) < 0 ||
	    path_folder_sync(staging, e) < 0)
		return -1;
	json_open_object(j, NULL);
	json_put_str(j, "id", x->id);
	json_put_str(j, "day", str_first(x->created, 10));
	json_put_str(j, "digest", agentbox_attach_digest(a, file));
	json_open_array(j, "copies");
	for (size_t i = 0; i < x->to.n; i++)
		import_copy(j, d, &x->to.v[i], false, a);
	for (size_t i = 0; i < x->cc.n; i++)
		import_copy(j, d, &x->cc.v[i], false, a);
	import_copy(j, d, &x->from, true, a);
	json_close_array(j);
	json_close_object(j);
	m->out->messages++;
	str_push(m->a, &m->new, str_dup(m->a, x->id));
	return agentbox_replay_new(m->to, "deliver", json_text(j, a), NULL,
		   NULL, e) == 0
	    ? 0
	    : -1;
}

static void
import_damaged(struct import *m, const char *day, const char *name)
{
	str_push(m->a, &m->out->damaged,
	    str_fmt(m->a, "messages/%s/%s", day, name));
}

static int
import_message(struct import *m, struct db *d, int folder, const char *day,
    const char *name, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct agentbox_message x;
	struct err why = { 0 };
	struct str file, id, created;
	bool changed = m->out->protocol != 1;
	int got;

	if (!agentbox_name_file(str_of(name), &id))
		return 0;
	got = db_mail_created(d, id, a, &created, e);
	if (got < 0)
		return -1;
	if (got == 1) {
		m->out->known++;
		return 0;
	}
	if (agentbox_layout_read(folder, name, FILE_MAX_BYTES, a, &file,
		&why) != 1 ||
	    agentbox_front_read(a, file, m->out->protocol, &x, &why) < 0 ||
	    !str_eq(x.id, id) || import_files(m, &x, a, &changed, &why) < 0 ||
	    (changed && agentbox_front_write(a, &x, &file, &why) < 0)) {
		import_damaged(m, day, name);
		return 0;
	}
	return import_deliver(m, d, &x, file, a, e);
}

static int
import_names(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

/* The names in a folder, sorted: message names sort by age. */
static int
import_list(int folder, struct arena *a, struct strs *out, struct err *e)
{
	CLEANUP(path_dir_close)
	DIR *dir = fdopendir(fcntl(folder, F_DUPFD_CLOEXEC, 0));
	const struct dirent *d;

	*out = (struct strs){ 0 };
	if (dir == NULL) {
		(void)err_set(e, ERR_CONFIG, "the other root cannot be read");
		return err_errno(e, "opendir");
	}
	while ((d = readdir(dir)) != NULL)
		if (d->d_name[0] != '.')
			str_push(a, out, str_dup(a, str_of(d->d_name)));
	if (out->n > 1)
		qsort(out->v, out->n, sizeof(*out->v), import_names);
	return 0;
}

static int
import_day(struct import *m, int folder, const char *day, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(256 << 20);
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct strs names;

	if (import_list(folder, a, &names, e) < 0 ||
	    db_index_open(&d, m->to, false, e) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++)
		if (import_message(m, &d, folder, day, str_c(a, names.v[i]),
			e) < 0)
			return -1;
	return 0;
}

static int
import_messages(struct import *m, struct err *e)
{
	CLEANUP(path_close)
	int top = agentbox_layout_folder(m->from, "messages", e);
	struct strs days;

	if (top < 0 || import_list(top, m->a, &days, e) < 0)
		return -1;
	for (size_t i = 0; i < days.n; i++) {
		const char *day = str_c(m->a, days.v[i]);
		CLEANUP(path_close)
		int one =
		    agentbox_name_day(days.v[i]) ? path_dir_open(top, day) : -1;

		if (one >= 0 && import_day(m, one, day, e) < 0)
			return -1;
	}
	return 0;
}

/*
 * If an import from there was interrupted, starts it again, including state;
 * else messages that exist here keep their state.
 */
static int
import_do(struct import *m, struct err *e)
{
	struct db *own = db_own(m->to, e);
	struct str was = { 0 };

	if (own == NULL || db_own_meta(own, "importing", m->a, &was, e) < 0 ||
	    import_regs(m, e) < 0 || import_look(m, e) < 0 ||
	    db_own_meta_put(own, "importing", m->from->path, e) < 0 ||
	    import_register(m, e) < 0 || import_messages(m, e) < 0 ||
	    agentbox_import_state(m->to, m->from, &m->regs,
		str_eq(was, m->from->path) ? NULL : &m->new, m->a, e) < 0)
		return -1;
	return db_own_meta_put(own, "importing", S(""), e);
}

int
agentbox_import(struct agentbox_root *r, const char *from, struct arena *a,
    struct agentbox_ported *out, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *other = NULL;
	CLEANUP(agentbox_lock_done) struct agentbox_root *locked = NULL;
	struct import m = { .to = r, .a = a, .out = out };

	*out = (struct agentbox_ported){ 0 };
	if (agentbox_root_other(from, &r->use, &other, &out->protocol, e) < 0)
		return -1;
	m.from = other;
	if (str_eq(other->path, r->path))
		return err_set(e, ERR_USAGE,
		    "a root is not copied into itself");
	if (agentbox_lock_hold(r, &locked, e) < 0)
		return -1;
	return agentbox_replay(r, e) < 0 ? -1 : import_do(&m, e);
}
