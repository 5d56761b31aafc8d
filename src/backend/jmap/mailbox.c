/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders, RFC 8621 section 2.  Agents use the whole path with "/" between; the
 * inbox is INBOX, whatever its name.
 */
#include "backend/internal.h"
#include "backend/jmap/internal.h"
#include "base/utf8.h"

/* RFC 8621 section 2 uses the names of IANA's IMAP attributes. */
static const struct {
	const char *name;
	enum folder_role role;
} roles[] = {
	{ "inbox", FOLDER_INBOX },
	{ "all", FOLDER_ALL },
	{ "archive", FOLDER_ARCHIVE },
	{ "drafts", FOLDER_DRAFTS },
	{ "flagged", FOLDER_FLAGGED },
	{ "important", FOLDER_IMPORTANT },
	{ "junk", FOLDER_JUNK },
	{ "sent", FOLDER_SENT },
	{ "trash", FOLDER_TRASH },
};

static enum folder_role
jmap_mailbox_role_of(struct str s)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (str_eq_case(s, str_of(roles[i].name)))
			return roles[i].role;
	return FOLDER_PLAIN;
}

static bool
jmap_mailbox_is_name(struct str s)
{
	if (s.n == 0 || s.n > LIMIT_FOLDER_NAME || !utf8_valid(s))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
			return false;
	return true;
}

/* A missing right counts as granted; the server refuses if necessary. */
static bool
jmap_mailbox_may(const struct json_value *v, const char *key)
{
	bool b;

	return !json_parse_bool(json_parse_member(json_parse_member(v,
						      "myRights"),
				    key),
		   &b) ||
	    b;
}

static bool
jmap_mailbox_read_one(struct arena *a, const struct json_value *v,
    struct jmap_box *out)
{
	struct str id, name, parent = { 0 }, role = { 0 };

	if (!jmap_id(v, "id", &id) ||
	    !json_parse_str(json_parse_member(v, "name"), &name) ||
	    !jmap_mailbox_is_name(name))
		return false;
	(void)jmap_id(v, "parentId", &parent);
	(void)json_parse_str(json_parse_member(v, "role"), &role);
	*out = (struct jmap_box){
		.id = str_dup(a, id),
		.name = str_dup(a, name),
		.parent = str_dup(a, parent),
		.role = jmap_mailbox_role_of(role),
		.may_read = jmap_mailbox_may(v, "mayReadItems"),
		.may_add = jmap_mailbox_may(v, "mayAddItems"),
	};
	return true;
}

static int
jmap_mailbox_by_id(const void *x, const void *y)
{
	return str_cmp((*(struct jmap_box *const *)x)->id,
	    (*(struct jmap_box *const *)y)->id);
}

/* By path, then by index: the first of two stays. */
static int
jmap_mailbox_by_path(const void *x, const void *y)
{
	const struct jmap_box *b = *(struct jmap_box *const *)x;
	const struct jmap_box *c = *(struct jmap_box *const *)y;
	int r = str_cmp(b->path, c->path);

	if (r != 0)
		return r;
	return b < c ? -1 : b > c;
}

static struct str
jmap_mailbox_id_at(const void *ctx, size_t i)
{
	return ((struct jmap_box *const *)ctx)[i]->id;
}

static struct jmap_box *
jmap_mailbox_look_up(struct jmap_box **sorted, size_t n, struct str id)
{
	size_t i = backend_place(sorted, n, id, jmap_mailbox_id_at);

	return i < n ? sorted[i] : NULL;
}

static struct str
jmap_mailbox_shown(const struct jmap_box *b)
{
	return b->role == FOLDER_INBOX ? S("INBOX") : b->name;
}

/*
 * The path of one.  A missing parent ends it, as does a cycle: then the folder
 * is at the top.
 */
static struct str
jmap_mailbox_path_of(struct arena *a, struct jmap_box **sorted, size_t n,
    struct jmap_box *box)
{
	struct str path = jmap_mailbox_shown(box);
	const struct jmap_box *up = box;

	for (size_t i = 0; i < JMAP_DEPTH; i++) {
		up = up->parent.n > 0 && up->role != FOLDER_INBOX
		    ? jmap_mailbox_look_up(sorted, n, up->parent)
		    : NULL;
		if (up == NULL)
			return path.n <= LIMIT_FOLDER_NAME ? path : S("");
		path = str_fmt(a, "%.*s/%.*s", STR_ARG(jmap_mailbox_shown(up)),
		    STR_ARG(path));
	}
	return jmap_mailbox_shown(box);
}

/* Gives every folder a unique name; a folder without one is not shown. */
static void
jmap_mailbox_name_all(struct arena *a, struct jmap_boxes *b)
{
	struct jmap_box **sorted =
	    arena_array(a, b->n, sizeof(struct jmap_box *));
	bool inbox = false;

	for (size_t i = 0; i < b->n; i++) {
		sorted[i] = &b->v[i];
		if (b->v[i].role != FOLDER_INBOX)
			continue;
		if (inbox)
			b->v[i].role = FOLDER_PLAIN;
		inbox = true;
	}
	qsort(sorted, b->n, sizeof(struct jmap_box *), jmap_mailbox_by_id);
	for (size_t i = 0; i < b->n; i++) {
		struct jmap_box *box = &b->v[i];

		box->path = jmap_mailbox_path_of(a, sorted, b->n, box);
		if (box->role != FOLDER_INBOX &&
		    str_eq_case(box->path, S("INBOX")))
			box->path = S("");
	}
	qsort(sorted, b->n, sizeof(struct jmap_box *), jmap_mailbox_by_path);
	for (size_t i = b->n; i-- > 1;)
		if (str_eq(sorted[i]->path, sorted[i - 1]->path))
			sorted[i]->path = S("");
}

int
jmap_mailbox_read(struct arena *a, const struct json_value *list,
    struct jmap_boxes *out, struct err *e)
{
	size_t n = json_parse_count(list);

	*out = (struct jmap_boxes){ 0 };
	if (n == 0 || json_parse_item(list, 0) == NULL)
		return jmap_wire_nonsense(e, "no list of folders");
	if (n > LIMIT_FOLDERS)
		return err_set(e, ERR_LIMIT, "there are too many folders");
	out->v = arena_array(a, n, sizeof(*out->v));
	for (size_t i = 0; i < n; i++)
		if (jmap_mailbox_read_one(a, json_parse_item(list, i),
			&out->v[out->n]))
			out->n++;
	jmap_mailbox_name_all(a, out);
	return 0;
}

void
jmap_mailbox_write(const struct jmap_boxes *b, struct json *out)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct jmap_box *box = &b->v[i];

		json_open_object(out, NULL);
		json_put_str(out, "id", box->id);
		json_put_str(out, "name", box->name);
		if (box->parent.n > 0)
			json_put_str(out, "parentId", box->parent);
		if (box->role != FOLDER_PLAIN)
			json_put_text(out, "role",
			    backend_role_name(box->role));
		json_open_object(out, "myRights");
		json_put_bool(out, "mayReadItems", box->may_read);
		json_put_bool(out, "mayAddItems", box->may_add);
		json_close_object(out);
		json_close_object(out);
	}
}
