/* SPDX-License-Identifier: Apache-2.0 */
/* A page of a box, newest first, each message with its body. */
#include "base/limits.h"
#include "op/mail.h"

enum {
	COUNTED = 1000 /* messages that a total is counted of */
};

/* "before:7", in words that mean nothing to anybody else. */
static int
mail_page_cursor(struct call *c, uint32_t *before, struct err *e)
{
	struct str text = args_text(c->args, "cursor"), kind, uid;

	*before = 0;
	if (text.n == 0)
		return 0;
	if (!str_cut(text, ':', &kind, &uid) || !str_eq(kind, S("before")) ||
	    !str_to_u32(uid, UINT32_MAX, before) || *before == 0)
		return err_set(e, ERR_USAGE,
		    "cursor is none of this mailbox: pass next_cursor as it "
		    "is");
	return 0;
}

static int
mail_page_find(struct call *c, const struct mail_page *p, uint32_t before,
    size_t limit, struct mails *out, struct err *e)
{
	const struct mailbox_query q = {
		.folder = p->folder,
		.before = before,
		.with = p->with,
		.without = p->without,
		.received_s = args_has(c->args, "since")
		    ? args_date(c->args, "since")
		    : 0,
		.limit = limit,
	};

	return mailbox_find(c->mailbox, &q, out, e);
}

/* Every match, from the newest; null when that is too long a way. */
static int
mail_page_put_total(struct call *c, const struct mail_page *p, struct json *j,
    struct err *e)
{
	uint32_t before = 0;
	size_t n = 0;

	do {
		struct mails l;

		if (mail_page_find(c, p, before, LIMIT_PAGE, &l, e) < 0)
			return -1;
		n += l.n;
		before = l.next_before;
	} while (before != 0 && n < COUNTED);
	if (before == 0)
		json_put_int(j, "total_count", (int64_t)n);
	else
		json_put_null(j, "total_count");
	return 0;
}

int
mail_page_read(struct call *c, struct mail_box *b, const struct mail_page *p,
    struct mails *out, struct err *e)
{
	size_t limit = args_count(c->args, "limit", LIMIT_PAGE);
	uint32_t before;

	(void)b;
	if (mail_page_cursor(c, &before, e) < 0 ||
	    mail_page_find(c, p, before, limit, out, e) < 0) {
		if (e->kind == ERR_NOT_FOUND) {
			(void)err_set(e, ERR_NOT_FOUND,
			    "the mailbox has no box of that name");
			e->reason = "box_not_found";
		}
		return -1;
	}
	for (size_t i = 0; i < out->n; i++)
		out->v[i].folder = p->folder;
	return 0;
}

int
mail_page_put(struct call *c, struct mail_box *b, const struct mail_page *p,
    const struct mails *l, struct json *j, struct err *e)
{
	json_open_array(j, "messages");
	for (size_t i = 0; i < l->n; i++)
		if (mail_put_message(c, b, j, NULL, &l->v[i], p->body, e) < 0)
			return -1;
	json_close_array(j);
	if (!b->extensions)
		return 0;
	if (l->next_before != 0)
		json_put_str(j, "next_cursor",
		    str_fmt(c->arena, "before:%u", l->next_before));
	else
		json_put_null(j, "next_cursor");
	return mail_page_put_total(c, p, j, e);
}
