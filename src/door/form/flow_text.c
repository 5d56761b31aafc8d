/* SPDX-License-Identifier: Apache-2.0 */
/* What is above the questions. */
#include "base/buf.h"
#include "door/form/face.h"
#include "door/out.h"

enum {
	TEXT_MAX = 64 << 10
};

const char *
flow_text_title(enum flow_page at)
{
	static const char *const title[] = {
		[FLOW_PAGE_BEGIN] = "emcli: set up",
		[FLOW_PAGE_SHOW] = "Keys",
		[FLOW_PAGE_WHO] = "The mailbox",
		[FLOW_PAGE_FIND] = "Asking its domain for the servers",
		[FLOW_PAGE_SERVERS] = "Where it is",
		[FLOW_PAGE_POLICY] = "What agents may see and do",
		[FLOW_PAGE_SENDING] = "What may leave",
		[FLOW_PAGE_LOGIN] = "Signing in",
		[FLOW_PAGE_QUIRKS] = "What its server needs done differently",
		[FLOW_PAGE_SOURCE] = "As a source of mail",
		[FLOW_PAGE_TEST] = "Trying it",
		[FLOW_PAGE_FAILED] = "It does not work yet",
		[FLOW_PAGE_LOOK] = "Looking at its newest mail",
		[FLOW_PAGE_SENDERS] = "Proof of senders",
		[FLOW_PAGE_CONFIRM] = "Ready",
		[FLOW_PAGE_END] = "",
	};

	return title[at];
}

static void
flow_text_begin(struct buf *b, const struct flow *f)
{
	if (flow_asked(f, FLOW_AGAIN)) {
		buf_fmt(b, "There is a database with %zu account%s:\n%.*s\n",
		    f->accounts, f->accounts == 1 ? "" : "s",
		    STR_ARG(out_line(f->a, f->path)));
		return;
	}
	buf_fmt(b, "The database will be %.*s\n",
	    STR_ARG(out_line(f->a, f->path)));
	buf_text(b, "It is sealed with two keys: yours, and one for agents.  ");
	if (!f->has_admin && !f->has_agent)
		buf_text(b, "None is set.");
	else
		buf_fmt(b, "%s is not set.",
		    f->has_admin ? "EMCLI_KEY" : "EMCLI_ADMIN_KEY");
	buf_text(b,
	    "\nThey can be made here; they are shown once, and stored "
	    "nowhere.\n");
}

static void
flow_text_show(struct buf *b)
{
	buf_text(b,
	    "Put these into your password store now, each under its name.\n"
	    "EMCLI_ADMIN_KEY is yours alone; EMCLI_KEY is for the agent.\n"
	    "Do not keep them where the database is: who has both has the "
	    "passwords.\n");
}

static void
flow_text_put_probes(struct buf *b, const struct flow *f)
{
	for (size_t i = 0; i < f->probes.n; i++) {
		buf_str(b, flow_text_probe(f->a, &f->probes.v[i]));
		buf_char(b, '\n');
		if (!f->probes.v[i].ok && f->probes.v[i].next.n > 0)
			buf_fmt(b, "    %.*s\n",
			    STR_ARG(out_line(f->a, f->probes.v[i].next)));
	}
}

static void
flow_text_put_list(struct buf *b, struct flow *f, enum flow_key on,
    enum flow_key list, const char *what, struct str more)
{
	struct str force = flow_get(f, on);
	size_t n = flow_list(f, list).n;

	buf_fmt(b, "%s: list %.*s, %zu entr%s%.*s\n", what, STR_ARG(force), n,
	    n == 1 ? "y" : "ies", STR_ARG(more));
}

/* What a listed sender is believed by; of a list that is off, what it would. */
static struct str
flow_text_proof(struct flow *f)
{
	struct str by = flow_get(f, FLOW_AUTHSERV_ID);

	if (str_eq(flow_get(f, FLOW_WHITELIST_AUTH), S("dmarc")))
		return by.n == 0 ? S(", with a good signature")
				 : str_fmt(f->a, ", authenticated by %.*s",
				       STR_ARG(out_line(f->a, by)));
	return str_eq(flow_get(f, FLOW_WHITELIST_IN), S("on"))
	    ? S(", compared by the From line only")
	    : S("");
}

static void
flow_text_put_server(struct buf *b, struct flow *f, const char *what,
    enum flow_key host)
{
	/* Host, port and security follow each other in the list. */
	struct str port = flow_get(f, (enum flow_key)(host + 1));
	struct str how = flow_get(f, (enum flow_key)(host + 2));

	buf_fmt(b, "%s %.*s, port %.*s, %.*s\n", what,
	    STR_ARG(flow_get(f, host)), STR_ARG(port), STR_ARG(how));
}

