/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of messages that stay: Email/set with patches, RFC 8621 section 4.6.
 *
 * All of them change or none.  RFC 8620 section 5.3 lets a server change some
 * objects of a call and refuse others.  So the messages are read first, and
 * changed only if nothing has changed since (ifInState); what is refused even
 * then is refused for reasons of the server's own, and what it did change is
 * changed back.
 */
#include "backend/jmap/change.h"
#include "backend/jmap/internal.h"
#include "backend/jmap/query.h"
#include "backend/jmap/row.h"
#include "base/buf.h"

#define TRIES 5 /* while other clients keep changing the account */

/* What changes of one message. */
struct changed {
	struct str id;
	unsigned set, clear;
	struct strs add, drop; /* labels */
	struct str from, to;   /* ids of folders, or empty */
};

struct changing {
	struct jmap *j;
	struct arena *a;
	const struct jmap_change *want;
	const struct jmap_box *box; /* of want->folder, or NULL */
	struct str state;           /* of all Email objects, when read */
	struct changed *v;
	size_t n;
};

const char *
jmap_change_path(struct arena *a, const char *prefix, struct str id)
{
	struct buf b;

	buf_init(&b, a, 2 * JMAP_ID + 64);
	buf_text(&b, prefix);
	buf_char(&b, '/');
	for (size_t i = 0; i < id.n; i++)
		if (id.p[i] == '~')
			buf_text(&b, "~0");
		else if (id.p[i] == '/')
			buf_text(&b, "~1");
		else
			buf_char(&b, id.p[i]);
	return str_c(a, buf_view(&b));
}

static int
jmap_change_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

/* Those of `wanted` that the message has, or has not. */
static struct strs
jmap_change_labels(struct arena *a, const struct strs *wanted,
    const struct strs *has, bool having)
{
	struct strs out = { 0 };

	for (size_t i = 0; i < wanted->n; i++)
		if (str_among_case(has, wanted->v[i]) == having)
			str_push(a, &out, wanted->v[i]);
	return out;
}

/* What has to be done to the i-th message, as it is now. */
static void
jmap_change_plan(struct changing *t, size_t i, const struct jmap_mail *m)
{
	const struct jmap_change *w = t->want;
	const struct jmap_box *at =
	    t->box != NULL ? t->box : jmap_flag_place(t->j, &m->boxes);
	struct str to = str_of(w->to), only = str_of(w->only_from);
	struct str from = only.n > 0 ? only : at != NULL ? at->id : S("");
	struct changed c = {
		.id = m->row.ref.id,
		.set = w->set & ~m->row.flags,
		.clear = w->clear & m->row.flags,
		.add = jmap_change_labels(t->a, &w->add, &m->row.labels, false),
		.drop =
		    jmap_change_labels(t->a, &w->drop, &m->row.labels, true),
	};

	if (to.n > 0 && !str_eq(from, to) && str_among(&m->boxes, from)) {
		if (w->was == NULL || !str_among(&w->was->v[i], from))
			c.from = from;
		if (!str_among(&m->boxes, to))
			c.to = to;
	}
	if (c.set != 0 || c.clear != 0 || c.add.n > 0 || c.drop.n > 0 ||
	    c.from.n > 0 || c.to.n > 0)
		t->v[t->n++] = c;
}

static int
jmap_change_take(struct changing *t, const struct json_value *args,
    struct err *e)
{
	const struct json_value *list = json_parse_member(args, "list");
	size_t n = json_parse_count(list), found = 0;
	const struct refs *refs = t->want->refs;

	if (!json_parse_str(json_parse_member(args, "state"), &t->state))
		return jmap_wire_nonsense(e, "messages without a state");
	t->state = str_dup(t->a, t->state);
	t->v = arena_array(t->a, refs->n, sizeof(*t->v));
	t->n = 0;
	for (size_t i = 0; i < refs->n; i++) {
		for (size_t k = 0; k < n; k++) {
			const struct json_value *v = json_parse_item(list, k);
			struct jmap_mail m;
			struct str id;

			if (!jmap_id(v, "id", &id) ||
			    !str_eq(id, refs->v[i].id) ||
			    jmap_row_read(t->a, v,
				t->box != NULL ? t->box->id : S(""), &m) != 1)
				continue;
			found++;
			jmap_change_plan(t, i, &m);
			break;
		}
	}
	return found == refs->n ? 0 : jmap_change_absent(e);
}

