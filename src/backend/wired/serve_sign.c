/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other end of tell_sign.c: the client asks the store's key.  A backend
 * keeps the callbacks as long as its connection, so they find the request that
 * is served now by themselves.
 */
#include "backend/wired/internal.h"

static struct wired_serving *signing;

static int
wired_serve_sign_misfit(struct err *e)
{
	(void)err_set(e, ERR_INTERNAL,
	    "the process that asked for this did not say what its key makes");
	return err_conn(e);
}

static int
wired_serve_sign_take(struct str bytes, struct arena *a, struct str *mac,
    struct err *e)
{
	struct wired_take in = wired_take_begin(bytes, a);
	struct err why = { 0 };
	uint64_t r = wired_take_number(&in, 2);

	if (r == 2)
		wired_fault_take(&in, &why);
	else
		wired_take(&in, &wired_shape_str, mac);
	if (!wired_take_end(&in))
		return wired_serve_sign_misfit(e);
	if (r < 2)
		return (int)r;
	*e = why;
	return -1;
}

static int
wired_serve_sign_ask(const struct wired_sign *ask, struct arena *a,
    struct str *mac, struct err *e)
{
	CLEANUP(wired_put_close) struct wired_put o = { .fd = -1 };
	CLEANUP(wired_carry_close) struct wired_carried f = { .fd = -1 };
	const struct wired_lease *l = signing->l;
	struct str bytes = S("");

	wired_put_begin(&o, a);
	wired_put(&o, &wired_shape_sign, ask);
	if (wired_carry_send(l->fd, WIRED_SIGN, &o, e) < 0)
		return -1;
	if (wired_carry_recv(l->fd, l->acct->deadline_ms, a, &f, e) != 1 ||
	    f.type != WIRED_SAID ||
	    wired_carry_read(&f, LIMIT_WIRED_TOLD, a, &bytes, e) < 0)
		return wired_serve_sign_misfit(e);
	return wired_serve_sign_take(bytes, a, mac, e);
}

static int
wired_serve_sign_mac(void *ctx, struct str bytes, unsigned char out[WIRED_MAC],
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct wired_sign ask = { .text = bytes };
	struct str mac = S("");

	(void)ctx;
	if (signing == NULL || wired_serve_sign_ask(&ask, a, &mac, e) < 0)
		return -1;
	if (mac.n != WIRED_MAC)
		return wired_serve_sign_misfit(e);
	memcpy(out, mac.p, WIRED_MAC);
	return 0;
}

static int
wired_serve_sign_fits(void *ctx, struct str bytes,
    const unsigned char mac[WIRED_MAC], struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct wired_sign ask = { bytes,
		{ (const char *)mac, WIRED_MAC } };
	struct str none = S("");

	(void)ctx;
	return signing == NULL ? wired_serve_sign_misfit(e)
			       : wired_serve_sign_ask(&ask, a, &none, e);
}

void
wired_serve_sign_begin(struct wired_serving *s)
{
	struct backend_account *acct = s->l->acct;

	signing = s->head.signs ? s : NULL;
	acct->mac = signing != NULL ? wired_serve_sign_mac : NULL;
	acct->fits = signing != NULL ? wired_serve_sign_fits : NULL;
}

void
wired_serve_sign_end(struct wired_serving *s)
{
	signing = NULL;
	s->l->acct->mac = NULL;
	s->l->acct->fits = NULL;
}
