/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drafts.  A thread accepts a draft only if headers
 * and subject fit too, which the composer ensures; the result says whether it
 * did.
 */
#include "backend/gmail/internal.h"
#include "base/base64.h"

int
gmail_draft_folder(struct conn *c, struct arena *a, struct str *folder,
    struct err *e)
{
	struct str set = c->acct->drafts_folder;

	(void)a;
	if (set.n > 0 && !str_eq(set, S("DRAFT")))
		return err_set(e, ERR_UNSUPPORTED,
		    "Gmail keeps drafts only in DRAFT: clear --drafts-folder");
	*folder = S("DRAFT");
	return 0;
}

/* {"message":{"raw":"...","threadId":"..."}} */
static struct str
gmail_draft_compose(struct arena *a, struct str message, struct str thread)
{
	struct buf b;
	size_t n = base64_size(message.n);
	char *raw = arena_alloc(a, n);

	n = base64_encode(raw, message.p, message.n);
	for (size_t i = 0; i < n; i++)
		raw[i] = (char)(raw[i] == '+' ? '-'
			: raw[i] == '/'       ? '_'
					      : raw[i]);
	buf_init(&b, a, n + 1024);
	buf_text(&b, "{\"message\":{\"raw\":\"");
	buf_add(&b, raw, n);
	buf_char(&b, '"');
	if (thread.n > 0)
		buf_fmt(&b, ",\"threadId\":\"%.*s\"", STR_ARG(thread));
	buf_text(&b, "}}");
	return buf_view(&b);
}

static int
gmail_draft_read_made(struct arena *a, const struct json_value *v,
    struct drafted *out, struct err *e)
{
	const struct json_value *msg = json_parse_member(v, "message");
	struct str id = S(""), message = S(""), thread = S("");

	(void)json_parse_str(json_parse_member(v, "id"), &id);
	(void)json_parse_str(json_parse_member(msg, "id"), &message);
	(void)json_parse_str(json_parse_member(msg, "threadId"), &thread);
	if (!gmail_url_is_id(id) || !gmail_url_is_id(message) ||
	    !gmail_url_is_id(thread))
		return gmail_call_garbled(e, "a draft without an id");
	*out = (struct drafted){
		.id = str_dup(a, id),
		.ref.id = str_dup(a, message),
		.thread = str_dup(a, thread),
	};
	return 0;
}

static int
gmail_draft_make(struct gmail *g, struct arena *a, struct str message,
    struct str thread, struct drafted *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct gmail_ask q = {
		.target = S(GMAIL_ME "/drafts"),
		.body = gmail_draft_compose(scratch, message, thread),
		.type = S("application/json"),
	};

	if (gmail_call_json(g, &q, &d, e) < 0) {
		/* It may have arrived nevertheless. */
		if (e->kind == ERR_NETWORK)
			(void)err_because(e,
			    "check whether the draft exists before you make "
			    "another");
		return -1;
	}
	return gmail_draft_read_made(a, json_parse_root(d), out, e);
}

int
gmail_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	struct gmail *g = (struct gmail *)c;

	if (!str_eq(folder, S("DRAFT")))
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	if (message.n > GMAIL_DRAFT)
		return err_set(e, ERR_LIMIT,
		    "the draft is too large for Gmail");
	if (!gmail_url_is_id(thread))
		thread = S("");
	gmail_thread_drop(g); /* it is about to change */
	if (gmail_draft_make(g, a, message, thread, out, e) == 0)
		return 0;
	/*
	 * The thread does not exist, and nothing was made: then makes it
	 * outside a thread, as the returned thread shows.
	 */
	if (thread.n == 0 || e->kind != ERR_NOT_FOUND)
		return -1;
	*e = (struct err){ 0 };
	return gmail_draft_make(g, a, message, S(""), out, e);
}
