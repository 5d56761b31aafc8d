/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds a folder, and checks on the way that it is unchanged: a name from the
 * cache is verified with every request.
 */
#include "backend/jmap/internal.h"

enum asking {
	ALL,    /* everything about folders */
	STANDS, /* is it the same, and how many messages does it have? */
	FIRST,  /* both */
};

static void
jmap_folder_put_properties(struct json *out, enum asking what)
{
	json_open_array(out, "properties");
	json_put_text(out, NULL, "id");
	json_put_text(out, NULL, "name");
	json_put_text(out, NULL, "parentId");
	if (what != ALL)
		json_put_text(out, NULL, "totalEmails");
	if (what != STANDS) {
		json_put_text(out, NULL, "role");
		json_put_text(out, NULL, "myRights");
	}
	json_close_array(out);
}

static size_t
jmap_folder_put_all(struct jmap_call *c, enum asking what)
{
	size_t i = jmap_call_open(c, "Mailbox/get", c->j->session.account);

	json_put_null(c->out, "ids");
	jmap_folder_put_properties(c->out, what);
	jmap_call_close(c);
	return i;
}

static int
jmap_folder_take_all(const struct jmap_call *c, size_t i,
    const struct json_value **list, struct err *e)
{
	struct jmap *j = c->j;
	const struct json_value *args;
	int r = jmap_call_take(c, i, &args, e);

	if (r < 0)
		return r;
	*list = json_parse_member(args, "list");
	if (jmap_mailbox_read(j->a, *list, &j->boxes, e) < 0)
		return -1;
	j->boxes_known = true;
	j->boxes_kept = false;
	jmap_cache_save(j);
	return 0;
}

static int
jmap_folder_fetch(struct jmap *j, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(JMAP_ANSWER);
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *list;
	size_t i;
	int r;

	jmap_call_begin(j, a, &c);
	i = jmap_folder_put_all(&c, ALL);
	if ((r = jmap_call_send(&c, e)) < 0)
		return r;
	return jmap_folder_take_all(&c, i, &list, e);
}

int
jmap_folder_need(struct jmap *j, struct err *e)
{
	int r;

	do {
		if (jmap_session_need(j, e) < 0)
			return -1;
		r = j->boxes_known ? 0 : jmap_folder_fetch(j, e);
	} while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}

int
jmap_folder_need_fresh(struct jmap *j, struct err *e)
{
	if (jmap_session_need(j, e) < 0)
		return -1;
	j->boxes_known = j->boxes_known && !j->boxes_kept;
	return jmap_folder_need(j, e);
}

static const struct jmap_box *
jmap_folder_by_name(const struct jmap *j, struct str folder)
{
	bool inbox = str_eq_case(folder, S("INBOX"));

	for (size_t i = 0; folder.n > 0 && i < j->boxes.n; i++) {
		const struct jmap_box *b = &j->boxes.v[i];

		if (b->may_read &&
		    (inbox ? b->role == FOLDER_INBOX : str_eq(b->path, folder)))
			return b;
	}
	return NULL;
}

int
jmap_folder_find(struct jmap *j, struct str folder, const struct jmap_box **out,
    struct err *e)
{
	if (jmap_folder_need(j, e) < 0)
		return -1;
	*out = jmap_folder_by_name(j, folder);
	if (*out != NULL)
		return 0;
	(void)err_set(e, ERR_NOT_FOUND, "no such folder or message");
	return j->boxes_kept ? JMAP_STALE : -1;
}

const struct jmap_box *
jmap_folder_role(const struct jmap *j, enum folder_role role)
{
	for (size_t i = 0; i < j->boxes.n; i++)
		if (j->boxes.v[i].role == role && j->boxes.v[i].path.n > 0)
			return &j->boxes.v[i];
	return NULL;
}

/* The folder's parent, if known. */
static const struct jmap_box *
jmap_folder_parent_of(const struct jmap *j, const struct jmap_box *box)
{
	for (size_t i = 0; box->parent.n > 0 && i < j->boxes.n; i++)
		if (str_eq(j->boxes.v[i].id, box->parent))
			return &j->boxes.v[i];
	return NULL;
}

size_t
jmap_folder_ask(struct jmap_call *c, const struct jmap_box *box)
{
	size_t i = jmap_call_open(c, "Mailbox/get", c->j->session.account);
	const struct jmap_box *b = box;

	json_open_array(c->out, "ids");
	for (size_t n = 0; b != NULL && n < JMAP_DEPTH; n++) {
		json_put_str(c->out, NULL, b->id);
		b = c->j->boxes_kept ? jmap_folder_parent_of(c->j, b) : NULL;
	}
	json_close_array(c->out);
	jmap_folder_put_properties(c->out, STANDS);
	jmap_call_close(c);
	return i;
}

