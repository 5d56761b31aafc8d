/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts messages into folders: uploads them unchanged and imports them (RFC 8620
 * section 6.1, RFC 8621 section 4.8), so that every byte is ours.
 */
#include "backend/jmap/put.h"
#include "backend/jmap/change.h"
#include "backend/jmap/internal.h"
#include "backend/jmap/query.h"
#include "backend/jmap/url.h"

#define UPLOADED (64UL << 10) /* the answer to an upload */

static int
jmap_put_upload(struct jmap *j, struct arena *a, struct str message,
    struct str *blob, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct jmap_url_var var = { "accountId", j->session.account };
	struct jmap_request q = {
		.url = jmap_url_fill(a, j->session.upload, &var, 1),
		.body = message,
		.type = "message/rfc822",
		.max = UPLOADED,
	};
	struct http_reply r = { 0 };
	struct err why = { 0 };
	struct str id;
	int64_t size;
	int sent;

	if (message.n > j->session.max_upload)
		return err_set(e, ERR_LIMIT,
		    "the message is larger than the mail server accepts");
	sent = jmap_wire_ask(j, &q, &r, e);
	if (sent < 0)
		return sent;
	if (json_parse_open(r.body, UPLOADED, &doc, &why) < 0 ||
	    !jmap_id(json_parse_root(doc), "blobId", &id))
		return jmap_wire_nonsense(e, "an upload without an id");
	if (json_parse_int(json_parse_member(json_parse_root(doc), "size"),
		&size) &&
	    (uint64_t)size != message.n)
		return jmap_wire_nonsense(e, "an upload of another size");
	*blob = str_dup(a, id);
	return 0;
}

static size_t
put_import(struct jmap_call *c, const struct jmap_box *box, struct str blob,
    enum jmap_mark mark)
{
	size_t i = jmap_call_open(c, "Email/import", c->j->session.account);

	json_open_object(c->out, "emails");
	json_open_object(c->out, "m");
	json_put_str(c->out, "blobId", blob);
	json_open_object(c->out, "mailboxIds");
	json_put_bool(c->out, str_c(c->a, box->id), true);
	json_close_object(c->out);
	json_open_object(c->out, "keywords");
	json_put_bool(c->out, "$seen", true);
	if (mark != JMAP_READ)
		json_put_bool(c->out, "$draft", true);
	json_close_object(c->out);
	json_close_object(c->out);
	json_close_object(c->out);
	jmap_call_close(c);
	return i;
}

/* These bytes are already in the account: adds them to the folder too. */
static int
jmap_put_share(struct jmap *j, struct arena *a, const struct jmap_box *box,
    enum jmap_mark mark, struct str id, struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *args;
	size_t i;
	int r;

	jmap_call_begin(j, a, &c);
	i = jmap_call_open(&c, "Email/set", j->session.account);
	json_open_object(c.out, "update");
	json_open_object(c.out, str_c(a, id));
	json_put_bool(c.out, jmap_change_path(a, "mailboxIds", box->id), true);
	json_put_bool(c.out, "keywords/$seen", true);
	if (mark == JMAP_DRAFT)
		json_put_bool(c.out, "keywords/$draft", true);
	json_close_object(c.out);
	json_close_object(c.out);
	jmap_call_close(&c);
	if ((r = jmap_call_send(&c, e)) < 0 ||
	    (r = jmap_call_take(&c, i, &args, e)) < 0)
		return r;
	if (json_parse_member(json_parse_member(args, "updated"),
		str_c(a, id)) == NULL)
		return err_set(e, ERR_NETWORK,
		    "the mail server did not put the message into the folder");
	return 0;
}

static int
jmap_put_take_import(struct jmap_call *c, size_t i, const struct jmap_box *box,
    enum jmap_mark mark, struct jmap_put *out, struct err *e)
{
	const struct json_value *args, *v;
	struct str s = { 0 };
	int r = jmap_call_take(c, i, &args, e);

	if (r < 0)
		return r;
	v = json_parse_member(json_parse_member(args, "created"), "m");
	if (jmap_id(v, "id", &s)) {
		out->id = str_dup(c->a, s);
		if (jmap_id(v, "threadId", &s))
			out->thread = str_dup(c->a, s);
		return 0;
	}
	v = json_parse_member(json_parse_member(args, "notCreated"), "m");
	if (!json_parse_str(json_parse_member(v, "type"), &s))
		return jmap_wire_nonsense(e, "neither imported nor refused");
	if (!str_eq(s, S("alreadyExists")) ||
	    !jmap_id(v, "existingId", &out->id))
		return jmap_call_refused(s, e);
	out->id = str_dup(c->a, out->id);
	out->existed = true;
	return mark == JMAP_PASSING
	    ? 0
	    : jmap_put_share(c->j, c->a, box, mark, out->id, e);
}

