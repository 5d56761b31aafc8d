/* SPDX-License-Identifier: Apache-2.0 */
/* doctor: how the operator is told that something waits; for the operator. */
#include "base/clock.h"
#include "gate/health_report.h"
#include "gate/notice.h"

static void
health_notice_put_last(struct health *h, enum store_notice_kind kind,
    const struct store_notice_last *last)
{
	struct arena *a = h->call->arena;
	const struct health_line line = {
		.check = S("notify"),
		.say = str_fmt(a, "the notice of %.*s (%s) was not given: %.*s",
		    STR_ARG(clock_rfc3339(a, last->at_s)),
		    store_notice_word(kind), STR_ARG(last->failed)),
		.next = S("mend it, or set it again: emcli config set notify"),
	};

	health_line_put(h, &line);
}

/* Whoever is to be told by mail has an account that can send. */
static bool
health_notice_can_send(struct store *s, struct arena *a)
{
	struct store_account *v = NULL;
	struct err unused = { 0 };
	size_t n = 0;

	if (store_account_list(s, a, &v, &n, &unused) < 0)
		return true;
	for (size_t i = 0; i < n; i++)
		if (notice_mail_can(s, a, v[i].name))
			return true;
	return false;
}

static bool
health_notice_put_way(struct health *h, struct str way)
{
	struct arena *a = h->call->arena;
	struct store *s = h->call->gate->store;
	struct health_line line = { .check = S("notify") };
	struct str address = { 0 };
	struct err e = { 0 };
	int r = notice_text_address(a, way, &address, &e);

	if (r == 0)
		r = notice_run_check(str_c(a, way), store_open_path(s),
		    geteuid(), &e);
	else if (r > 0 && !health_notice_can_send(s, a))
		r = err_set(&e, ERR_CONFIG,
		    "no account can send the mail that notify wants");
	line.ok = r >= 0;
	line.say = r < 0    ? str_dup(a, str_of(e.say))
	    : address.n > 0 ? S("you are told by mail when something waits")
			    : S("a program is run when something waits");
	line.detail = str_dup(a, r < 0 ? str_of(e.detail) : way);
	line.note = r == 0 &&
	    !notice_run_in_broker(a, str_c(a, way), store_open_path(s),
		&line.say);
	if (line.note)
		line.next = S("with a broker, install it where only root can "
			      "write, such as /usr/local/bin");
	if (r < 0)
		line.next = S("set another: emcli config set notify");
	health_line_put(h, &line);
	return r >= 0;
}

void
health_notice(struct health *h)
{
	struct store_notice_last last[STORE_NOTICES];
	struct store *s = h->call->gate->store;
	struct health_line line = { .check = S("notify") };
	struct arena *a = h->call->arena;
	struct err e = { 0 };
	struct str way;
	int r;

	if (!health_line_operator(h->call))
		return;
	r = store_notice_way(s, a, &way, &e);
	if (r < 0) {
		line.say = str_dup(a, str_of(e.say));
		line.next = S("set it again: emcli config set notify");
		health_line_put(h, &line);
	}
	if (r <= 0 || !health_notice_put_way(h, way) ||
	    store_notice_last(s, a, last, &e) < 0)
		return;
	for (int i = 0; i < STORE_NOTICES; i++)
		if (last[i].failed.n > 0)
			health_notice_put_last(h, (enum store_notice_kind)i,
			    &last[i]);
}
