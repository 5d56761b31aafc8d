/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests with tokens that others issue, and that were not accepted yet.
 * Checking one may take as long as its issuer likes, and anybody can send one:
 * they have few places, and a short queue, of their own.
 */
#include "door/http/internal.h"

bool
http_stranger_is(const struct http_calls *all, const struct route_request *r)
{
	return all->h->routes->challenge != NULL &&
	    (r->route->who & ROUTE_BEARER) != 0 && r->token.n > 0 &&
	    !http_route_is_ours(r->token) &&
	    !running_knows(all->h->running, r->caller);
}

void
http_stranger_refuse(const struct http_calls *all, struct evhttp_request *req)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);

	http_reply_put(req, S("Retry-After"),
	    str_fmt(a, "%d", LIMIT_BEARER_BUSY_S));
	http_reply_no(all->h, req, 503,
	    "too many tokens that are new here wait for the identity provider");
}

/*
 * A call whose token was accepted goes on without its client; these are not
 * begun.  One that was accepted in another call meanwhile waits no more for
 * strangers.
 */
void
http_stranger_sweep(struct http_calls *all)
{
	struct http_call **at = &all->first, *c;

	while ((c = *at) != NULL) {
		c->stranger = c->stranger && http_stranger_is(all, &c->asked);
		if (!c->stranger || !http_reply_gone(c->req)) {
			at = &c->next;
			continue;
		}
		*at = c->next;
		http_stranger_refuse(all, c->req);
		free(c);
	}
	all->last = at;
}

void
http_stranger_met(struct http_call *c)
{
	c->stranger = false;
	running_learn(c->all->h->running, c->asked.caller);
}

void
http_stranger_left(const struct http_call *c)
{
	if (c->status == 401 || c->status == 403)
		running_unlearn(c->all->h->running, c->asked.caller);
}
