#ifndef SOURCE_PROVIDER_H
#define SOURCE_PROVIDER_H

/*
 * Mail providers we know by name: servers, how they want to be logged in to,
 * and what they want done differently.  Nothing of it is in force by itself:
 * it is shown, and becomes settings of an account.
 */
#include "base/str.h"

enum provider_login {
	PROVIDER_PASSWORD = 1 << 0,     /* the mailbox's own password */
	PROVIDER_APP_PASSWORD = 1 << 1, /* one made for a program */
	PROVIDER_OAUTH2 = 1 << 2,
};

struct provider {
	const char *name;    /* as --provider says it */
	const char *title;   /* as people say it */
	const char *checked; /* the day its servers were last compared */
	const char *domains; /* of addresses; "a.example b.*" */
	const char *mx;      /* where mail for others' domains goes in */
	const char *consent; /* what account consent calls it, or NULL */
	const char *note;    /* what to do there first, or NULL */
	const char *imap_host, *smtp_host;
	uint16_t imap_port, smtp_port;
	unsigned login; /* enum provider_login, or-ed */
	bool imap_starttls, smtp_starttls;
	bool id_on;        /* ID must be said, and first */
	bool no_sasl_ir;   /* a login must not carry its first answer */
	bool no_sent_copy; /* the server fills Sent itself */
};

/* Ends with a row whose name is NULL. */
extern const struct provider provider_table[];

/* By name; NULL when there is none. */
const struct provider *provider_find(struct str name);
/* Whose addresses are in that domain (lower case); NULL: nobody's we know. */
const struct provider *provider_of_domain(struct str domain);
/* Whose IMAP server that is (without case); NULL. */
const struct provider *provider_of_imap(struct str host);
/* Whoever takes in mail at that host (lower case); NULL. */
const struct provider *provider_of_mx(struct str host);

#endif
