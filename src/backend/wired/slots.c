/* SPDX-License-Identifier: Apache-2.0 */
/* The methods on the client's side: what each sends, and what comes back. */
#include "backend/wired/internal.h"
#include "base/clock.h"
#include "base/path.h"

static struct wired *
wired_at(struct conn *c)
{
	return (struct wired *)(void *)c;
}

static int
wired_folders(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	struct wired_call call = { .verb = WIRED_FOLDERS, .a = a };

	if (wired_call(wired_at(c), &call, e) < 0)
		return -1;
	*out = call.answer.folders;
	return 0;
}

static int
wired_find(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct folder_state *st, struct rows *out, struct err *e)
{
	struct wired_call call = { .verb = WIRED_FIND,
		.a = a,
		.ask = { .query = *q, .max = limit } };

	if (wired_call(wired_at(c), &call, e) < 0)
		return -1;
	if (call.answer.rows.n > limit)
		return wired_call_misfit(wired_at(c), &call, e);
	*st = call.answer.state;
	*out = call.answer.rows;
	return 0;
}

static int
wired_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct wired_call call = { .verb = WIRED_HEADERS,
		.a = a,
		.ask = { .folder = folder, .refs = *refs } };

	if (wired_call(wired_at(c), &call, e) < 0)
		return -1;
	if (call.answer.rows.n > refs->n)
		return wired_call_misfit(wired_at(c), &call, e);
	*st = call.answer.state;
	*out = call.answer.rows;
	return 0;
}

static int
wired_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct wired_call call = { .verb = WIRED_BODY,
		.a = a,
		.ask = { .folder = folder, .ref = *ref, .max = max } };

	if (wired_call(wired_at(c), &call, e) < 0)
		return -1;
	if (call.answer.text.n > max)
		return wired_call_misfit(wired_at(c), &call, e);
	*out = call.answer.text;
	return 0;
}

static int
wired_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e)
{
	struct wired_call call = { .verb = WIRED_LINKS,
		.a = a,
		.ask = { .folder = folder },
		.links = to };

	if (wired_call(wired_at(c), &call, e) < 0)
		return -1;
	*over = call.answer.yes;
	return 0;
}

/* How a folder is: its state, and whatever else the method answers. */
static int
wired_look(struct conn *c, struct wired_call *call, struct str folder,
    struct folder_state *st, struct err *e)
{
	call->ask.folder = folder;
	if (wired_call(wired_at(c), call, e) < 0)
		return -1;
	*st = call->answer.state;
	return 0;
}

static int
wired_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	struct wired_call call = { .verb = WIRED_SCAN, .a = a };

	if (wired_look(c, &call, folder, st, e) < 0)
		return -1;
	*ids = call.answer.ids;
	return 0;
}

static int
wired_listing(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct err *e)
{
	struct wired_call call = { .verb = WIRED_LISTING, .a = a };

	return wired_look(c, &call, folder, st, e);
}

static int
wired_changes(struct conn *c, struct arena *a, struct str folder,
    struct str since, struct folder_state *st, struct strs *came,
    struct strs *gone, struct err *e)
{
	struct wired_call call = { .verb = WIRED_CHANGES,
		.a = a,
		.ask = { .folder = folder, .text = since } };
	int r = wired_call(wired_at(c), &call, e);

	if (r < 0)
		return -1;
	*st = call.answer.state;
	*came = call.answer.ids;
	*gone = call.answer.gone;
	return r;
}

static int
wired_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e)
{
	struct wired_call call = { .verb = WIRED_APPEND,
		.a = a,
		.ask = { .folder = folder, .text = message } };

	return wired_call(wired_at(c), &call, e);
}

static int
wired_drafts(struct conn *c, struct arena *a, struct str *folder, struct err *e)
{
	struct wired_call call = { .verb = WIRED_DRAFTS, .a = a };

	if (wired_call(wired_at(c), &call, e) < 0)
		return -1;
	*folder = call.answer.text;
	return 0;
}

static int
wired_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	struct wired_call call = { .verb = WIRED_DRAFT,
		.a = a,
		.ask = { .folder = folder, .text = message, .to = thread } };

	if (wired_call(wired_at(c), &call, e) < 0)
		return -1;
	*out = call.answer.drafted;
	return 0;
}

static int
wired_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	struct wired_call call = { .verb = WIRED_MARK,
		.a = a,
		.ask = { .folder = folder, .refs = *refs, .change = *change } };

	return wired_call(wired_at(c), &call, e);
}

static int
wired_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	struct wired_call call = { .verb = WIRED_MOVE,
		.a = a,
		.ask = { .folder = folder,
		    .refs = *refs,
		    .to = to,
		    .copying = by } };

	if (wired_call(wired_at(c), &call, e) < 0)
		return -1;
	if (call.answer.refs.n != refs->n)
		return wired_call_misfit(wired_at(c), &call, e);
	*moved = call.answer.refs;
	return 0;
}

static int
wired_move_back(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct places *was,
    struct err *e)
{
	struct wired_call call = { .verb = WIRED_MOVE_BACK,
		.a = a,
		.ask = { .folder = folder,
		    .refs = *refs,
		    .to = to,
		    .was = *was } };

	return wired_call(wired_at(c), &call, e);
}

/* The one for `open` is soon another call's: to wait is another process's. */
static int
wired_watch_apart(struct wired *w, struct err *e)
{
	const struct backend_account *acct = w->conn.acct;

	if (w->apart)
		return 0;
	path_close(&w->fd);
	w->fd = acct->wire->lend(acct->wire->ctx, w->conn.be->name, acct,
	    WIRED_USE_WATCH, e);
	w->apart = w->fd >= 0;
	return w->apart ? 0 : -1;
}

static int
wired_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	struct wired_call call = { .verb = WIRED_WATCH,
		.a = a,
		.ask = { .folder = w->folder,
		    .wait_ms = (uint64_t)clock_left_ms(w->until_ms) },
		.watch = w };

	*changed = false;
	if (wired_watch_apart(wired_at(c), e) < 0)
		return -1;
	if (wired_call(wired_at(c), &call, e) == 0) {
		*changed = call.answer.yes;
		return 0;
	}
	/* The connection is lost: nobody waits for its answer. */
	if (call.over)
		*e = (struct err){ 0 };
	return call.over ? 0 : -1;
}

/* Whether a recipient was accepted is known of all of them, or of none. */
static int
wired_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e)
{
	struct wired_call call = { .verb = WIRED_SUBMIT,
		.a = a,
		.ask = { .submission = *s } };
	int r = wired_call(wired_at(c), &call, e);
	const struct wired_answer *got = &call.answer;

	if ((r == 0 || got->n > 0) && got->n != s->n)
		return wired_call_misfit(wired_at(c), &call, e);
	for (size_t i = 0; i < got->n; i++) {
		s->to[i].code = got->to[i].code;
		s->to[i].status = got->to[i].status;
	}
	return r;
}

const struct backend wired_slots = {
	.folders = wired_folders,
	.find = wired_find,
	.headers = wired_headers,
	.body = wired_body,
	.links = wired_links,
	.scan = wired_scan,
	.listing = wired_listing,
	.changes = wired_changes,
	.submit = wired_submit,
	.append = wired_append,
	.drafts = wired_drafts,
	.draft = wired_draft,
	.mark = wired_mark,
	.move = wired_move,
	.move_back = wired_move_back,
	.watch = wired_watch,
};
