/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The age of a consent.  Providers revoke refresh tokens that were unused for
 * some months, and some after a week (for an app in testing).
 */
#include "base/clock.h"
#include "gate/health_report.h"
#include "gate/internal.h"
#include "store/oauth.h"

#define DAY_S 86400
#define OLD_DAYS 90

static const char again[] =
    "consent again, before the provider asks for it: emcli account consent";

void
health_token_age(struct health *h, const struct store_account *acct)
{
	struct health_line line = { .account = acct->name,
		.check = S("token"),
		.ok = true };
	struct arena *a = h->call->arena;
	struct store_oauth o = { 0 };
	long long consent, refresh;
	struct err e = { 0 };

	if (!str_eq(acct->auth_type, S("oauth2")))
		return;
	if (store_oauth_get(h->call->gate->store, a, acct->id, &o, &e) < 0) {
		line.ok = false;
		line.say = str_dup(a, str_of(e.say));
		health_line_put(h, &line);
		return;
	}
	consent = (clock_now() - o.consent_s) / DAY_S;
	refresh = (clock_now() - o.refresh_s) / DAY_S;
	if (o.consent_s == 0) {
		line.note = true;
		line.say = S("an access token was given; how old it is and "
			     "how long it lasts is not known");
		line.next = S("let emcli get its own by your consent: emcli "
			      "account consent");
	} else if (o.refresh_s == 0) {
		line.say = str_fmt(a,
		    "consent is %lld days old; no token was "
		    "refreshed yet",
		    consent);
	} else {
		line.say = str_fmt(a,
		    "consent is %lld days old, a token was last refreshed %lld "
		    "days ago",
		    consent, refresh);
	}
	if (o.consent_s != 0 && consent > OLD_DAYS &&
	    (o.refresh_s == 0 || refresh > OLD_DAYS)) {
		line.note = true;
		line.next = str_of(again);
	}
	health_line_put(h, &line);
}
