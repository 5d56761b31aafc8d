/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Known providers.  Each entry has its sources, and when it was last compared
 * with the provider's own pages.
 */
#include "oauth/oauth.h"

static const struct oauth_provider table[] = {
	/*
	 * 2026-06: accounts.google.com/.well-known/openid-configuration.
	 * Without access_type=offline there is no refresh token, and without
	 * prompt=consent none the second time.  The device flow does not get
	 * the mail scope, so it is not listed.
	 */
	{
	    .name = SI("google"),
	    .issuer = SI("https://accounts.google.com"),
	    .auth_url = SI("https://accounts.google.com/o/oauth2/v2/auth"),
	    .token_url = SI("https://oauth2.googleapis.com/token"),
	    .scope = SI("https://mail.google.com/"),
	    /*
	     * 2026-06: developers.google.com/workspace/gmail/api/auth/scopes.
	     * IMAP and SMTP accept only the full scope.
	     */
	    .scope_read = SI("https://www.googleapis.com/auth/gmail.readonly"),
	    .scope_draft = SI("https://www.googleapis.com/auth/gmail.readonly "
			      "https://www.googleapis.com/auth/gmail.compose"),
	    .scope_label = SI("https://www.googleapis.com/auth/gmail.modify"),
	    .more = SI("&access_type=offline&prompt=consent"),
	    .redirect = SI("127.0.0.1"),
	},
	/*
	 * 2026-06:
	 * login.microsoftonline.com/common/v2.0/.well-known/openid-configuration.
	 * Its issuer contains the tenant, which is not known in advance.  For
	 * clients registered as "Mobile and desktop applications",
	 * http://localhost is accepted with any port; 127.0.0.1 is not offered.
	 */
	{
	    .name = SI("microsoft"),
	    .auth_url = SI("https://login.microsoftonline.com/common/oauth2/"
			   "v2.0/authorize"),
	    .token_url = SI("https://login.microsoftonline.com/common/oauth2/"
			    "v2.0/token"),
	    .device_url = SI("https://login.microsoftonline.com/common/oauth2/"
			     "v2.0/devicecode"),
	    .scope = SI("https://outlook.office.com/IMAP.AccessAsUser.All "
			"https://outlook.office.com/SMTP.Send offline_access"),
	    .scope_imap = SI("https://outlook.office.com/IMAP.AccessAsUser.All "
			     "offline_access"),
	    .more = SI("&prompt=select_account"),
	    .redirect = SI("localhost"),
	},
};

/* The i-th, or NULL after the last. */
static const struct oauth_provider *
oauth_provider_at(size_t i)
{
	return i < sizeof(table) / sizeof(table[0]) ? &table[i] : NULL;
}

const struct oauth_provider *
oauth_provider_find(struct str name)
{
	const struct oauth_provider *p;

	for (size_t i = 0; (p = oauth_provider_at(i)) != NULL; i++)
		if (str_eq(p->name, name))
			return p;
	return NULL;
}