/* How the messages are, and in which state of the account. */
static int
jmap_change_read(struct changing *t, struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct refs *refs = t->want->refs;
	const struct json_value *args;
	size_t box = 0, get;
	uint32_t exists;
	int r;

	jmap_call_begin(t->j, t->a, &c);
	if (t->box != NULL)
		box = jmap_folder_ask(&c, t->box);
	get = jmap_call_open(&c, "Email/get", t->j->session.account);
	json_open_array(c.out, "ids");
	for (size_t i = 0; i < refs->n; i++)
		json_put_str(c.out, NULL, refs->v[i].id);
	json_close_array(c.out);
	json_open_array(c.out, "properties");
	json_put_text(c.out, NULL, "id");
	json_put_text(c.out, NULL, "mailboxIds");
	json_put_text(c.out, NULL, "keywords");
	json_close_array(c.out);
	jmap_call_close(&c);
	if ((r = jmap_call_send(&c, e)) < 0 ||
	    (t->box != NULL &&
		(r = jmap_folder_check(&c, box, t->box, &exists, e)) < 0) ||
	    (r = jmap_call_take(&c, get, &args, e)) < 0)
		return r;
	return jmap_change_take(t, args, e);
}

/* Sets with true and clears with null, RFC 8621 section 4.1.1. */
static void
jmap_change_put_keyword(struct json *out, struct arena *a, struct str key,
    bool set)
{
	const char *path = jmap_change_path(a, "keywords", key);

	if (set)
		json_put_bool(out, path, true);
	else
		json_put_null(out, path);
}

/* `back` is the way back. */
static void
jmap_change_put_keywords(struct json *out, struct arena *a,
    const struct changed *v, bool back)
{
	for (unsigned flag = 1; flag <= (v->set | v->clear); flag <<= 1) {
		const char *key = jmap_flag_keyword(flag);

		if (((v->set | v->clear) & flag) && key != NULL)
			jmap_change_put_keyword(out, a, str_of(key),
			    ((v->set & flag) != 0) != back);
	}
	for (size_t i = 0; i < v->add.n; i++)
		jmap_change_put_keyword(out, a, v->add.v[i], !back);
	for (size_t i = 0; i < v->drop.n; i++)
		jmap_change_put_keyword(out, a, v->drop.v[i], back);
}

static void
jmap_change_put_patch(struct json *out, struct arena *a,
    const struct changed *v, bool back)
{
	struct str add = back ? v->from : v->to;
	struct str remove = back ? v->to : v->from;

	json_open_object(out, str_c(a, v->id));
	jmap_change_put_keywords(out, a, v, back);
	if (add.n > 0)
		json_put_bool(out, jmap_change_path(a, "mailboxIds", add),
		    true);
	if (remove.n > 0)
		json_put_null(out, jmap_change_path(a, "mailboxIds", remove));
	json_close_object(out);
}

/* Did the way back change all of those back? */
static bool
jmap_change_is_back(const struct changing *t, const struct jmap_call *c,
    size_t i, const struct json_value *updated)
{
	const struct json_value *args, *done;
	struct err ignored = { 0 };

	if (jmap_call_take(c, i, &args, &ignored) < 0)
		return false;
	done = json_parse_member(args, "updated");
	for (size_t k = 0; k < t->n; k++) {
		const char *id = str_c(t->a, t->v[k].id);

		if (json_parse_member(updated, id) != NULL &&
		    json_parse_member(done, id) == NULL)
			return false;
	}
	return true;
}

