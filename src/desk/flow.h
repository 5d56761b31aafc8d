/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_FLOW_H
#define DESK_FLOW_H

/*
 * The guided first run, and the form of an account that is there, as data:
 * steps on pages, where each page leads, and what may be answered.  No
 * terminal, no store and no network are known here; a face asks, and hooks do
 * what has to be done between the pages.
 *
 * A setting of accounts is a question because its row says so
 * (store/account_setting_list.h).  To add another: a name in enum flow_key and
 * a row in flow_step.c.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"
#include "source/source.h"
#include "store/account_setting.h"

enum flow_page {
	FLOW_PAGE_BEGIN, /* keys, or what to do with a store that is there */
	FLOW_PAGE_SHOW,  /* keys just made, once */
	FLOW_PAGE_WHO,
	FLOW_PAGE_FIND, /* no question: the domain is asked for its servers */
	FLOW_PAGE_SERVERS,
	FLOW_PAGE_POLICY,
	FLOW_PAGE_SENDING,
	FLOW_PAGE_LOGIN,
	FLOW_PAGE_QUIRKS,
	FLOW_PAGE_SOURCE,
	FLOW_PAGE_TEST,   /* no question: watched */
	FLOW_PAGE_FAILED, /* only when the test went wrong */
	FLOW_PAGE_LOOK,   /* no question: the newest mail is looked at */
	FLOW_PAGE_SENDERS,
	FLOW_PAGE_CONFIRM,
	FLOW_PAGE_END
};

enum flow_key {
	FLOW_AGAIN,
	FLOW_MAKE_KEYS,
	FLOW_KEPT,
	FLOW_ACCOUNT,
	/* A setting each: FLOW_BACKEND, FLOW_MODE and so on. */
#define SETTING(id, ...) FLOW_##id,
#include "store/account_setting_list.h"
	FLOW_ALLOW_IN,
	FLOW_ALLOW_OUT,
	FLOW_PASSWORD,
	FLOW_ISSUER,
	FLOW_SCOPE, /* of tokens */
	FLOW_CLIENT_ID,
	FLOW_CLIENT_SECRET,
	FLOW_AFTER,
	FLOW_WRITE,
	FLOW_STEPS /* how many there are */
};

enum flow_kind {
	FLOW_TEXT,
	FLOW_LIST, /* texts with spaces or commas between */
	FLOW_PASSWORD_KIND,
	FLOW_CHOICE,
	FLOW_YES_NO,
};

enum flow_need {
	FLOW_MAY, /* stay empty */
	FLOW_MUST,
	FLOW_MUST_FIRST, /* an account that is there may lack it */
};

struct flow;
struct flow_hooks;

struct flow_step {
	const char *key; /* the option that answers it, with "_" */
	enum flow_page page;
	int place; /* on it: the lowest is asked first */
	enum flow_kind kind;
	enum flow_need need;
	const char *title;                   /* "IMAP server" */
	const char *help;                    /* a sentence or two */
	const char *choices;                 /* "RO|RW" */
	bool (*asked)(const struct flow *f); /* NULL: always */
	/* What is assumed; NULL: nothing. */
	struct str (*def)(const struct flow *f, enum flow_key k);
	int (*check)(const struct flow *f, struct str v, struct err *e);
	const char *word; /* what is assumed, when it is always the same */
};

/* flow_step.c, in the order of enum flow_key. */
extern const struct flow_step flow_step[FLOW_STEPS];

struct flow {
	struct arena *a;
	const struct flow_step *step; /* flow_step */
	const struct flow_hooks *hooks;
	void *ctx;  /* the hooks' own */
	bool asks;  /* somebody is there to be asked */
	bool lines; /* who wants no forms, but a line after the other */
	/* What was found. */
	struct str path;              /* of the store, fit to be shown */
	size_t accounts;              /* it holds, when it is there */
	struct secret *admin, *agent; /* keys made here; owned */
	bool there;                   /* the store is */
	bool has_admin, has_agent;    /* keys came from outside */
	bool person; /* somebody is there to go on to a consent */
	bool edit;   /* an account that is there: hints are what it is */
	bool no_test;
	bool seek;   /* nobody has named servers yet: ask the domain */
	bool enough; /* the person wants no account */
	bool look;   /* at the newest mail, for whom to believe */
	bool looked;
	struct str seen; /* by that */
	/* What was answered. */
	bool set[FLOW_STEPS];
	bool given[FLOW_STEPS]; /* before anybody was asked */
	struct str value[FLOW_STEPS];
	/* The password, or with oauth2 the client's secret; owned. */
	struct secret *password;
	/* What is assumed, and who says so; of a password that is there and is
	 * never shown, any word. */
	struct str hint[FLOW_STEPS];
	struct str found;
	/* How the last test went, and what is to be said on the next page. */
	struct probes probes;
	struct err why;
};

