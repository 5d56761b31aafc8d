/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels as folders.  Gmail's own are known by name and need no request; user
 * labels are requested.  "All Mail" is not a label: it means no label in a
 * request.
 */
#include "backend/gmail/internal.h"
#include "base/utf8.h"

static const struct {
	struct str id; /* and name */
	enum folder_role role;
} own[] = {
	{ SI("INBOX"), FOLDER_INBOX },
	{ SI("SENT"), FOLDER_SENT },
	{ SI("DRAFT"), FOLDER_DRAFTS },
	{ SI("TRASH"), FOLDER_TRASH },
	{ SI("SPAM"), FOLDER_JUNK },
	{ SI("STARRED"), FOLDER_FLAGGED },
	{ SI("IMPORTANT"), FOLDER_IMPORTANT },
};

#define OWN (sizeof(own) / sizeof(own[0]))

/* Bytes of a name: Gmail has 225 characters. */
#define NAME 225

/* Labels that are states of messages rather than places, or chat. */
static bool
is_no_folder(struct str id)
{
	return str_eq(id, S("UNREAD")) || str_eq(id, S("CHAT"));
}

static bool
gmail_label_own_find(struct str name, struct gmail_label *out)
{
	if (str_eq_case(name, S("INBOX")))
		name = S("INBOX");
	if (str_eq(name, GMAIL_ALL_MAIL)) {
		*out = (struct gmail_label){ S(""), GMAIL_ALL_MAIL, FOLDER_ALL,
			false };
		return true;
	}
	for (size_t i = 0; i < OWN; i++) {
		if (!str_eq(own[i].id, name))
			continue;
		*out = (struct gmail_label){ own[i].id, own[i].id, own[i].role,
			false };
		return true;
	}
	return false;
}

/* Is it a name that can be shown and requested again? */
static bool
gmail_label_is_name(struct str name)
{
	if (name.n == 0 || name.n > LIMIT_FOLDER_NAME || !utf8_valid(name))
		return false;
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.p[i] < ' ' || name.p[i] == 0x7f)
			return false;
	return true;
}

/* Stores the labels that are folders and are not known in advance. */
static int
read_labels(struct gmail *g, const struct json_value *list, struct err *e)
{
	size_t n = json_parse_count(list);

	if (n > LIMIT_FOLDERS)
		return err_set(e, ERR_LIMIT, "there are too many labels");
	g->label = arena_array(g->a, n + 1, sizeof(*g->label));
	g->labels = 0;
	for (size_t i = 0; i < n; i++) {
		const struct json_value *v = json_parse_item(list, i);
		struct str id = S(""), name = S(""), type = S("");
		struct gmail_label known;

		(void)json_parse_str(json_parse_member(v, "id"), &id);
		(void)json_parse_str(json_parse_member(v, "name"), &name);
		(void)json_parse_str(json_parse_member(v, "type"), &type);
		if (!gmail_url_is_id(id) || !gmail_label_is_name(name) ||
		    is_no_folder(id) || gmail_label_own_find(id, &known) ||
		    gmail_label_own_find(name, &known))
			continue;
		g->label[g->labels++] = (struct gmail_label){
			.id = str_dup(g->a, id),
			.name = str_dup(g->a, name),
			.user = str_eq(type, S("user")),
		};
	}
	return 0;
}

static int
ask_labels(struct gmail *g, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct gmail_ask q = {
		.target = S(GMAIL_LABELS),
	};

	if (gmail_call_json(g, &q, &d, e) < 0)
		return -1;
	return read_labels(g, json_parse_member(json_parse_root(d), "labels"),
	    e);
}

void
gmail_label_take(struct gmail *g, struct str json)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct err ignored = { 0 };

	if (gmail_call_parse(json, &d, &ignored) == 0)
		(void)read_labels(g,
		    json_parse_member(json_parse_root(d), "labels"), &ignored);
}

bool
gmail_label_may_be(struct str name)
{
	struct gmail_label known;

	return gmail_label_is_name(name) && name.n <= NAME &&
	    !is_no_folder(name) && !gmail_label_own_find(name, &known) &&
	    !str_starts_case(name, S("CATEGORY_"));
}

int
gmail_label_user(struct gmail *g, struct str name, struct str *id,
    struct err *e)
{
	if (g->label == NULL && ask_labels(g, e) < 0)
		return -1;
	for (size_t i = 0; i < g->labels; i++)
		if (g->label[i].user && str_eq_case(g->label[i].name, name)) {
			*id = g->label[i].id;
			return 1;
		}
	return 0;
}

int
gmail_label_make(struct gmail *g, struct str name, struct str *id,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct json *j = json_new(g->a);
	struct gmail_ask q = {
		.target = S(GMAIL_ME "/labels"),
		.type = S("application/json"),
	};
	struct str made = S("");

	json_open_object(j, NULL);
	json_put_str(j, "name", name);
	json_close_object(j);
	q.body = json_text(j, g->a);
	if (gmail_call_json(g, &q, &d, e) < 0)
		return -1;
	(void)json_parse_str(json_parse_member(json_parse_root(d), "id"),
	    &made);
	if (!gmail_url_is_id(made))
		return gmail_call_garbled(e, "a label without an id");
	*id = str_dup(g->a, made);
	/* Asked for again when they are needed next. */
	g->label = NULL;
	g->labels = 0;
	return 0;
}

int
gmail_label_folders(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	struct gmail *g = (struct gmail *)c;
	struct folders list = { 0 };

	if (ask_labels(g, e) < 0)
		return -1;
	list.v = arena_array(a, OWN + 1 + g->labels, sizeof(*list.v));
	for (size_t i = 0; i < OWN; i++)
		list.v[list.n++] =
		    (struct folder){ own[i].id, '/', true, own[i].role };
	list.v[list.n++] =
	    (struct folder){ GMAIL_ALL_MAIL, '/', true, FOLDER_ALL };
	for (size_t i = 0; i < g->labels && list.n < LIMIT_FOLDERS; i++)
		list.v[list.n++] =
		    (struct folder){ str_dup(a, g->label[i].name), '/', true,
			    FOLDER_PLAIN };
	*out = list;
	return 0;
}

int
gmail_label_find(struct gmail *g, struct arena *a, struct str folder,
    struct gmail_label *out, struct err *e)
{
	if (gmail_label_own_find(folder, out))
		return 0;
	if (gmail_label_is_name(folder) && g->label == NULL &&
	    ask_labels(g, e) < 0)
		return -1;
	for (size_t i = 0; i < g->labels; i++) {
		if (!str_eq(g->label[i].name, folder))
			continue;
		*out = (struct gmail_label){
			.id = str_dup(a, g->label[i].id),
			.name = str_dup(a, folder),
			.user = g->label[i].user,
		};
		return 0;
	}
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

bool
gmail_label_in(const struct json_value *ids, struct str id)
{
	size_t n = json_parse_count(ids);
	struct str one;

	for (size_t i = 0; i < n; i++)
		if (json_parse_str(json_parse_item(ids, i), &one) &&
		    str_eq(one, id))
			return true;
	return false;
}

bool
gmail_label_is_hidden(const struct gmail_label *l)
{
	return l->role == FOLDER_TRASH || l->role == FOLDER_JUNK;
}

bool
gmail_label_holds(const struct gmail_label *l, const struct json_value *ids)
{
	/* As in a list without includeSpamTrash. */
	if (!gmail_label_is_hidden(l) &&
	    (gmail_label_in(ids, S("TRASH")) || gmail_label_in(ids, S("SPAM"))))
		return false;
	return l->id.n == 0 || gmail_label_in(ids, l->id);
}