/* Takes back what a call changed that did not change all.  False: not all. */
static bool
jmap_change_back(struct changing *t, const struct json_value *updated)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	struct err ignored = { 0 };
	size_t n = 0, set;

	jmap_call_begin(t->j, t->a, &c);
	set = jmap_call_open(&c, "Email/set", t->j->session.account);
	json_open_object(c.out, "update");
	for (size_t i = 0; i < t->n; i++) {
		if (json_parse_member(updated, str_c(t->a, t->v[i].id)) == NULL)
			continue;
		jmap_change_put_patch(c.out, t->a, &t->v[i], true);
		n++;
	}
	json_close_object(c.out);
	jmap_call_close(&c);
	if (n == 0)
		return true;
	return jmap_call_send(&c, &ignored) == 0 &&
	    jmap_change_is_back(t, &c, set, updated);
}

static int
jmap_change_check(struct changing *t, const struct json_value *args,
    struct err *e)
{
	const struct json_value *updated = json_parse_member(args, "updated");
	const struct json_value *refused =
	    json_parse_member(args, "notUpdated");
	struct str type = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		const char *id = str_c(t->a, t->v[i].id);

		if (json_parse_member(updated, id) != NULL &&
		    json_parse_member(refused, id) == NULL)
			continue;
		(void)
		    json_parse_str(json_parse_member(json_parse_member(refused,
							 id),
				       "type"),
			&type);
		if (!jmap_change_back(t, updated))
			return err_set(e, ERR_UNKNOWN_OUTCOME,
			    "some messages were changed, and could not be "
			    "changed back");
		return str_eq(type, S("notFound")) ? jmap_change_absent(e)
						   : jmap_call_refused(type, e);
	}
	return 0;
}

/* 1: something has changed meanwhile. */
static int
jmap_change_write(struct changing *t, struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *args;
	struct str type;
	size_t i;
	int r;

	jmap_call_begin(t->j, t->a, &c);
	i = jmap_call_open(&c, "Email/set", t->j->session.account);
	json_put_str(c.out, "ifInState", t->state);
	json_open_object(c.out, "update");
	for (size_t k = 0; k < t->n; k++)
		jmap_change_put_patch(c.out, t->a, &t->v[k], false);
	json_close_object(c.out);
	jmap_call_close(&c);
	if ((r = jmap_call_send(&c, e)) < 0)
		return r;
	if (jmap_call_error(&c, i, &type) && str_eq(type, S("stateMismatch")))
		return 1;
	if ((r = jmap_call_take(&c, i, &args, e)) < 0)
		return r;
	return jmap_change_check(t, args, e);
}

static int
jmap_change_refuse(const struct jmap *j, const struct jmap_change *w,
    struct err *e)
{
	if (w->refs->n > j->session.max_set || w->refs->n > j->session.max_get)
		return err_set(e, ERR_LIMIT,
		    "that is more messages than the mail server changes at "
		    "once");
	for (size_t i = 0; i < w->refs->n; i++)
		if (!jmap_id_ok(w->refs->v[i].id))
			return jmap_change_absent(e);
	return 0;
}

int
jmap_change(struct jmap *j, struct arena *a, const struct jmap_change *w,
    struct err *e)
{
	struct changing t = { .j = j, .a = a, .want = w };
	int r = w->folder.n > 0 ? jmap_folder_find(j, w->folder, &t.box, e)
				: jmap_folder_need_fresh(j, e);

	if (r < 0)
		return r;
	if (w->refs->n == 0)
		return 0;
	if (jmap_change_refuse(j, w, e) < 0)
		return -1;
	/* What was read ahead is about to be old. */
	j->ahead = (struct jmap_mails){ 0 };
	jmap_thread_drop(j);
	for (int i = 0; i < TRIES; i++) {
		if ((r = jmap_change_read(&t, e)) < 0 || t.n == 0)
			return r;
		if ((r = jmap_change_write(&t, e)) <= 0)
			return r;
	}
	return err_set(e, ERR_NETWORK,
	    "the mailbox changes all the time: try again");
}
