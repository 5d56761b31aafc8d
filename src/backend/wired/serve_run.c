/* SPDX-License-Identifier: Apache-2.0 */
/* A request, as a call of the real backend. */
#include "backend/wired/internal.h"
#include "base/clock.h"

static int
wired_run_folders(struct wired_serving *s, struct err *e)
{
	return s->l->be->folders(*s->l->conn, s->a, &s->answer.folders, e);
}

static int
wired_run_find(struct wired_serving *s, struct err *e)
{
	return s->l->be->find(*s->l->conn, s->a, &s->ask.query,
	    (size_t)s->ask.max, &s->answer.state, &s->answer.rows, e);
}

static int
wired_run_headers(struct wired_serving *s, struct err *e)
{
	return s->l->be->headers(*s->l->conn, s->a, s->ask.folder, &s->ask.refs,
	    &s->answer.state, &s->answer.rows, e);
}

static int
wired_run_body(struct wired_serving *s, struct err *e)
{
	return s->l->be->body(*s->l->conn, s->a, s->ask.folder, &s->ask.ref,
	    (size_t)s->ask.max, &s->answer.text, e);
}

static int
wired_run_links(struct wired_serving *s, struct err *e)
{
	const struct link_sink to = { wired_serve_tell_link, s };
	int r;

	wired_put_begin(&s->links, s->a);
	r = s->l->be->links(*s->l->conn, s->a, s->ask.folder, &to,
	    &s->answer.yes, e);
	if (r == 0)
		r = wired_serve_tell_links(s, e);
	wired_put_close(&s->links);
	return r;
}

static int
wired_run_scan(struct wired_serving *s, struct err *e)
{
	return s->l->be->scan(*s->l->conn, s->a, s->ask.folder,
	    &s->answer.state, &s->answer.ids, e);
}

static int
wired_run_listing(struct wired_serving *s, struct err *e)
{
	return s->l->be->listing(*s->l->conn, s->a, s->ask.folder,
	    &s->answer.state, e);
}

static int
wired_run_changes(struct wired_serving *s, struct err *e)
{
	return s->l->be->changes(*s->l->conn, s->a, s->ask.folder, s->ask.text,
	    &s->answer.state, &s->answer.ids, &s->answer.gone, e);
}

static int
wired_run_drafts(struct wired_serving *s, struct err *e)
{
	return s->l->be->drafts(*s->l->conn, s->a, &s->answer.text, e);
}

static int
wired_run_draft(struct wired_serving *s, struct err *e)
{
	return s->l->be->draft(*s->l->conn, s->a, s->ask.folder, s->ask.text,
	    s->ask.to, &s->answer.drafted, e);
}

static int
wired_run_mark(struct wired_serving *s, struct err *e)
{
	return s->l->be->mark(*s->l->conn, s->a, s->ask.folder, &s->ask.refs,
	    &s->ask.change, e);
}

static int
wired_run_move(struct wired_serving *s, struct err *e)
{
	struct copying by = { 0 };

	if (s->ask.copying != NULL)
		by = *s->ask.copying;
	by.copied = wired_serve_tell_copied;
	by.ctx = s;
	if (by.copies != NULL && by.copies->n != s->ask.refs.n)
		return err_set(e, ERR_USAGE, "each message has a copy");
	return s->l->be->move(*s->l->conn, s->a, s->ask.folder, &s->ask.refs,
	    s->ask.to, s->ask.copying != NULL ? &by : NULL, &s->answer.refs, e);
}

static int
wired_run_move_back(struct wired_serving *s, struct err *e)
{
	if (s->ask.was.n != s->ask.refs.n)
		return err_set(e, ERR_USAGE, "each message was somewhere");
	return s->l->be->move_back(*s->l->conn, s->a, s->ask.folder,
	    &s->ask.refs, s->ask.to, &s->ask.was, e);
}

static int
wired_run_watch(struct wired_serving *s, struct err *e)
{
	const struct backend_watch w = {
		.folder = s->ask.folder,
		.until_ms = clock_mono_ms() + (int64_t)s->ask.wait_ms,
		.ready = wired_serve_tell_ready,
		.ctx = s,
	};

	return s->l->be->watch(*s->l->conn, s->a, &w, &s->answer.yes, e);
}

static int
wired_run_probe(struct wired_serving *s, struct err *e)
{
	struct probes lines = { .tell = wired_serve_tell_line, .ctx = s };

	return s->l->be->probe(s->l->acct, s->a, &lines, e);
}

static int
wired_run_token(struct wired_serving *s, struct err *e)
{
	const struct wired_lease *l = s->l;

	if (l->fresh == NULL)
		return err_set(e, ERR_CONFIG,
		    "the account does not log in by a token");
	return l->fresh(l->acct->token_ctx, &s->answer.lives_s, e);
}

static int (*const run[WIRED_VERBS])(struct wired_serving *s, struct err *e) = {
	[WIRED_FOLDERS] = wired_run_folders,
	[WIRED_FIND] = wired_run_find,
	[WIRED_HEADERS] = wired_run_headers,
	[WIRED_BODY] = wired_run_body,
	[WIRED_LINKS] = wired_run_links,
	[WIRED_SCAN] = wired_run_scan,
	[WIRED_LISTING] = wired_run_listing,
	[WIRED_CHANGES] = wired_run_changes,
	[WIRED_SUBMIT] = wired_serve_send_submit,
	[WIRED_APPEND] = wired_serve_send_append,
	[WIRED_DRAFTS] = wired_run_drafts,
	[WIRED_DRAFT] = wired_run_draft,
	[WIRED_MARK] = wired_run_mark,
	[WIRED_MOVE] = wired_run_move,
	[WIRED_MOVE_BACK] = wired_run_move_back,
	[WIRED_WATCH] = wired_run_watch,
	[WIRED_PROBE] = wired_run_probe,
	[WIRED_TOKEN] = wired_run_token,
};

int
wired_serve_run(struct wired_serving *s, struct err *e)
{
	const struct wired_lease *l = s->l;
	int r = 0;

	l->acct->deadline_ms = clock_mono_ms() + (int64_t)s->head.left_ms;
	l->acct->trace = s->head.trace;
	wired_serve_tell_begin(s);
	wired_serve_sign_begin(s);
	if (!wired_method[s->verb].changes)
		wired_serve_gone_begin(l->fd);
	if (*l->conn == NULL && !wired_method[s->verb].tests)
		r = l->be->open(l->acct, l->arena, l->conn, e);
	if (r == 0 && run[s->verb] != NULL)
		r = run[s->verb](s, e);
	wired_serve_gone_done(l->fd);
	wired_serve_sign_end(s);
	wired_serve_tell_end(s);
	return r;
}
