/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks the user about a send that is held: writes a form, and reads the answer.
 * gate/outbox_ask.h decides what either is worth.
 */
#include "door/mcp/elicit.h"
#include "base/utf8.h"
#include "door/child.h"
#include "door/fence.h"
#include "door/mcp/streamable.h"
#include "door/out.h"
#include "gate/mailbox.h"
#include "gate/outbox_ask.h"

enum {
	TEXT_SHOWN = 1500
};

#define META "io.modelcontextprotocol/"

/* A client that names no mode supports forms. */
bool
mcp_elicit_declared(const struct json_value *capabilities)
{
	const struct json_value *v =
	    json_parse_member(capabilities, "elicitation");

	return json_parse_is_object(v) &&
	    (json_parse_member(v, "form") != NULL ||
		json_parse_member(v, "url") == NULL);
}

/* Over HTTP a question is sent like the answer to the call. */
bool
mcp_elicit_can(const struct mcp_request *q)
{
	const struct json_value *v = json_parse_member(q->params, "_meta");

	if (q->era == MCP_MODERN)
		return mcp_elicit_declared(
		    json_parse_member(v, META "clientCapabilities"));
	return q->m->elicits && !q->silent &&
	    (q->m->agent == NULL || q->m->streams);
}

/* The user is asked again after anything except yes or no. */
static enum outbox_ask_word
mcp_elicit_accepted(const struct json_value *content)
{
	bool yes;

	if (!json_parse_bool(json_parse_member(content, "approve"), &yes))
		return OUTBOX_ASK_DONE;
	return yes ? OUTBOX_ASK_YES : OUTBOX_ASK_NO;
}

bool
mcp_elicit_word(const struct json_value *answer, int *word)
{
	const struct json_value *content = json_parse_member(answer, "content");
	struct str action;

	if (!json_parse_str(json_parse_member(answer, "action"), &action) ||
	    (content != NULL && !json_parse_is_null(content) &&
		!json_parse_is_object(content)))
		return false;
	if (str_eq(action, S("accept")))
		*word = mcp_elicit_accepted(content);
	else if (str_eq(action, S("decline")) || str_eq(action, S("cancel")))
		*word = OUTBOX_ASK_NO;
	else
		return false;
	return true;
}

/* The answer of a legacy client's user to our request. */
static int
read_legacy(const struct mcp_request *q, struct outbox_ask_answer *out)
{
	out->state = q->state;
	out->word = (enum outbox_ask_word)q->word;
	return q->state.n > 0;
}

int
mcp_elicit_read(struct mcp_request *q, struct outbox_ask_answer *out)
{
	const struct json_value *state =
	    json_parse_member(q->params, "requestState");
	const struct json_value *all =
	    json_parse_member(q->params, "inputResponses");
	const struct json_value *ours = json_parse_member(all, "approval");
	int word = OUTBOX_ASK_NOTHING;

	out->word = OUTBOX_ASK_NOTHING;
	if (state == NULL && q->era != MCP_MODERN)
		return read_legacy(q, out);
	if (state == NULL && all == NULL)
		return 0;
	if (q->era != MCP_MODERN || !json_parse_str(state, &out->state))
		return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS,
		    "this requestState was not made by this server");
	if (all != NULL && !json_parse_is_object(all))
		return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS,
		    "params.inputResponses must be an object");
	if (ours != NULL && !mcp_elicit_word(ours, &word))
		return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS,
		    "an answer has an action, one of accept, decline and "
		    "cancel, and a content, an object");
	out->word = (enum outbox_ask_word)word;
	return 1;
}

static void
mcp_elicit_line(struct buf *b, struct arena *a, const char *name,
    struct str value)
{
	buf_fmt(b, "%s: ", name);
	buf_str(b, out_line(a, value));
	buf_char(b, '\n');
}

static void
mcp_elicit_put_change(struct buf *b, struct arena *a,
    const struct outbox_held *h)
{
	const struct mailbox_change *v = h->change;

	mcp_elicit_line(b, a, "account", h->account);
	mcp_elicit_line(b, a, "agent", h->principal);
	for (size_t i = 0; i < h->subjects.n; i++)
		mcp_elicit_line(b, a, "subject", h->subjects.v[i]);
	if (v->n > h->subjects.n)
		buf_fmt(b, "(and %zu messages more)\n", v->n - h->subjects.n);
	/* At the end, so that no subject can scroll it away. */
	mcp_elicit_line(b, a, "change", changes_text(a, v));
	if ((v->set | v->clear) != 0 || v->add.n + v->drop.n > 0) {
		mcp_elicit_line(b, a, "set",
		    changes_text_marks(a, v->set, &v->add));
		mcp_elicit_line(b, a, "clear",
		    changes_text_marks(a, v->clear, &v->drop));
	}
}

