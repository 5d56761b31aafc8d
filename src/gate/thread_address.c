/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each form of an address is a template (source/url.h) made from an account's
 * settings, so that only addresses that thread_url could have returned are
 * understood.  `hash` is an archive's name of a thread.
 */
#include "gate/thread_address.h"

#include "base/limits.h"
#include "source/url.h"

enum {
	FORMS = 8,
	HASH_DIGITS = 64 /* for a message without a Message-ID */
};

struct forms {
	struct arena *a;
	const struct store_account *acct;
	struct str v[FORMS];
	size_t n;
};

bool
thread_address_is(struct str text)
{
	static const struct str schemes[] = { SI("https://"), SI("http://"),
		SI("imap://"), SI("imaps://"), SI("file://") };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (str_eq_case(str_first(text, schemes[i].n), schemes[i]))
			return true;
	return false;
}

static bool
is_backend(const struct forms *f, const char *name)
{
	return str_eq(f->acct->backend, str_of(name));
}

static void
add_form(struct forms *f, struct str form)
{
	f->v[f->n++] = form;
}

/*
 * An archive's pages, also those of older versions, with and without the list
 * at the end.
 */
static void
thread_address_add_archive(struct forms *f)
{
	struct str site = f->acct->url;

	while (site.n > 0 && site.p[site.n - 1] == '/')
		site.n--;
	if (site.n == 0)
		return;
	for (int i = 0; i < 4; i++)
		add_form(f,
		    str_fmt(f->a, "%.*s/thread%s/<hash>%s", STR_ARG(site),
			i & 1 ? ".html" : "", i & 2 ? "?<list>" : ""));
}

static void
thread_address_make_forms(struct forms *f)
{
	if (f->acct->thread_url.n > 0)
		add_form(f, f->acct->thread_url);
	if (is_backend(f, "ponymail"))
		thread_address_add_archive(f);
	if (is_backend(f, "gmail") && f->acct->from_addr.n > 0)
		add_form(f,
		    str_fmt(f->a,
			"https://mail.google.com/mail/?authuser=%.*s#all/<id>",
			STR_ARG(url_encode(f->a, f->acct->from_addr))));
}

/* "dev@x.example", and the List-Id that an archive has for it. */
static bool
thread_address_is_list(const struct forms *f, struct str said)
{
	struct str own = f->acct->list, local, domain, id;

	if (own.n == 0 || str_eq_case(own, said))
		return true;
	if (!str_cut(own, '@', &local, &domain))
		return false;
	id = str_fmt(f->a, "<%.*s.%.*s>", STR_ARG(local), STR_ARG(domain));
	return str_eq_case(id, said) ||
	    str_eq_case(str_first(str_from(id, 1), id.n - 2), said);
}

static bool
thread_address_is_message_id(struct str s)
{
	return s.n > 2 && s.p[0] == '<' && s.p[s.n - 1] == '>';
}

/* An archive accepts a Message-ID in place of its own name. */
static void
thread_address_read_hash(const struct forms *f, struct str hash,
    struct thread_address *out)
{
	bool own = is_backend(f, "ponymail");

	out->kind = THREAD_ADDRESS_ID;
	out->id = hash;
	if (thread_address_is_message_id(hash))
		return;
	out->own = own;
	if (!own)
		out->kind = THREAD_ADDRESS_ONE_WAY;
}

/*
 * The values for url_fill(): the source's own id, a Message-ID without
 * brackets.
 */
static void
thread_address_read_id(const struct forms *f, struct str id,
    struct thread_address *out)
{
	bool bare = !is_backend(f, "agentbox") && !is_backend(f, "gmail") &&
	    !is_backend(f, "jmap") && !is_backend(f, "ponymail");

	out->kind = THREAD_ADDRESS_ID;
	out->own = !bare;
	out->id = id;
	if (bare && id.n == HASH_DIGITS && !str_has_char(id, '@'))
		out->id = str_fmt(f->a, "sha256-raw:%.*s", STR_ARG(id));
	else if (bare)
		out->id = str_fmt(f->a, "<%.*s>", STR_ARG(id));
}

static bool
thread_address_try_form(const struct forms *f, struct str form, struct str url,
    struct thread_address *out)
{
	struct url_parts p;

	if (!url_match(f->a, form, url, &p) ||
	    (p.list.n > 0 && !thread_address_is_list(f, p.list)))
		return false;
	/* If there are both, the id says more than a hash. */
	if (p.id.n > 0)
		thread_address_read_id(f, p.id, out);
	else if (p.hash.n > 0)
		thread_address_read_hash(f, p.hash, out);
	return out->kind != THREAD_ADDRESS_FOREIGN;
}

/* RFC 5092: as returned by thread_url, and with the "/" that belongs there. */
static void
thread_address_read_imap(const struct forms *f, struct str url,
    struct thread_address *out)
{
	static const char *const ends[] = { ";UID=", "/;UID=" };
	struct url_parts p;

	if (!is_backend(f, "imap"))
		return;
	for (int i = 0; i < 2; i++) {
		struct str form = str_fmt(f->a, "imap://%.*s/<id>%s<hash>",
		    STR_ARG(url_encode(f->a, f->acct->imap_host)), ends[i]);

		if (!url_match(f->a, form, url, &p) ||
		    !str_to_u32(p.hash, UINT32_MAX, &out->uid) || out->uid == 0)
			continue;
		out->folder = p.id;
		out->kind = THREAD_ADDRESS_MESSAGE;
	}
}

void
thread_address_read(struct arena *a, const struct store_account *acct,
    struct str url, struct thread_address *out)
{
	struct forms f = { .a = a, .acct = acct };

	*out = (struct thread_address){ 0 };
	if (url.n > LIMIT_URL)
		return;
	thread_address_make_forms(&f);
	for (size_t i = 0; i < f.n; i++)
		if (thread_address_try_form(&f, f.v[i], url, out))
			return;
	thread_address_read_imap(&f, url, out);
}