/* Is a folder from the cache still the same? */
static int
jmap_put_verify(struct jmap *j, struct arena *a, const struct jmap_box *box,
    struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	uint32_t exists;
	size_t i;
	int r;

	if (!j->boxes_kept)
		return 0;
	jmap_call_begin(j, a, &c);
	i = jmap_folder_ask(&c, box);
	if ((r = jmap_call_send(&c, e)) < 0)
		return r;
	return jmap_folder_check(&c, i, box, &exists, e);
}

int
jmap_put(struct jmap *j, struct arena *a, const struct jmap_box *box,
    struct str message, enum jmap_mark mark, struct jmap_put *out,
    struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	struct str blob = { 0 };
	size_t i;
	int r;

	*out = (struct jmap_put){ 0 };
	if ((r = jmap_put_verify(j, a, box, e)) < 0 ||
	    (r = jmap_put_upload(j, a, message, &blob, e)) < 0)
		return r;
	jmap_call_begin(j, a, &c);
	i = put_import(&c, box, blob, mark);
	if ((r = jmap_call_send(&c, e)) < 0)
		return r;
	return jmap_put_take_import(&c, i, box, mark, out, e);
}

static int
jmap_put_put(struct jmap *j, struct arena *a, struct str folder,
    struct str message, enum jmap_mark mark, struct jmap_put *out,
    struct err *e)
{
	const struct jmap_box *box;
	int r;

	jmap_thread_drop(j);
	do {
		r = jmap_folder_find(j, folder, &box, e);
		if (r == 0)
			r = jmap_put(j, a, box, message, mark, out, e);
	} while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}

int
jmap_put_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e)
{
	struct jmap_put got;

	return jmap_put_put((struct jmap *)c, a, folder, message, JMAP_READ,
	    &got, e);
}

/* The folder for drafts, if known. */
static const struct jmap_box *
jmap_put_drafts_box(struct jmap *j, int *r, struct err *e)
{
	struct str named = j->conn.acct->drafts_folder;
	const struct jmap_box *box = NULL;

	*r = 0;
	if (named.n > 0)
		*r = jmap_folder_find(j, named, &box, e);
	else if ((*r = jmap_folder_need(j, e)) == 0)
		box = jmap_folder_role(j, FOLDER_DRAFTS);
	return box;
}

static int
jmap_put_find_drafts(struct jmap *j, struct arena *a, struct str *folder,
    struct err *e)
{
	int r;
	const struct jmap_box *box = jmap_put_drafts_box(j, &r, e);

	if (r < 0 && (r == JMAP_STALE || e->kind != ERR_NOT_FOUND))
		return r;
	*e = (struct err){ 0 };
	if (box == NULL) {
		(void)err_set(e, ERR_UNSUPPORTED,
		    "the account has no folder for drafts");
		return j->boxes_kept ? JMAP_STALE : -1;
	}
	if (!box->may_add) {
		(void)err_set(e, ERR_UNSUPPORTED,
		    "the folder for drafts is not writable");
		return j->boxes_kept ? JMAP_STALE : -1;
	}
	if ((r = jmap_put_verify(j, a, box, e)) < 0)
		return r;
	*folder = str_dup(a, box->path);
	return 0;
}

int
jmap_put_drafts(struct conn *c, struct arena *a, struct str *folder,
    struct err *e)
{
	struct jmap *j = (struct jmap *)c;
	int r;

	do
		r = jmap_put_find_drafts(j, a, folder, e);
	while (r == JMAP_STALE && jmap_session_again(j, e));
	return r < 0 ? -1 : 0;
}

/*
 * The server puts a message into a thread by its References and Subject (RFC
 * 8621 section 3): *out says which thread it is in.
 */
int
jmap_put_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	struct jmap_put got;

	(void)thread;
	if (jmap_put_put((struct jmap *)c, a, folder, message, JMAP_DRAFT, &got,
		e) < 0)
		return -1;
	*out = (struct drafted){
		.id = got.id,
		.ref.id = got.id,
		.thread = got.thread,
	};
	return 0;
}
