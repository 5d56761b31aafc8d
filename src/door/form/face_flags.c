/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flow without anybody to ask: the options were answers already, and what
 * is missing is said by the name of its option.
 */
#include <errno.h>
#include <poll.h>

#include "door/argv.h"
#include "door/form/face.h"

static enum flow_go
face_flags_missing(struct flow *f, enum flow_key k, struct err *e)
{
	const char *more =
	    k == FLOW_PASSWORD ? "-file or --password-stdin" : "";
	struct str name = argv_spell(f->a, flow_step[k].key);

	(void)err_set(e, ERR_USAGE, "--%.*s%s is missing", STR_ARG(name), more);
	return FLOW_GO_FAIL;
}

static enum flow_go
face_flags_ask(void *ctx, struct flow *f, enum flow_page at, struct err *e)
{
	(void)ctx;
	if (at == FLOW_PAGE_FAILED || f->why.kind != ERR_NONE) {
		*e = f->why;
		(void)err_hint(e,
		    "--no-test keeps an account that does not "
		    "work yet");
		return FLOW_GO_FAIL;
	}
	/* Keys that nobody sees would lock the store for good. */
	if (flow_asked(f, FLOW_MAKE_KEYS)) {
		(void)err_set(e, ERR_CONFIG, "%s is not set",
		    f->has_admin ? "EMCLI_KEY" : "EMCLI_ADMIN_KEY");
		return FLOW_GO_FAIL;
	}
	for (enum flow_key k = flow_next(f, at, FLOW_STEPS); k != FLOW_STEPS;
	     k = flow_next(f, at, k))
		if (flow_missing(f, k))
			return face_flags_missing(f, k, e);
	if (flow_settle(f, at, e) < 0 || f->hooks->settled(f, at, e) < 0)
		return FLOW_GO_FAIL;
	return FLOW_GO_ON;
}

static enum flow_go
face_flags_watch(void *ctx, struct flow *f, enum flow_page at,
    struct flow_watch *w)
{
	bool more = true;

	(void)ctx;
	(void)f;
	(void)at;
	while (more) {
		struct pollfd p = { .fd = w->fd, .events = POLLIN };

		if (poll(&p, 1, -1) < 0 && errno != EINTR)
			break;
		more = w->read(w);
	}
	return FLOW_GO_ON;
}

/* There is nothing to open or to close: no screen. */
const struct flow_face face_flags = { NULL, face_flags_ask, face_flags_watch,
	NULL };
