/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that wait for a place.  Where callers share the server, the one with
 * the fewest calls running is next, and nobody has so many that there is no
 * room for others.  Those whose token is not accepted yet have few places.
 */
#include "door/http/internal.h"

static size_t
http_turns_running(const struct http_calls *all, const struct http_call *c)
{
	return all->h->routes->shared && !c->brief
	    ? running_of(all->h->running, c->asked.caller)
	    : 0;
}

/* The calls of this worker that others have to wait for. */
struct http_turns {
	size_t strangers, others;
};

static struct http_turns
http_turns_count(const struct http_calls *all)
{
	struct http_turns n = { 0, 0 };

	for (size_t i = 0; i < HTTP_PLACES; i++)
		if (all->at[i] != NULL && all->at[i]->stranger)
			n.strangers++;
		else if (all->at[i] != NULL && !all->at[i]->brief)
			n.others++;
	return n;
}

/* Does it have to wait until another call ends? */
static bool
http_turns_is_full(const struct http_calls *all, const struct http_call *c)
{
	struct http_turns n = http_turns_count(all);

	/* It goes on like others if its token is good: both must have room. */
	if (c->stranger && n.strangers >= LIMIT_BEARER_CHECKED)
		return true;
	if (c->brief)
		return false;
	if (!all->h->routes->shared)
		return n.others >= LIMIT_MCP_RUNNING;
	return n.others >= LIMIT_HTTP_CALLS ||
	    running_of(all->h->running, 0) >= LIMIT_HTTP_CALLS ||
	    http_turns_running(all, c) >= LIMIT_HTTP_CALLS_OF;
}

/* A free place for that call; if there is none, HTTP_PLACES. */
static size_t
http_turns_place_for(const struct http_calls *all, const struct http_call *c)
{
	size_t i = 0;

	if (http_turns_is_full(all, c))
		return HTTP_PLACES;
	while (i < HTTP_PLACES && all->at[i] != NULL)
		i++;
	return i;
}

struct http_call *
http_turns_next(struct http_calls *all, struct http_call ***link, size_t *place)
{
	struct http_call *next = NULL;
	size_t fewest = SIZE_MAX;

	for (struct http_call **at = &all->first; *at != NULL;
	     at = &(*at)->next) {
		size_t free = http_turns_place_for(all, *at);
		size_t n = http_turns_running(all, *at);

		if (free == HTTP_PLACES || n >= fewest)
			continue;
		next = *at;
		fewest = n;
		*link = at;
		*place = free;
	}
	return next;
}

bool
http_turns_refuse(const struct http_calls *all, const struct http_call *c)
{
	size_t waiting = 0, of = 0, strangers = 0;

	if (!c->stranger && (!all->h->routes->shared || c->brief))
		return false;
	for (const struct http_call *x = all->first; x != NULL; x = x->next) {
		waiting++;
		strangers += x->stranger;
		of += x->asked.caller == c->asked.caller;
	}
	if (c->stranger)
		return strangers >= LIMIT_BEARER_WAITING;
	return waiting >= LIMIT_HTTP_WAITING || of >= LIMIT_HTTP_WAITING_OF;
}