/* The object of that id in a list. */
static const struct json_value *
jmap_folder_object_of(const struct json_value *list, struct str id)
{
	size_t n = json_parse_count(list);
	struct str s;

	for (size_t i = 0; i < n && i < LIMIT_FOLDERS; i++) {
		const struct json_value *v = json_parse_item(list, i);

		if (jmap_id(v, "id", &s) && str_eq(s, id))
			return v;
	}
	return NULL;
}

static bool
jmap_folder_is_same(const struct json_value *v, const struct jmap_box *b)
{
	struct str name = { 0 }, parent = { 0 };

	(void)json_parse_str(json_parse_member(v, "name"), &name);
	(void)jmap_id(v, "parentId", &parent);
	return str_eq(name, b->name) && str_eq(parent, b->parent);
}

static uint32_t
jmap_folder_total_of(const struct json_value *v)
{
	int64_t total;

	if (!json_parse_int(json_parse_member(v, "totalEmails"), &total) ||
	    total < 0 || total > UINT32_MAX)
		return 0;
	return (uint32_t)total;
}

int
jmap_folder_check(const struct jmap_call *c, size_t i,
    const struct jmap_box *box, uint32_t *exists, struct err *e)
{
	const struct json_value *args, *list, *v;
	const struct jmap_box *b = box;
	int r = jmap_call_take(c, i, &args, e);

	if (r < 0)
		return r;
	list = json_parse_member(args, "list");
	for (size_t n = 0; n < JMAP_DEPTH; n++) {
		v = jmap_folder_object_of(list, b->id);
		if (v == NULL || !jmap_folder_is_same(v, b)) {
			(void)err_set(e, ERR_NOT_FOUND,
			    "no such folder or message");
			return JMAP_STALE;
		}
		b = c->j->boxes_kept ? jmap_folder_parent_of(c->j, b) : NULL;
		if (b == NULL)
			break;
	}
	*exists = jmap_folder_total_of(jmap_folder_object_of(list, box->id));
	return 0;
}

/*
 * Requests unknown folders together with the query about one: its id is looked
 * up by role or name.  References to results replace only whole arguments (RFC
 * 8620 section 3.7) and the filter of a query is one argument that contains the
 * id; so Core/echo (section 4), whose result is its arguments, makes a filter
 * of it.
 */
void
jmap_folder_ask_first(struct jmap_call *c, struct str folder,
    struct jmap_first *out)
{
	size_t at = folder.n, query;

	out->folder = folder;
	out->all = jmap_folder_put_all(c, FIRST);
	query = jmap_call_open(c, "Mailbox/query", c->j->session.account);
	json_open_object(c->out, "filter");
	while (at > 0 && folder.p[at - 1] != '/')
		at--;
	if (str_eq_case(folder, S("INBOX")))
		json_put_text(c->out, "role", "inbox");
	else
		json_put_str(c->out, "name", str_from(folder, at));
	json_close_object(c->out);
	jmap_call_close(c);
	out->echo = jmap_call_open(c, "Core/echo", S(""));
	jmap_call_ref(c, "inMailbox", query, "/ids/0");
	jmap_call_close(c);
}

/* The name filter finds substrings: the result may be another folder. */
int
jmap_folder_take_first(const struct jmap_call *c, const struct jmap_first *f,
    const struct jmap_box **out, uint32_t *exists, bool *found, struct err *e)
{
	const struct json_value *list, *echo;
	struct err ignored = { 0 };
	struct str id;
	int r = jmap_folder_take_all(c, f->all, &list, e);

	if (r < 0 || (r = jmap_folder_find(c->j, f->folder, out, e)) < 0)
		return r;
	*exists = jmap_folder_total_of(jmap_folder_object_of(list, (*out)->id));
	*found = jmap_call_take(c, f->echo, &echo, &ignored) == 0 &&
	    jmap_id(echo, "inMailbox", &id) && str_eq(id, (*out)->id);
	return 0;
}

int
jmap_folder_list(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	struct jmap *j = (struct jmap *)c;

	/* A caller that lists folders wants new ones too. */
	if (!j->refreshed && jmap_session_need(j, e) == 0)
		j->boxes_known = j->boxes_known && !j->boxes_kept;
	*e = (struct err){ 0 };
	if (jmap_folder_need(j, e) < 0)
		return -1;
	*out = (struct folders){ 0 };
	out->v = arena_array(a, j->boxes.n, sizeof(*out->v));
	for (size_t i = 0; i < j->boxes.n; i++) {
		const struct jmap_box *b = &j->boxes.v[i];

		if (b->path.n == 0)
			continue;
		out->v[out->n++] = (struct folder){
			.name = str_dup(a, b->path),
			.delimiter = '/',
			.selectable = b->may_read,
			.role = b->role,
		};
	}
	return 0;
}
