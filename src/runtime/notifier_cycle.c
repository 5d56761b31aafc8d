/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One poll of the notifier: whether mail is to be listed, and what is made of
 * the list.  What it did is written down at once, so another process knows.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "net/sha256.h"
#include "runtime/instance.h"
#include "runtime/notifier.h"
#include "runtime/prompt.h"

static int
notifier_cycle_record(struct notifier_cycle *c, enum notifier_outcome o,
    struct err *e)
{
	notifier_decide_settle(&c->state, &c->poll, o, c->a);
	c->row.at_s = c->poll.now_s;
	c->row.outcome = o;
	if (notifier_state_write(c->session, &c->state, c->a, e) < 0)
		return -1;
	return notifier_audit(c->session, &c->row, c->a, e);
}

/* A mailbox that is gone ends it; what passes does not. */
static int
notifier_cycle_fail(struct notifier_cycle *c, const struct err *why, bool gone,
    struct err *e)
{
	c->state.error = str_fmt(c->a, "%s", why->say);
	if (!gone)
		return notifier_cycle_record(c, NOTIFIER_POLL_ERROR, e);
	if (notifier_off(c->session, c->a, e) < 0)
		return -1;
	return notifier_cycle_record(c, NOTIFIER_DISABLED, e);
}

int
notifier_cycle_begin(struct notifier_cycle *c, struct err *e)
{
	static const struct strs none = { 0 };
	struct err why = { 0 };
	int r = notifier_read(c->session, c->a, &c->settings, e);

	if (r < 0)
		return -1;
	if (r > 0 || !c->settings.enabled)
		return 1;
	c->poll =
	    (struct notifier_poll){ .unread = &none, .now_s = clock_now() };
	/* A damaged one is begun again. */
	(void)notifier_state_read(c->session, c->a, &c->state, &why);
	why = (struct err){ 0 };
	if (manifest_read(c->session, c->a, &c->manifest, &why) == 0 &&
	    notifier_status_mailbox(c->session, &c->manifest, c->a, &why) == 0)
		return 0;
	return notifier_cycle_fail(c, &why, why.kind == ERR_CONFIG, e) < 0 ? -1
									   : 1;
}

/* -- what was found -------------------------------------------------------- */

static int
notifier_cycle_compare(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static struct str
notifier_cycle_digest(const struct strs *refs, struct arena *a)
{
	struct str *v = arena_array(a, refs->n + 1, sizeof(*v));
	unsigned char raw[32];
	struct buf b;
	size_t n = 0;

	for (size_t i = 0; i < refs->n; i++) {
		v[i] = refs->v[i];
		n += v[i].n + 1;
	}
	qsort(v, refs->n, sizeof(*v), notifier_cycle_compare);
	buf_init(&b, a, n + 1);
	for (size_t i = 0; i < refs->n; i++) {
		buf_str(&b, v[i]);
		buf_char(&b, '\n');
	}
	sha256_of(buf_view(&b), raw);
	return str_hex_dup(a, raw, sizeof(raw));
}

static struct strs
notifier_cycle_digests(const struct strs *refs, struct arena *a)
{
	struct strs out = { 0 };
	unsigned char raw[32];

	for (size_t i = 0; i < refs->n && i < LIMIT_NOTIFIER_REFS; i++) {
		sha256_of(refs->v[i], raw);
		str_push(a, &out, str_hex_dup(a, raw, sizeof(raw)));
	}
	return out;
}

/* -- waking ---------------------------------------------------------------- */

/* Was the agent told?  The state is written first: a process that cannot write
 * it would tell the agent again and again. */
static int
notifier_cycle_wake(struct notifier_cycle *c, struct err *e)
{
	struct prompt_outcome did = { 0 };
	struct instance x = { 0 };
	struct err why = { 0 };
	struct prompt_wake w = {
		.folder = c->session,
		.manifest_path =
		    str_fmt(c->a, "%.*s/" MANIFEST_FILE, STR_ARG(c->path)),
		.of = &c->manifest,
	};

	if (notifier_state_write(c->session, &c->state, c->a, e) < 0)
		return -1;
	if (instance_read(c->session, c->a, &x, &why) != 0) {
		c->state.error = S("the gateway is not listening");
		return 0;
	}
	w.base_url = x.base_url;
	if (prompt_wake(&w, c->a, &did, &why) < 0) {
		c->state.error = str_fmt(c->a, "%s", why.say);
		return 0;
	}
	if (did.status != PROMPT_SUBMITTED && did.status != PROMPT_BUSY)
		c->state.error = did.detail;
	if (did.submitted_at.n == 0)
		return 0;
	c->row.request_id = did.request_id;
	return 1;
}

int
notifier_cycle_end(struct notifier_cycle *c, const struct strs *refs, bool more,
    const struct err *why, struct err *e)
{
	enum notifier_outcome o;
	struct strs unread;
	int told;

	if (why != NULL)
		return notifier_cycle_fail(c, why, false, e);
	unread = notifier_cycle_digests(refs, c->a);
	c->poll.unread = &unread;
	c->poll.more = more || refs->n > unread.n;
	c->row.listed = true;
	c->row.unread = unread.n;
	c->row.digest = notifier_cycle_digest(refs, c->a);
	c->state.error = S("");
	o = notifier_decide(&c->settings, &c->state, &c->poll);
	if (o == NOTIFIER_ENQUEUED) {
		told = notifier_cycle_wake(c, e);
		if (told < 0)
			return -1;
		c->poll.busy = told == 0;
		o = notifier_decide(&c->settings, &c->state, &c->poll);
	}
	return notifier_cycle_record(c, o, e);
}
