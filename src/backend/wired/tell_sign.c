/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the other process asks the key of the account's store for, which it
 * does not have: whether a message in a mailbox root is one that emcli
 * delivered, at any time; and a MAC for one that it delivers now, once it may
 * go.
 */
#include "backend/wired/internal.h"

/* Whoever has taken it over gets no other MACs; and these of messages from the
 * account alone: source/resolve.c. */
static bool
wired_tell_may_sign(const struct wired_call *c)
{
	return c->verb == WIRED_SUBMIT && c->let_go && !c->signed_one;
}

static int
wired_tell_put_signed(struct wired *w, int r, struct str mac,
    const struct err *why, struct arena *a, struct err *e)
{
	CLEANUP(wired_put_close) struct wired_put o = { .fd = -1 };

	wired_put_begin(&o, a);
	wired_put_number(&o, r < 0 ? 2 : (uint64_t)r);
	if (r < 0)
		wired_fault_put(&o, why);
	else
		wired_put(&o, &wired_shape_str, &mac);
	return wired_carry_send(w->fd, WIRED_SAID, &o, e);
}

int
wired_tell_sign(struct wired *w, struct wired_call *c,
    const struct wired_carried *f, struct arena *a, struct err *e)
{
	const struct backend_account *acct = w->conn.acct;
	unsigned char raw[WIRED_MAC] = { 0 };
	struct str mac = { (const char *)raw, sizeof(raw) };
	struct wired_sign ask = { 0 };
	struct err why = { 0 };
	int r;

	if (acct->mac == NULL || acct->fits == NULL ||
	    wired_told_take(f, a, &wired_shape_sign, &ask, e) < 0)
		return wired_told_misfit(e);
	if (ask.mac.n == sizeof(raw)) {
		memcpy(raw, ask.mac.p, sizeof(raw));
		r = acct->fits(acct->mac_ctx, ask.text, raw, &why);
		mac = S("");
	} else if (ask.mac.n == 0 && wired_tell_may_sign(c)) {
		c->signed_one = true;
		r = acct->mac(acct->mac_ctx, ask.text, raw, &why);
	} else {
		return wired_told_misfit(e);
	}
	return wired_tell_put_signed(w, r, mac, &why, a, e);
}