void flow_done(struct flow *f);

/* The question about a setting. */
enum flow_key flow_of(enum setting_id setting);
/* The questions of a page in their order: the first after FLOW_STEPS, and
 * FLOW_STEPS after the last. */
enum flow_key flow_next(const struct flow *f, enum flow_page at,
    enum flow_key k);

/* The answer, or what is assumed without one. */
struct str flow_get(const struct flow *f, enum flow_key k);
/* Takes an answer; the same as what is assumed anyway is none.  ERR_USAGE. */
int flow_put(struct flow *f, enum flow_key k, struct str v, struct err *e);
/* The same, but it stands whatever is assumed later. */
int flow_give(struct flow *f, enum flow_key k, struct str v, struct err *e);
/* The kind of TLS that a port which was answered tells; empty: none. */
struct str flow_port_kind(const struct flow *f, enum flow_key port);
/* Takes what is assumed from now on; what is not right, it does not take. */
void flow_hint(struct flow *f, enum flow_key k, struct str v);
/* Forgets all that was assumed from outside. */
void flow_hint_none(struct flow *f);
/* Takes the password, which it then owns; NULL drops it. */
void flow_put_password(struct flow *f, struct secret *s);
/* The entries of a list, split. */
struct strs flow_list(const struct flow *f, enum flow_key k);
/* Would this be asked now? */
bool flow_asked(const struct flow *f, enum flow_key k);
/* Is there an answer, given or assumed? */
bool flow_has(const struct flow *f, enum flow_key k);
/* Must there be an answer? */
bool flow_needed(const struct flow *f, enum flow_key k);
/* Is there none where there has to be one? */
bool flow_missing(const struct flow *f, enum flow_key k);
/* Of an account that is there: is this other than it was? */
bool flow_changed(const struct flow *f, enum flow_key k);
/* Is it work, and no question? */
bool flow_works(enum flow_page at);
/* Is its mail on a server, or in a folder?  Does a consent open it? */
bool flow_remote(const struct flow *f);
bool flow_consents(const struct flow *f);
/* What a whole page says: "imap.example:993" is cut up.  ERR_USAGE. */
int flow_settle(struct flow *f, enum flow_page at, struct err *e);
/* Where it begins, and what comes next and before; FLOW_PAGE_END is over. */
enum flow_page flow_first(const struct flow *f);
enum flow_page flow_after(const struct flow *f, enum flow_page at);
enum flow_page flow_before(const struct flow *f, enum flow_page at);
/* Where to mend what the test found: also sets f->why. */
enum flow_page flow_blame(struct flow *f);

/* "imap.login       ok   the server took the credentials" */
struct str flow_probe(struct arena *a, const struct probe *p);

/* Work that is going on, on a page without questions: read() takes what there
 * is, false at the end. */
struct flow_watch {
	int fd;
	bool (*read)(struct flow_watch *w);
	void *ctx;
	const struct probes *probes; /* as far as they have come */
};

/* What an operation does between the pages; f->ctx is its own. */
struct flow_hooks {
	/* When a page is answered.  ERR_USAGE: it is asked again. */
	int (*settled)(struct flow *f, enum flow_page at, struct err *e);
	/* Begins the work of a page without questions. */
	int (*begin)(struct flow *f, enum flow_page at, struct flow_watch **w,
	    struct err *e);
	/* Ends it, wherever it stands, and leaves in f what came of it. */
	void (*end)(struct flow *f, enum flow_page at);
};

#endif