static void
flow_text_confirm(struct buf *b, struct flow *f)
{
	struct str name = flow_get(f, FLOW_ACCOUNT);
	struct str from = flow_get(f, FLOW_FROM);
	bool sends = str_eq(flow_get(f, FLOW_MODE), S("RW"));

	flow_text_put_probes(b, f);
	if (f->probes.n > 0)
		buf_char(b, '\n');
	buf_fmt(b, "Database %.*s%s\n", STR_ARG(out_line(f->a, f->path)),
	    f->there ? "" : " (new)");
	buf_fmt(b, "Account %.*s for %.*s, %s\n", STR_ARG(name), STR_ARG(from),
	    sends ? "reads and sends" : "reads only");
	if (flow_remote(f))
		flow_text_put_server(b, f, "IMAP", FLOW_IMAP_HOST);
	else if (flow_asked(f, FLOW_URL))
		buf_fmt(b, "Service %.*s\n",
		    STR_ARG(out_line(f->a, flow_get(f, FLOW_URL))));
	else
		buf_fmt(b, "Folder %.*s\n",
		    STR_ARG(out_line(f->a, flow_get(f, FLOW_PATH))));
	if (flow_asked(f, FLOW_SMTP_HOST) && flow_get(f, FLOW_SMTP_HOST).n > 0)
		flow_text_put_server(b, f, "SMTP", FLOW_SMTP_HOST);
	flow_text_put_list(b, f, FLOW_WHITELIST_IN, FLOW_ALLOW_IN, "Senders",
	    flow_text_proof(f));
	if (flow_asked(f, FLOW_WHITELIST_OUT))
		flow_text_put_list(b, f, FLOW_WHITELIST_OUT, FLOW_ALLOW_OUT,
		    "Recipients", S(""));
}

static struct str
flow_text_shown(const struct flow *f, struct str v)
{
	return v.n > 0 ? out_line(f->a, v) : S("nothing");
}

static void
flow_text_change(struct buf *b, struct flow *f, enum flow_key k)
{
	struct str is = flow_asked(f, k) ? flow_get(f, k) : S("");

	/* What logs in one way must not be sent in another. */
	if (k == FLOW_PASSWORD && f->hint[k].n > 0 && f->password == NULL &&
	    flow_changed(f, FLOW_AUTH))
		buf_text(b, "Password: removed\n");
	if (!flow_changed(f, k))
		return;
	if (flow_step[k].kind == FLOW_PASSWORD_KIND)
		buf_fmt(b, "%s: replaced\n", flow_step[k].title);
	else
		buf_fmt(b, "%s: %.*s -> %.*s\n", flow_step[k].title,
		    STR_ARG(flow_text_shown(f, f->hint[k])),
		    STR_ARG(flow_text_shown(f, is)));
}

/* What of an account that is there will be another. */
static void
flow_text_changes(struct buf *b, struct flow *f)
{
	for (enum flow_page at = 0; at < FLOW_PAGE_END; at++)
		for (enum flow_key k = flow_next(f, at, FLOW_STEPS);
		     k != FLOW_STEPS; k = flow_next(f, at, k))
			flow_text_change(b, f, k);
	if (b->n == 0)
		buf_text(b, "Nothing was changed.\n");
}

struct str
flow_text(struct flow *f, enum flow_page at)
{
	struct buf b;

	buf_init(&b, f->a, TEXT_MAX);
	switch (at) {
	case FLOW_PAGE_BEGIN:
		flow_text_begin(&b, f);
		break;
	case FLOW_PAGE_SHOW:
		flow_text_show(&b);
		break;
	case FLOW_PAGE_SERVERS:
		if (f->found.n > 0 && flow_remote(f))
			buf_str(&b, out_safe(f->a, f->found));
		break;
	case FLOW_PAGE_FAILED:
		flow_text_put_probes(&b, f);
		break;
	case FLOW_PAGE_SENDERS:
		buf_str(&b, out_safe(f->a, f->seen));
		break;
	case FLOW_PAGE_CONFIRM:
		if (f->edit)
			flow_text_changes(&b, f);
		else
			flow_text_confirm(&b, f);
		break;
	case FLOW_PAGE_WHO:
	case FLOW_PAGE_FIND:
	case FLOW_PAGE_POLICY:
	case FLOW_PAGE_SENDING:
	case FLOW_PAGE_LOGIN:
	case FLOW_PAGE_QUIRKS:
	case FLOW_PAGE_SOURCE:
	case FLOW_PAGE_TEST:
	case FLOW_PAGE_LOOK:
	case FLOW_PAGE_END:
		break;
	}
	return buf_view(&b);
}

struct str
flow_text_probe(struct arena *a, const struct probe *p)
{
	return out_line(a, flow_probe(a, p));
}

const struct secret *
flow_text_key(const struct flow *f, size_t i, const char **name)
{
	if (f->admin != NULL && i-- == 0) {
		*name = "EMCLI_ADMIN_KEY";
		return f->admin;
	}
	if (f->agent != NULL && i == 0) {
		*name = "EMCLI_KEY";
		return f->agent;
	}
	return NULL;
}
