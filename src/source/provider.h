/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_PROVIDER_H
#define SOURCE_PROVIDER_H

/*
 * Known mail providers: their servers, login methods and quirks.  Nothing here
 * takes effect by itself: it is shown, and becomes settings of an account.
 */
#include "base/str.h"

enum provider_login {
	PROVIDER_PASSWORD = 1 << 0,     /* the mailbox's own password */
	PROVIDER_APP_PASSWORD = 1 << 1, /* a password made for one program */
	PROVIDER_OAUTH2 = 1 << 2,
};

struct provider {
	const char *name;    /* the word for --provider */
	const char *title;   /* the name for people */
	const char *checked; /* the day its servers were last checked */
	const char *domains; /* of addresses; "a.example b.*" */
	const char *mx;      /* where mail for other domains is received */
	const char *consent; /* what account consent calls it, or NULL */
	const char *note;    /* what to do first at the provider, or NULL */
	const char *imap_host, *smtp_host;
	uint16_t imap_port, smtp_port;
	unsigned login; /* enum provider_login, or-ed */
	bool imap_starttls, smtp_starttls;
	bool id_on;        /* ID must be sent, and first */
	bool no_sasl_ir;   /* a login must not send an initial response */
	bool no_sent_copy; /* the server files sent mail itself */
};

/* Ends with a row whose name is NULL. */
extern const struct provider provider_table[];

/* By name; NULL when there is none. */
const struct provider *provider_find(struct str name);
/* The provider with addresses in that domain (lower case); NULL: unknown. */
const struct provider *provider_of_domain(struct str domain);
/* The provider with that IMAP server (ignoring case); NULL. */
const struct provider *provider_of_imap(struct str host);
/* The provider that receives mail at that host (lower case); NULL. */
const struct provider *provider_of_mx(struct str host);

#endif
