/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session object, RFC 8620 section 2: its URLs, the login's account, and
 * the server's limits.  The cached part has the same form.
 */
#include "backend/jmap/internal.h"
#include "backend/jmap/url.h"

static int
jmap_session_object_need_url(struct jmap *j, const struct json_value *v,
    const char *key, struct str base, struct str *out, struct err *e)
{
	struct str ref;

	if (!json_parse_str(json_parse_member(v, key), &ref) || ref.n == 0 ||
	    ref.n > LIMIT_URL)
		return jmap_wire_nonsense(e, "an address is missing");
	*out = jmap_url_resolve(j->a, base, ref);
	return 0;
}

/* The one address that a server need not have. */
static void
jmap_session_object_read_events(struct jmap *j, const struct json_value *v,
    struct str base, struct str *out)
{
	struct str ref;

	if (json_parse_str(json_parse_member(v, "eventSourceUrl"), &ref) &&
	    ref.n > 0 && ref.n <= LIMIT_URL)
		*out = jmap_url_resolve(j->a, base, ref);
}

/*
 * A limit; one that is missing or not a number gets the value that RFC 8620
 * suggests.
 */
static uint64_t
jmap_session_object_limit_of(const struct json_value *core, const char *key,
    uint64_t advised)
{
	int64_t n;

	if (!json_parse_int(json_parse_member(core, key), &n) || n <= 0)
		return advised;
	return (uint64_t)n;
}

static int
jmap_session_object_read_account(struct jmap *j, const struct json_value *v,
    struct jmap_session *s, struct err *e)
{
	const struct json_value *all = json_parse_member(v, "primaryAccounts");
	const struct json_value *can = json_parse_member(v, "capabilities");
	struct str id;

	if (!jmap_id(all, JMAP_MAIL, &id))
		return err_set(e, ERR_CONFIG,
		    "this login has no mail account on the server");
	s->account = str_dup(j->a, id);
	/* Whether it may submit is only known after trying. */
	if (json_parse_member(can, JMAP_SUBMISSION) != NULL &&
	    jmap_id(all, JMAP_SUBMISSION, &id))
		s->sender = str_dup(j->a, id);
	return 0;
}

static bool
jmap_session_object_is_cyrus(const struct json_value *v)
{
	const struct json_value *can = json_parse_member(v, "capabilities");
	struct str name = { 0 };

	while (json_parse_next(can, &name) != NULL)
		if (str_starts(name, S("https://cyrusimap.org/")))
			return true;
	return false;
}

int
jmap_session_object_read(struct jmap *j, const struct json_value *v,
    struct str base, struct err *e)
{
	const struct json_value *core =
	    json_parse_member(json_parse_member(v, "capabilities"), JMAP_CORE);
	struct jmap_session s = { 0 };
	struct str state = { 0 };

	if (core == NULL)
		return jmap_wire_nonsense(e, "this is not a session");
	if (jmap_session_object_read_account(j, v, &s, e) < 0 ||
	    jmap_session_object_need_url(j, v, "apiUrl", base, &s.api, e) < 0 ||
	    jmap_session_object_need_url(j, v, "downloadUrl", base, &s.download,
		e) < 0 ||
	    jmap_session_object_need_url(j, v, "uploadUrl", base, &s.upload,
		e) < 0)
		return -1;
	jmap_session_object_read_events(j, v, base, &s.events);
	s.max_get = jmap_session_object_limit_of(core, "maxObjectsInGet", 500);
	s.max_set = jmap_session_object_limit_of(core, "maxObjectsInSet", 500);
	s.max_upload =
	    jmap_session_object_limit_of(core, "maxSizeUpload", 50000000);
	s.max_request =
	    jmap_session_object_limit_of(core, "maxSizeRequest", 10000000);
	s.max_calls =
	    jmap_session_object_limit_of(core, "maxCallsInRequest", 16);
	if (s.max_calls < JMAP_CALLS_LEAST)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server accepts too few calls per request");
	(void)json_parse_str(json_parse_member(v, "state"), &state);
	s.state = str_dup(j->a, str_first(state, JMAP_ID));
	s.is_cyrus = jmap_session_object_is_cyrus(v);
	j->session = s;
	j->ready = true;
	return 0;
}

void
jmap_session_object_write(const struct jmap_session *s, struct json *out)
{
	json_open_object(out, "capabilities");
	json_open_object(out, JMAP_CORE);
	json_put_int(out, "maxObjectsInGet", (int64_t)s->max_get);
	json_put_int(out, "maxObjectsInSet", (int64_t)s->max_set);
	json_put_int(out, "maxSizeUpload", (int64_t)s->max_upload);
	json_put_int(out, "maxSizeRequest", (int64_t)s->max_request);
	json_put_int(out, "maxCallsInRequest", (int64_t)s->max_calls);
	json_close_object(out);
	if (s->sender.n > 0) {
		json_open_object(out, JMAP_SUBMISSION);
		json_close_object(out);
	}
	json_close_object(out);
	json_open_object(out, "primaryAccounts");
	json_put_str(out, JMAP_MAIL, s->account);
	if (s->sender.n > 0)
		json_put_str(out, JMAP_SUBMISSION, s->sender);
	json_close_object(out);
	json_put_str(out, "apiUrl", s->api);
	json_put_str(out, "downloadUrl", s->download);
	json_put_str(out, "uploadUrl", s->upload);
	json_put_str(out, "eventSourceUrl", s->events);
	json_put_str(out, "state", s->state);
}
