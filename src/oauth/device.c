/* SPDX-License-Identifier: Apache-2.0 */
/* Consent on another device, RFC 8628. */
#include <errno.h>

#include "base/clock.h"
#include "net/http.h"
#include "oauth/internal.h"

enum {
	INTERVAL_S = 5, /* section 3.2, default; section 3.5, slower */
	INTERVAL_MAX_S = 60
};

struct oauth_device {
	const struct oauth_client *client;
	struct secret *code;
	struct str url, user_code;
	int64_t interval_s, ends_ms;
};

static int
oauth_device_take(struct oauth_device *d, const struct json_doc *doc,
    struct arena *a, struct err *e)
{
	struct str code = oauth_post_text(doc, "device_code");
	struct str user = oauth_post_text(doc, "user_code");
	struct str url = oauth_post_text(doc, "verification_uri");
	char shown[64];

	/* Microsoft and Google had it before the RFC. */
	if (url.n == 0)
		url = oauth_post_text(doc, "verification_url");
	if (code.n == 0 || code.n > LIMIT_SECRET || user.n == 0 ||
	    user.n >= sizeof(shown) || !http_url_ok(url))
		return err_set(e, ERR_NETWORK,
		    "the provider's answer is not valid for the device flow");
	oauth_fault_clean(shown, sizeof(shown), user);
	d->code = secret_new(code.p, code.n);
	d->user_code = str_dup(a, str_of(shown));
	d->url = str_dup(a, url);
	d->interval_s = oauth_post_seconds(doc, "interval", INTERVAL_S);
	if (d->interval_s < 1)
		d->interval_s = 1;
	if (d->interval_s > INTERVAL_MAX_S)
		d->interval_s = INTERVAL_MAX_S;
	d->ends_ms =
	    clock_mono_ms() + 1000 * oauth_post_seconds(doc, "expires_in", 300);
	return 0;
}

int
oauth_device_open(const struct oauth_client *c, struct arena *a,
    int64_t deadline_ms, struct oauth_device **out, struct err *e)
{
	CLEANUP(oauth_form_done) struct oauth_form f = { .n = 0 };
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct oauth_device *d = arena_new(a, struct oauth_device);
	struct str scope = c->scope.n > 0 ? c->scope : c->provider->scope;
	int status = 0;

	if (c->provider->device_url.n == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "this provider has no device flow for mail: omit --device");
	d->client = c;
	if (scope.n > 0)
		oauth_form_put(&f, "scope", scope);
	if (oauth_post(c, c->provider->device_url, &f, deadline_ms, &status,
		&doc, e) < 0)
		return -1;
	if (status != 200 || doc == NULL)
		return oauth_fault_set(e, status, oauth_post_text(doc, "error"),
		    oauth_post_text(doc, "error_description"));
	if (oauth_device_take(d, doc, a, e) < 0)
		return -1;
	*out = d;
	return 0;
}

void
oauth_device_close(struct oauth_device **d)
{
	if (*d != NULL)
		secret_close(&(*d)->code);
	*d = NULL;
}

struct str
oauth_device_url(const struct oauth_device *d)
{
	return d->url;
}

struct str
oauth_device_code(const struct oauth_device *d)
{
	return d->user_code;
}

static void
oauth_device_rest(int64_t ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		continue;
}

int
oauth_device_wait(struct oauth_device *d, int64_t deadline_ms,
    struct oauth_token *out, struct err *e)
{
	int64_t end = d->ends_ms < deadline_ms ? d->ends_ms : deadline_ms;
	struct err last = { 0 };

	while (clock_mono_ms() + 1000 * d->interval_s < end) {
		struct err why = { 0 };
		bool slower;
		int r;

		oauth_device_rest(1000 * d->interval_s);
		r = oauth_token_device(d->client, d->code, end, &slower, out,
		    &why);
		if (r == 1)
			return 0;
		if (r < 0 && why.kind != ERR_NETWORK) {
			*e = why;
			return -1;
		}
		last = why;
		/* Section 3.5: also poll less often after a network error. */
		if ((slower || r < 0) && d->interval_s < INTERVAL_MAX_S)
			d->interval_s += INTERVAL_S;
	}
	/* The person may have finished: return what failed. */
	if (last.kind != ERR_NONE) {
		*e = last;
		return -1;
	}
	return err_set(e, ERR_NETWORK,
	    "the code was not entered in time: run the command again");
}
