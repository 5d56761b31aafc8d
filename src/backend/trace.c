/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to a backend, in a trace: one wrapper around the contract, for
 * stores with and without a protocol.  Code that may submit or copy a message
 * (those slots) traces that itself.
 */
#include "base/trace.h"

#include <stdarg.h>

#include "backend/watch.h"
#include "base/clock.h"

enum {
	BACKENDS = 16
};

void
backend_trace(const struct conn *c, int64_t since_ms, int r,
    const struct err *e, const char *fmt, ...)
{
	char what[400], who[200];
	va_list ap;

	if (!trace_on())
		return;
	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	(void)snprintf(who, sizeof(who), "%s/%.*s", c->be->name,
	    STR_ARG(c->acct->name));
	trace_line(who, '=', "%s: %s%s%s, %lld ms", what,
	    r == 0 ? "done" : err_code(e->kind), r == 0 ? "" : ": ",
	    r == 0 ? "" : e->say, (long long)(clock_mono_ms() - since_ms));
}

static int
backend_trace_folders(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->folders(c, a, out, e);

	backend_trace(c, since, r, e, "folders: %zu", r == 0 ? out->n : 0);
	return r;
}

static int
backend_trace_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->find(c, a, q, limit, st, out, e);

	backend_trace(c, since, r, e,
	    "find in \"%.*s\", at most %zu: %zu rows of %u messages",
	    STR_ARG(q->folder), limit, r == 0 ? out->n : 0,
	    r == 0 ? st->exists : 0);
	return r;
}

static int
backend_trace_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->headers(c, a, folder, refs, st, out, e);

	backend_trace(c, since, r, e, "headers in \"%.*s\" of %zu: %zu rows",
	    STR_ARG(folder), refs->n, r == 0 ? out->n : 0);
	return r;
}

static int
backend_trace_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->body(c, a, folder, ref, max, out, e);

	backend_trace(c, since, r, e, "body in \"%.*s\" of uid %u: %zu bytes",
	    STR_ARG(folder), ref->uid, r == 0 ? out->n : 0);
	return r;
}

static int
backend_trace_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->links(c, a, folder, to, over, e);

	backend_trace(c, since, r, e, "links in \"%.*s\"", STR_ARG(folder));
	return r;
}

static int
backend_trace_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->scan(c, a, folder, st, ids, e);

	backend_trace(c, since, r, e, "scan of \"%.*s\": %zu ids",
	    STR_ARG(folder), r == 0 ? ids->n : 0);
	return r;
}

static int
backend_trace_listing(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->listing(c, a, folder, st, e);

	backend_trace(c, since, r, e, "listing of \"%.*s\"", STR_ARG(folder));
	return r;
}

static int
backend_trace_drafts(struct conn *c, struct arena *a, struct str *folder,
    struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->drafts(c, a, folder, e);

	backend_trace(c, since, r, e, "folder of drafts: \"%.*s\"",
	    r == 0 ? (int)folder->n : 0, r == 0 ? folder->p : "");
	return r;
}

static int
backend_trace_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->draft(c, a, folder, message, thread, out, e);

	backend_trace(c, since, r, e, "draft into \"%.*s\" of %zu bytes",
	    STR_ARG(folder), message.n);
	return r;
}

static int
backend_trace_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->mark(c, a, folder, refs, change, e);

	backend_trace(c, since, r, e,
	    "mark in \"%.*s\" of %zu: +%x -%x, labels: +%zu -%zu",
	    STR_ARG(folder), refs->n, change->set, change->clear, change->add.n,
	    change->drop.n);
	return r;
}

static int
backend_trace_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->move(c, a, folder, refs, to, by, moved, e);

	backend_trace(c, since, r, e, "move of %zu from \"%.*s\" to \"%.*s\"",
	    refs->n, STR_ARG(folder), STR_ARG(to));
	return r;
}

static int
backend_trace_move_back(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct places *was,
    struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->move_back(c, a, folder, refs, to, was, e);

	backend_trace(c, since, r, e,
	    "move of %zu from \"%.*s\" back to \"%.*s\"", refs->n,
	    STR_ARG(folder), STR_ARG(to));
	return r;
}

static int
backend_trace_watch(struct conn *c, struct arena *a,
    const struct backend_watch *w, bool *changed, struct err *e)
{
	int64_t since = clock_mono_ms();
	int r = c->be->watch(c, a, w, changed, e);

	backend_trace(c, since, r, e, "watch of \"%.*s\": %s",
	    STR_ARG(w->folder), r == 0 && *changed ? "a change" : "no change");
	return r;
}

#define TRACE_WRAP(slot)                                                       \
	do {                                                                   \
		if (be->slot != NULL)                                          \
			one->slot = backend_trace_##slot;                      \
	} while (0)

const struct backend *
backend_trace_wrap(const struct backend *be)
{
	static struct backend wrapped[BACKENDS];
	size_t i = 0;
	struct backend *one;

	if (!trace_on() || be == NULL)
		return be;
	while (i < BACKENDS && backend_at(i) != be)
		i++;
	if (i == BACKENDS)
		return be;
	one = &wrapped[i];
	*one = *be;
	TRACE_WRAP(folders);
	TRACE_WRAP(find);
	TRACE_WRAP(headers);
	TRACE_WRAP(body);
	TRACE_WRAP(links);
	TRACE_WRAP(scan);
	TRACE_WRAP(listing);
	TRACE_WRAP(drafts);
	TRACE_WRAP(draft);
	TRACE_WRAP(mark);
	TRACE_WRAP(move);
	TRACE_WRAP(move_back);
	TRACE_WRAP(watch);
	return one;
}