static void
mcp_elicit_put_head(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	mcp_elicit_line(b, a, "account", h->account);
	mcp_elicit_line(b, a, "agent", h->principal);
	mcp_elicit_line(b, a, "why it waits", h->reason);
	mcp_elicit_line(b, a, "from", h->sender);
	for (size_t i = 0; i < h->n; i++)
		mcp_elicit_line(b, a, h->to[i].kind, h->to[i].address);
	mcp_elicit_line(b, a, "subject", h->subject);
	buf_fmt(b, "size: %llu bytes\n", (unsigned long long)h->bytes);
	for (size_t i = 0; i < h->files; i++) {
		const struct outbox_held_file *f = &h->file[i];

		mcp_elicit_line(b, a, "attachment",
		    str_fmt(a, "%.*s (%.*s, %zu bytes)", STR_ARG(f->name),
			STR_ARG(f->type), f->bytes));
		for (size_t k = 0; k < f->which.n; k++) {
			buf_text(b, "  | ");
			buf_str(b, out_line(a, f->which.v[k]));
			buf_char(b, '\n');
		}
	}
	for (int i = 0; i < WARNINGS; i++)
		if (h->warned[i] > 0)
			mcp_elicit_line(b, a, "warning",
			    str_fmt(a, "%s (%u)", warning_table[i].code,
				(unsigned)h->warned[i]));
}

/* A bar precedes each line, so that none can pass for our own words. */
static void
mcp_elicit_put_text(struct buf *b, struct arena *a, struct str text)
{
	struct str shown = utf8_first(text, TEXT_SHOWN), rest, one;
	bool more = shown.n > 0;

	rest = out_safe(a, shown);
	buf_text(b, "text:\n");
	while (more) {
		more = str_cut(rest, '\n', &one, &rest) && rest.n > 0;
		buf_text(b, "  | ");
		buf_str(b, one);
		buf_char(b, '\n');
	}
	if (shown.n < text.n)
		buf_fmt(b, "(and %zu bytes more)\n", text.n - shown.n);
}

static struct str
mcp_elicit_message(struct arena *a, const struct outbox_ask *ask)
{
	long long id = (long long)ask->held.id;
	bool change = ask->held.change != NULL;
	struct buf b;

	buf_init(&b, a, 8UL << 20);
	buf_fmt(&b, "%s %lld is held and has not been %s. ",
	    change ? "Change" : "Message", id, change ? "made" : "sent");
	if (ask->releases)
		buf_fmt(&b,
		    "Accept with \"approve\" to %s it as it is. If you "
		    "decline, it waits for the operator.\n"
		    "\n",
		    change ? "make" : "send");
	else
		buf_fmt(&b,
		    "Only the operator can release it, outside this client: "
		    "emcli approve show %lld, emcli approve release %lld. "
		    "Accept when that is done; accepting %s nothing.\n"
		    "\n",
		    id, id, change ? "changes" : "sends");
	if (change) {
		mcp_elicit_put_change(&b, a, &ask->held);
		return buf_view(&b);
	}
	mcp_elicit_put_head(&b, a, &ask->held);
	mcp_elicit_put_text(&b, a, ask->held.text);
	return buf_view(&b);
}

static void
mcp_elicit_put_schema(struct json *out, const struct outbox_ask *ask)
{
	json_open_object(out, "requestedSchema");
	json_put_text(out, "type", "object");
	json_open_object(out, "properties");
	if (ask->releases) {
		json_open_object(out, "approve");
		json_put_text(out, "type", "boolean");
		json_put_text(out, "title",
		    ask->held.change != NULL ? "Make it as it is"
					     : "Send it as it is");
		json_put_bool(out, "default", false);
		json_close_object(out);
	}
	json_close_object(out);
	if (ask->releases) {
		json_open_array(out, "required");
		json_put_text(out, NULL, "approve");
		json_close_array(out);
	}
	json_close_object(out);
}

static struct json *
mcp_elicit_question(struct mcp_request *q, const struct outbox_ask *ask,
    struct str id)
{
	struct json *j = json_new(q->a);

	json_open_object(j, NULL);
	json_put_text(j, "jsonrpc", "2.0");
	json_put_text(j, "method", "elicitation/create");
	json_put_str(j, "id", id);
	json_open_object(j, "params");
	json_put_str(j, "message", mcp_elicit_message(q->a, ask));
	mcp_elicit_put_schema(j, ask);
	json_close_object(j);
	json_close_object(j);
	return j;
}

void
mcp_elicit_ask(struct mcp_request *q, const struct outbox_ask *ask)
{
	struct err e = { 0 };
	struct str id;

	if (fence_word(q->a, &id, &e) < 0)
		err_bug("%s", e.say);
	q->state = ask->state;
	q->word = OUTBOX_ASK_DONE;
	if (q->m->streams) {
		q->silent = !running_ask(q->m->place,
		    mcp_session_call(q->m,
			&(struct mcp_id){ MCP_ID_TEXT, 0, id }));
		if (q->silent)
			return;
		child_say(CHILD_NOTE, mcp_elicit_question(q, ask, id));
		q->silent = !running_await(q->m->place, &q->word);
		return;
	}
	child_line(MCP_ASKED,
	    str_fmt(q->a, "%.*s %.*s %.*s", STR_ARG(id), STR_ARG(ask->state),
		STR_ARG(json_text(mcp_elicit_question(q, ask, id), q->a))));
	_exit(0);
}

void
mcp_elicit_put(struct mcp_request *q, struct json *out,
    const struct outbox_ask *ask)
{
	q->asks = true;
	json_open_object(out, "inputRequests");
	json_open_object(out, "approval");
	json_put_text(out, "method", "elicitation/create");
	json_open_object(out, "params");
	json_put_text(out, "mode", "form");
	json_put_str(out, "message", mcp_elicit_message(q->a, ask));
	mcp_elicit_put_schema(out, ask);
	json_close_object(out);
	json_close_object(out);
	json_close_object(out);
	json_put_str(out, "requestState", ask->state);
}
