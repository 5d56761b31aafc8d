/* SPDX-License-Identifier: Apache-2.0 */
/* The session, from the cache or from the server. */
#include "backend/jmap/internal.h"
#include "backend/jmap/url.h"

/* 1: there is no session at this address, but there may be elsewhere. */
static int
jmap_session_fetch_from(struct jmap *j, struct str url, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct jmap_request q = {
		.url = url,
		.max = JMAP_SESSION,
		.redirects = 3,
	};
	struct http_reply r = { 0 };
	struct err why = { 0 };

	if (jmap_wire_ask(j, &q, &r, e) < 0) {
		if (r.status != 400 && r.status != 404 && r.status != 405)
			return -1;
		if (r.status == 404 && e->kind == ERR_NETWORK)
			(void)err_set(e, ERR_CONFIG,
			    "there is no JMAP server at the account's address");
		return 1;
	}
	if (json_parse_open(r.body, JMAP_SESSION, &doc, &why) < 0) {
		(void)jmap_wire_nonsense(e, "the session is not JSON");
		return 1;
	}
	return jmap_session_object_read(j, json_parse_root(doc), r.url, e);
}

/*
 * The address may be that of the service and not of its session (RFC 8620
 * section 2.2): Stalwart serves no session at /jmap.
 */
static int
jmap_session_fetch(struct jmap *j, struct err *e)
{
	struct str known = jmap_url_well_known(j->a, j->base);
	struct err why = { 0 };
	int r = jmap_session_fetch_from(j, j->base, e);

	if (r <= 0)
		return r;
	if (known.n == 0 || str_eq(known, j->base))
		return -1;
	r = jmap_session_fetch_from(j, known, &why);
	if (r > 0) /* nor there */
		return -1;
	*e = why;
	return r;
}

int
jmap_session_need(struct jmap *j, struct err *e)
{
	if (!j->ready && !j->refreshed)
		jmap_cache_load(j);
	return j->ready ? 0 : jmap_session_fetch(j, e);
}

bool
jmap_session_again(struct jmap *j, struct err *e)
{
	if (j->refreshed) {
		if (e->kind == ERR_NONE)
			(void)jmap_wire_nonsense(e,
			    "the server contradicts its own session");
		return false;
	}
	j->refreshed = true;
	j->ready = j->kept = j->boxes_known = j->boxes_kept = false;
	j->ahead = (struct jmap_mails){ 0 };
	jmap_cache_drop(j);
	*e = (struct err){ 0 };
	return true;
}
