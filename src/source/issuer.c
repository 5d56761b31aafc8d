/* SPDX-License-Identifier: Apache-2.0 */
/* The identity provider's keys, or the place where it is asked: kept, and
 * renewed. */
#include "source/issuer.h"

#include "base/clock.h"
#include "base/limits.h"
#include "store/oauth.h"

struct check {
	struct store *store;
	struct arena *a;
	const struct store_issuer *by;
	struct str token;
	int64_t now_ms, deadline_ms;
	struct store_issuer_kept kept;
};

/* May what is kept be used? */
static bool
issuer_is_fresh(const struct check *c)
{
	int64_t age = c->now_ms - c->kept.got_ms;

	return c->kept.says.n > 0 && age >= 0 && age < LIMIT_ISSUER_KEYS_MS;
}

/* Strangers choose the names of keys: they must not choose when we ask. */
static bool
issuer_may_try(const struct check *c)
{
	int64_t age = c->now_ms - c->kept.tried_ms;

	return age < 0 || age >= LIMIT_ISSUER_AGAIN_MS;
}

/* What was fetched for another setting is not for this one. */
static int
issuer_load(struct check *c, struct err *e)
{
	struct str of = str_fmt(c->a, "%.*s %.*s %.*s", STR_ARG(c->by->issuer),
	    STR_ARG(c->by->client), STR_ARG(c->by->ca_file));

	if (store_issuer_kept_get(c->store, c->a, &c->kept, e) < 0)
		return -1;
	if (!str_eq(c->kept.of, of))
		c->kept = (struct store_issuer_kept){ .of = of };
	c->now_ms = clock_now_ms();
	return 0;
}

/* "basic URL": where to ask about tokens, and how the client logs in. */
static int
issuer_fetch(struct check *c, struct str *says, struct err *e)
{
	struct oauth_issuer x;

	if (oauth_issuer_find(c->a, c->by->issuer, c->by->ca_file,
		c->deadline_ms, &x, e) < 0)
		return -1;
	if (c->by->client.n == 0)
		return oauth_issuer_keys(c->a, &x, c->by->ca_file,
		    c->deadline_ms, says, e);
	if (x.introspect_url.n == 0)
		return err_set(e, ERR_CONFIG,
		    "the issuer's document has no introspection_endpoint");
	*says = str_fmt(c->a, "%s %.*s", x.basic ? "basic" : "form",
	    STR_ARG(x.introspect_url));
	return 0;
}

/* The attempt is recorded first: so it counts even if this process ends. */
static int
issuer_renew(struct check *c, struct err *e)
{
	struct str says = { "", 0 };

	c->kept.tried_ms = c->now_ms;
	if (store_issuer_kept_put(c->store, &c->kept, e) < 0 ||
	    issuer_fetch(c, &says, e) < 0)
		return -1;
	c->kept.says = says;
	c->kept.got_ms = c->now_ms;
	return store_issuer_kept_put(c->store, &c->kept, e);
}

/* Another process may have renewed it while this one waited. */
static int
issuer_need(struct check *c, struct err *e)
{
	CLEANUP(store_lock_close) struct store_lock *lock = NULL;
	int64_t tried = c->kept.tried_ms;
	int64_t until_ms = clock_mono_ms() + LIMIT_ISSUER_WAIT_MS;

	/* A provider that stalls keeps one process, not all. */
	if (until_ms > c->deadline_ms)
		until_ms = c->deadline_ms;
	if (store_lock_take(c->store, STORE_LOCK_ISSUER, until_ms, &lock, e) <
		0 ||
	    issuer_load(c, e) < 0)
		return -1;
	if (issuer_is_fresh(c) && c->kept.tried_ms != tried)
		return 0;
	if (issuer_may_try(c))
		return issuer_renew(c, e);
	return issuer_is_fresh(c)
	    ? 0
	    : err_set(e, ERR_NETWORK,
		  "the identity provider did not answer a moment ago: try "
		  "again in a minute");
}

static struct oauth_bearer_want
issuer_want(const struct check *c)
{
	return (struct oauth_bearer_want){
		.issuer = c->by->issuer,
		.audience =
		    c->by->audience.n > 0 ? c->by->audience : c->by->resource,
		.scope = c->by->scope,
		.any_type = c->by->any_type,
		.now_s = c->now_ms / 1000,
	};
}

/* By its signature.  A key that is not known may be a new one. */
static int
issuer_check_signed(struct check *c, struct oauth_bearer *out, struct err *e)
{
	struct oauth_bearer_want want = issuer_want(c);

	/* Without keys it is still told from what is no token. */
	oauth_bearer_check(c->a, c->token, &want,
	    issuer_is_fresh(c) ? c->kept.says : S(""), out);
	if (out->is != OAUTH_BEARER_KEY ||
	    (issuer_is_fresh(c) && !issuer_may_try(c)))
		return 0;
	if (issuer_need(c, e) < 0)
		return -1;
	oauth_bearer_check(c->a, c->token, &want, c->kept.says, out);
	return 0;
}

static int
issuer_check_asked(struct check *c, struct oauth_bearer *out, struct err *e)
{
	CLEANUP(secret_close) struct secret *id = NULL;
	CLEANUP(secret_close) struct secret *secret = NULL;
	struct oauth_issuer x = { .issuer = c->by->issuer };
	struct oauth_issuer_client client = { .ca_file = c->by->ca_file };
	struct oauth_bearer_want want = issuer_want(c);
	struct str how;

	if (!issuer_is_fresh(c) && issuer_need(c, e) < 0)
		return -1;
	if (store_issuer_secret(c->store, &secret, e) < 0)
		return -1;
	id = secret_new(c->by->client.p, c->by->client.n);
	client.id = id;
	client.secret = secret;
	(void)str_cut(c->kept.says, ' ', &how, &x.introspect_url);
	x.basic = str_eq(how, S("basic"));
	return oauth_issuer_ask(c->a, &x, &client, c->token, &want,
	    c->deadline_ms, out, e);
}

int
issuer_check(struct store *s, struct arena *a, const struct store_issuer *by,
    struct str token, struct oauth_bearer *out, struct err *e)
{
	struct check c = { .store = s,
		.a = a,
		.by = by,
		.token = token,
		.deadline_ms = clock_mono_ms() + LIMIT_ISSUER_STEP_MS };

	if (issuer_load(&c, e) < 0)
		return -1;
	return by->client.n > 0 ? issuer_check_asked(&c, out, e)
				: issuer_check_signed(&c, out, e);
}
