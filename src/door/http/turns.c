/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that wait for a place.  Where callers share the server, the one with
 * the fewest calls running is next, and nobody has so many that there is no
 * room for others.
 */
#include "door/http/internal.h"

static size_t
http_turns_running(const struct http_calls *all, const struct http_call *c)
{
	return all->h->routes->shared && !c->brief
	    ? running_of(all->h->running, c->asked.caller)
	    : 0;
}

/* How many calls run at once on this worker, as far as it is concerned. */
static size_t
http_turns_places(const struct http_calls *all, const struct http_call *c)
{
	if (c->brief)
		return HTTP_PLACES;
	return all->h->routes->shared ? LIMIT_HTTP_CALLS : LIMIT_MCP_RUNNING;
}

/* A free place for that call; if there is none, HTTP_PLACES. */
static size_t
http_turns_place_for(const struct http_calls *all, const struct http_call *c)
{
	size_t n = http_turns_places(all, c);

	if (all->h->routes->shared && !c->brief &&
	    (running_of(all->h->running, 0) >= LIMIT_HTTP_CALLS ||
		http_turns_running(all, c) >= LIMIT_HTTP_CALLS_OF))
		return HTTP_PLACES;
	for (size_t i = 0; i < n; i++)
		if (all->at[i] == NULL)
			return i;
	return HTTP_PLACES;
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
	size_t waiting = 0, of = 0;

	if (!all->h->routes->shared || c->brief)
		return false;
	for (const struct http_call *x = all->first; x != NULL; x = x->next) {
		waiting++;
		of += x->asked.caller == c->asked.caller;
	}
	return waiting >= LIMIT_HTTP_WAITING || of >= LIMIT_HTTP_WAITING_OF;
}
